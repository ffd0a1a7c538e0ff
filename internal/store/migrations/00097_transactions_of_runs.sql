-- +goose Up
-- What a run for a rule asks the payout driver for. It is owed with the payment of the completion, and not before.
ALTER TABLE function_runs ADD COLUMN transactions TEXT; -- a JSON array; NULL: nothing

-- +goose Down
ALTER TABLE function_runs DROP COLUMN transactions;
