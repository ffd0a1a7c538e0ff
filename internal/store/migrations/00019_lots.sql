-- +goose Up
-- Points that expire and points that wait, both optional per currency; NULL: off (docs/decisions/0019-lots.md).
ALTER TABLE loyalty_currencies ADD COLUMN points_expire_after_days BIGINT;
ALTER TABLE loyalty_currencies ADD COLUMN points_wait_hours BIGINT;

-- What points_expire_after_days was from when on: a lot expires by what held when its points were given. Rows are never changed.
CREATE TABLE currency_terms (
    loyalty_currency_id UUID NOT NULL,
    since BIGINT NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    expire_after_days BIGINT,
    PRIMARY KEY (loyalty_currency_id, since),
    FOREIGN KEY (website_id, loyalty_currency_id) REFERENCES loyalty_currencies (website_id, id)
);

-- Points that were given together. version is that of the account after the credit; NULL while the lot waits, and where nothing expires.
CREATE TABLE account_lots (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_account_id UUID NOT NULL,
    loyalty_currency_id UUID NOT NULL,
    user_id UUID NOT NULL,
    state TEXT NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    remaining BIGINT NOT NULL CHECK (remaining >= 0 AND remaining <= amount),
    era BIGINT NOT NULL,
    version BIGINT,
    loyalty_rule_id UUID,
    loyalty_rule_type TEXT,
    loyalty_transaction_id UUID,
    entry_id UUID,
    end_entry_id UUID,
    reason TEXT,
    description TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    waits_until BIGINT,
    expires_at BIGINT,
    ended_at BIGINT,
    UNIQUE (website_id, id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX account_lots_of_account ON account_lots (loyalty_account_id, created_at, id);
CREATE UNIQUE INDEX account_lots_of_version ON account_lots (loyalty_account_id, era, version) WHERE version IS NOT NULL;
CREATE UNIQUE INDEX account_lots_of_entry ON account_lots (entry_id) WHERE entry_id IS NOT NULL;
CREATE INDEX account_lots_open ON account_lots (loyalty_account_id, version) WHERE state = 'open';
CREATE INDEX account_lots_due ON account_lots (loyalty_currency_id, expires_at) WHERE state = 'open';
CREATE INDEX account_lots_waiting ON account_lots (waits_until) WHERE state = 'pending';
CREATE INDEX account_lots_waiting_of_account ON account_lots (loyalty_account_id) WHERE state = 'pending';
CREATE INDEX account_lots_waiting_of_rule ON account_lots (loyalty_rule_id, id) WHERE state = 'pending';

-- Which debit took how much of which lot. Rows are never changed.
CREATE TABLE lot_allocations (
    lot_id UUID NOT NULL,
    entry_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_account_id UUID NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (lot_id, entry_id),
    FOREIGN KEY (website_id, lot_id) REFERENCES account_lots (website_id, id)
);
CREATE INDEX lot_allocations_of_account ON lot_allocations (loyalty_account_id, version);

-- Up to which of its entries an account's lots are worked out. Whoever changes lots locks this row.
CREATE TABLE lot_accounts (
    loyalty_account_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_currency_id UUID NOT NULL,
    user_id UUID NOT NULL,
    era BIGINT NOT NULL,
    version BIGINT NOT NULL,
    entry_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

-- The live currencies whose points expire: how far their accounts have been looked through, and when the next look is due.
CREATE TABLE lot_sweeps (
    loyalty_currency_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    era BIGINT NOT NULL,
    after_user_id UUID,
    due_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_currency_id) REFERENCES loyalty_currencies (website_id, id)
);

-- +goose Down
DROP TABLE lot_sweeps;
DROP TABLE lot_accounts;
DROP TABLE lot_allocations;
DROP TABLE account_lots;
DROP TABLE currency_terms;
ALTER TABLE loyalty_currencies DROP COLUMN points_wait_hours;
ALTER TABLE loyalty_currencies DROP COLUMN points_expire_after_days;
