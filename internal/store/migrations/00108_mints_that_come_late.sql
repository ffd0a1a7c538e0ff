-- +goose Up
-- A mint that has failed and is reported as minted later takes stock and price again (docs/decisions/0082-late-mints.md).
-- corrected_at is when; NULL: never. What balance and supply did not cover stays unpaid.
ALTER TABLE minting_mints ADD COLUMN corrected_at BIGINT;
ALTER TABLE minting_mints ADD COLUMN unpaid_amount BIGINT NOT NULL DEFAULT 0;
ALTER TABLE minting_mints ADD COLUMN unpaid_quantity BIGINT NOT NULL DEFAULT 0;
CREATE INDEX minting_mints_unpaid ON minting_mints (minting_asset_id, created_at, id) WHERE unpaid_amount > 0 OR unpaid_quantity > 0;

-- +goose Down
DROP INDEX minting_mints_unpaid;
ALTER TABLE minting_mints DROP COLUMN unpaid_quantity;
ALTER TABLE minting_mints DROP COLUMN unpaid_amount;
ALTER TABLE minting_mints DROP COLUMN corrected_at;
