-- +goose Up
-- Debits of members are rare among credits: a list of them must not read past millions. Completions write none.
CREATE INDEX entries_of_debits ON loyalty_transaction_entries (website_id, created_at, id) WHERE direction = 'debit' AND user_id IS NOT NULL;

-- +goose Down
SELECT 1;
