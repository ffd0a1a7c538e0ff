-- +goose Up
-- What tells the token of a hidden currency: two rules, or two nodes, that pay the same token meet in one row.
ALTER TABLE loyalty_currencies ADD COLUMN token_key TEXT;
CREATE UNIQUE INDEX loyalty_currencies_of_token ON loyalty_currencies (website_id, token_key) WHERE token_key IS NOT NULL;

-- What is owed for entries in a token's currency: one row per entry, written with it and never removed. The id is the idempotency key that the driver is shown.
CREATE TABLE payouts (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_currency_id UUID NOT NULL,
    loyalty_rule_id UUID NOT NULL,
    loyalty_transaction_entry_id UUID NOT NULL UNIQUE,
    user_id UUID NOT NULL,
    wallet_address TEXT NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    relayer_id UUID NOT NULL,
    contract_id UUID,
    network TEXT,
    status TEXT NOT NULL,
    tx_hash TEXT,
    message TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    faults BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_currency_id) REFERENCES loyalty_currencies (website_id, id),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX payouts_due ON payouts (due_at, id) WHERE status IN ('waiting', 'sent');
CREATE INDEX payouts_newest ON payouts (website_id, created_at, id);
CREATE INDEX payouts_of_status ON payouts (website_id, status, created_at, id);
CREATE INDEX payouts_of_rule ON payouts (loyalty_rule_id, created_at, id);
CREATE INDEX payouts_of_user ON payouts (user_id, created_at, id);

-- +goose Down
DROP TABLE payouts;
DROP INDEX loyalty_currencies_of_token;
ALTER TABLE loyalty_currencies DROP COLUMN token_key;
