-- +goose Up
-- The entries of an account tell their rule in the index: the few of one rule are found without reading all the others, each on a page of its own. The new
-- index comes first, so that lists are read all the while.
CREATE INDEX entries_of_account_and_rule ON loyalty_transaction_entries (loyalty_account_id, created_at, id, loyalty_rule_id);
DROP INDEX entries_of_account;

-- +goose Down
CREATE INDEX entries_of_account ON loyalty_transaction_entries (loyalty_account_id, created_at, id);
DROP INDEX entries_of_account_and_rule;
