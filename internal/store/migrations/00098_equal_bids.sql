-- +goose Up
-- Lists of bids are by amount, and of equal bids the earlier comes first.
DROP INDEX auction_bids_by_amount;
DROP INDEX auction_bids_of_auction;
DROP INDEX auction_bids_of_user;
CREATE INDEX auction_bids_by_amount ON auction_bids (website_id, amount DESC, created_at, place, id);
CREATE INDEX auction_bids_of_auction ON auction_bids (auction_id, amount, place);
CREATE INDEX auction_bids_of_user ON auction_bids (user_id, amount DESC, created_at, place, id);

-- +goose Down
DROP INDEX auction_bids_by_amount;
DROP INDEX auction_bids_of_auction;
DROP INDEX auction_bids_of_user;
CREATE INDEX auction_bids_by_amount ON auction_bids (website_id, amount, id);
CREATE INDEX auction_bids_of_auction ON auction_bids (auction_id, amount, id);
CREATE INDEX auction_bids_of_user ON auction_bids (user_id, amount, id);
