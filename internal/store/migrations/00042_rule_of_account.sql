-- +goose Up
-- The entries of an account tell their rule in the index: the few of one rule are found without reading all the others, each on a page of its own.
DROP INDEX entries_of_account;
CREATE INDEX entries_of_account ON loyalty_transaction_entries (loyalty_account_id, created_at, id, loyalty_rule_id);

-- +goose Down
DROP INDEX entries_of_account;
CREATE INDEX entries_of_account ON loyalty_transaction_entries (loyalty_account_id, created_at, id);
