-- +goose Up
-- An auction is told with its highest bids, of equal ones the earlier first: a crowd may bid the same.
CREATE INDEX auction_bids_best ON auction_bids (auction_id, amount DESC, place);

-- +goose Down
DROP INDEX auction_bids_best;
