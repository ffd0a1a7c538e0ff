-- A badge owes tokens, too: then no rule and no relayer is named. SQLite cannot loosen a column: the rows move to another
-- table.
CREATE TABLE payouts_of_all (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_currency_id UUID NOT NULL,
    loyalty_rule_id UUID,
    loyalty_badge_id UUID,
    loyalty_transaction_entry_id UUID NOT NULL UNIQUE,
    user_id UUID NOT NULL,
    wallet_address TEXT NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    relayer_id UUID,
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
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id),
    FOREIGN KEY (website_id, loyalty_badge_id) REFERENCES loyalty_badges (website_id, id)
);
INSERT INTO payouts_of_all (id, organization_id, website_id, loyalty_currency_id, loyalty_rule_id, loyalty_transaction_entry_id, user_id, wallet_address,
	amount, relayer_id, contract_id, network, status, tx_hash, message, attempts, faults, due_at, created_at, updated_at)
SELECT id, organization_id, website_id, loyalty_currency_id, loyalty_rule_id, loyalty_transaction_entry_id, user_id, wallet_address,
	amount, relayer_id, contract_id, network, status, tx_hash, message, attempts, faults, due_at, created_at, updated_at FROM payouts;
DROP TABLE payouts;
ALTER TABLE payouts_of_all RENAME TO payouts;
CREATE INDEX payouts_newest ON payouts (website_id, created_at, id);
CREATE INDEX payouts_of_status ON payouts (website_id, status, created_at, id);
CREATE INDEX payouts_of_rule ON payouts (loyalty_rule_id, created_at, id);
CREATE INDEX payouts_of_user ON payouts (user_id, created_at, id);
CREATE INDEX payouts_due_of_website ON payouts (website_id, due_at, id) WHERE status IN ('waiting', 'sent')
