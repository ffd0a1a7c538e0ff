-- +goose Up
-- Websites with events that wait to be fanned out: the item that a node leases. While a node has it, held is true, and
-- due_at is the end of the lease; the reader of the change feed then leaves due_at alone.
CREATE TABLE subscription_fanouts (
    website_id UUID NOT NULL PRIMARY KEY,
    organization_id UUID NOT NULL,
    due_at BIGINT, -- NULL: no event waits
    held BOOLEAN NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX subscription_fanouts_due ON subscription_fanouts (website_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX subscription_fanouts_first ON subscription_fanouts (due_at) WHERE due_at IS NOT NULL;

-- Events whose subscriptions have no deliveries yet: those of many subscriptions, and what came behind them.
CREATE TABLE subscription_waiting_events (
    website_id UUID NOT NULL,
    position BIGINT NOT NULL, -- in the order of the change feed
    organization_id UUID NOT NULL,
    event_id UUID NOT NULL,
    currency_id UUID, -- of an entry or an account
    after_id UUID, -- the last subscription that has its delivery; NULL: none has
    PRIMARY KEY (website_id, position),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

-- +goose Down
DROP TABLE subscription_waiting_events;
DROP TABLE subscription_fanouts;
