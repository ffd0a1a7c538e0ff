-- +goose Up
-- The mints of an asset, and those of an auction's items, newest first.
CREATE INDEX minting_mints_of_asset ON minting_mints (minting_asset_id, created_at, id);

-- +goose Down
DROP INDEX minting_mints_of_asset;
