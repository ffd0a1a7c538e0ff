-- +goose Up
-- What rules watch on blockchains: an event or a function of a contract. The first block is from_block or, until the
-- reader has found the row, the first one that is not older than since. The blocks from next_block to until_block are
-- still to be read.
CREATE TABLE rule_watches (
    id UUID PRIMARY KEY,
    loyalty_rule_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    chain_id BIGINT NOT NULL,
    contract_address TEXT NOT NULL,
    is_function BOOLEAN NOT NULL,
    abi TEXT NOT NULL,
    since BIGINT NOT NULL,
    from_block BIGINT,
    next_block BIGINT,
    until_block BIGINT,
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE UNIQUE INDEX rule_watches_once ON rule_watches (loyalty_rule_id);
CREATE INDEX rule_watches_of_chain ON rule_watches (chain_id);

-- Events of contracts, and those that were taken back, that rules still have to decide on.
CREATE TABLE rule_events (
    id UUID PRIMARY KEY,
    loyalty_rule_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    event_key TEXT NOT NULL,
    removed BOOLEAN NOT NULL,
    data TEXT NOT NULL, -- JSON
    attempts BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX rule_events_due ON rule_events (due_at);
CREATE INDEX rule_events_by_owner ON rule_events (website_id, due_at);
CREATE INDEX rule_events_taken_back ON rule_events (loyalty_rule_id, id) WHERE removed;
CREATE INDEX rule_events_of_key ON rule_events (loyalty_rule_id, event_key);

-- Events of contracts that rules have paid for, and those whose blocks left the chain.
CREATE TABLE rule_event_payments (
    loyalty_rule_id UUID NOT NULL,
    event_key TEXT NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    subject_id UUID, -- the member or its group; NULL: nothing was paid
    user_id UUID,
    window_key TEXT NOT NULL,
    amount BIGINT NOT NULL,
    loyalty_transaction_id UUID,
    happened_at BIGINT NOT NULL, -- the moment as of which it was decided
    paid_at BIGINT NOT NULL,
    removed_at BIGINT, -- the last time that the event was taken back
    kept BOOLEAN NOT NULL, -- it was taken back, and the points stay
    reversal_id UUID, -- the transaction that took points back
    PRIMARY KEY (loyalty_rule_id, event_key),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);

-- +goose Down
DROP TABLE rule_event_payments;
DROP TABLE rule_events;
DROP TABLE rule_watches;
