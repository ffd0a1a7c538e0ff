-- +goose Up
-- The mints of an asset, newest first, and those that were won in an auction.
CREATE INDEX minting_mints_of_asset ON minting_mints (minting_asset_id, created_at, id);
CREATE INDEX minting_mints_of_auction ON minting_mints (auction_id) WHERE auction_id IS NOT NULL;

-- +goose Down
DROP INDEX minting_mints_of_auction;
DROP INDEX minting_mints_of_asset;
