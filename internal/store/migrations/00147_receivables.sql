-- +goose Up
-- receivable: what an account still owes of points that were taken back. It is taken from later credits.
ALTER TABLE loyalty_accounts ADD COLUMN receivable BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE loyalty_accounts DROP COLUMN receivable;
