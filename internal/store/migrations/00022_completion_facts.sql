-- +goose Up
-- What a completion was decided on, so that it can be decided again by another rule.
ALTER TABLE loyalty_transactions ADD COLUMN facts TEXT;

-- +goose Down
SELECT 1;
