-- +goose Up
-- What a reading of an allocation list has found, so that pages show how far it is and its first bad rows.
ALTER TABLE token_claim_imports ADD COLUMN total BIGINT NOT NULL DEFAULT 0; -- how many wallets and blocks are to be written
ALTER TABLE token_claim_imports ADD COLUMN rows_read BIGINT NOT NULL DEFAULT 0;
ALTER TABLE token_claim_imports ADD COLUMN skipped BIGINT NOT NULL DEFAULT 0;
ALTER TABLE token_claim_imports ADD COLUMN replaced BIGINT NOT NULL DEFAULT 0;
ALTER TABLE token_claim_imports ADD COLUMN bad_rows TEXT NOT NULL DEFAULT '[]'; -- a JSON array of texts

-- +goose Down
ALTER TABLE token_claim_imports DROP COLUMN bad_rows;
ALTER TABLE token_claim_imports DROP COLUMN replaced;
ALTER TABLE token_claim_imports DROP COLUMN skipped;
ALTER TABLE token_claim_imports DROP COLUMN rows_read;
ALTER TABLE token_claim_imports DROP COLUMN total;
