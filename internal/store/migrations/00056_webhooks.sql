-- +goose Up
-- Who is told of changes, and where (contract 3.32). The group of a subscription never changes: its rows in
-- subscription_sources are written with it.
CREATE TABLE subscriptions (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL, -- platform or blockchain
    function_ids TEXT NOT NULL, -- JSON
    callback_url TEXT NOT NULL,
    metadata TEXT, -- JSON
    starts_at BIGINT,
    ends_at BIGINT,
    max_events_per_day BIGINT,
    finality TEXT,
    version TEXT NOT NULL,
    consecutive_failures BIGINT NOT NULL,
    failing_since BIGINT, -- the first of them
    disabled_at BIGINT,
    disabled_reason TEXT,
    deleted_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (website_id, id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX subscriptions_of_website ON subscriptions (website_id, created_at, id);
CREATE INDEX subscriptions_of_organization ON subscriptions (organization_id, created_at, id);

CREATE TABLE subscription_sources (
    id UUID PRIMARY KEY,
    subscription_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    place BIGINT NOT NULL, -- in the order of the request
    trigger_id TEXT,
    table_name TEXT, -- of a platform table
    currency_ids TEXT, -- JSON: of the main accounts that limit a table; NULL: all
    chain_id BIGINT,
    contract_address TEXT,
    kind TEXT, -- EVENT or FUNCTION
    selector TEXT,
    abi TEXT,
    from_block TEXT,
    created_at_block TEXT,
    created_at BIGINT NOT NULL,
    live BOOLEAN NOT NULL, -- of a subscription that is not deleted
    FOREIGN KEY (website_id, subscription_id) REFERENCES subscriptions (website_id, id)
);
CREATE INDEX subscription_sources_of ON subscription_sources (subscription_id, place);
CREATE INDEX subscription_sources_live ON subscription_sources (website_id, table_name) WHERE live;

-- A subscription signs with its newest key, and beside it with those that were replaced less than a day ago.
CREATE TABLE subscription_keys (
    id UUID PRIMARY KEY,
    subscription_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    signing_key TEXT NOT NULL, -- sealed
    replaced_at BIGINT, -- NULL: it is the newest
    FOREIGN KEY (website_id, subscription_id) REFERENCES subscriptions (website_id, id)
);
CREATE INDEX subscription_keys_of ON subscription_keys (subscription_id);

-- Which subscription has something to be sent, and since when: the item that a node leases. While a node has it, held
-- is true, and due_at is the end of the lease; other writers then leave due_at alone.
CREATE TABLE subscription_senders (
    subscription_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    due_at BIGINT,
    held BOOLEAN NOT NULL,
    kept_become TEXT NOT NULL, -- what deliveries that are held, or pending ones of a deleted subscription, become
    day BIGINT NOT NULL, -- the UTC day that day_events counts
    day_events BIGINT NOT NULL,
    FOREIGN KEY (website_id, subscription_id) REFERENCES subscriptions (website_id, id)
);
CREATE INDEX subscription_senders_due ON subscription_senders (subscription_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX subscription_senders_first ON subscription_senders (due_at) WHERE due_at IS NOT NULL;

-- What happened, once for all subscriptions that are told. Never changed.
CREATE TABLE subscription_events (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    position BIGINT NOT NULL, -- in the order of the change feed
    table_name TEXT NOT NULL,
    type TEXT NOT NULL,
    lane UUID NOT NULL, -- events of one lane are told one after the other
    triggered_at BIGINT NOT NULL,
    data TEXT NOT NULL, -- JSON
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

CREATE TABLE subscription_deliveries (
    subscription_id UUID NOT NULL,
    event_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    position BIGINT NOT NULL,
    trigger_id TEXT,
    status TEXT NOT NULL, -- pending, delivered, failed, skipped, held
    attempts BIGINT NOT NULL,
    tries BIGINT NOT NULL, -- attempts that count in the schedule of retries
    called BOOLEAN NOT NULL, -- the callback has taken it, or there is none
    call_failed BOOLEAN NOT NULL, -- the callback is tried no more
    call_due BIGINT, -- when the callback is tried again; NULL: at once, unless called or call_failed
    due_at BIGINT, -- when anything of it is tried again
    again TEXT NOT NULL, -- what the status was before somebody asked for another attempt
    functions TEXT, -- JSON: what became of the runs of functions
    PRIMARY KEY (subscription_id, event_id),
    FOREIGN KEY (website_id, subscription_id) REFERENCES subscriptions (website_id, id)
);
CREATE INDEX subscription_deliveries_fresh ON subscription_deliveries (subscription_id, position)
    WHERE status = 'pending' AND attempts = 0;
CREATE INDEX subscription_deliveries_again ON subscription_deliveries (subscription_id, due_at)
    WHERE status = 'pending' AND attempts > 0;
CREATE INDEX subscription_deliveries_held ON subscription_deliveries (subscription_id, position) WHERE status = 'held';

CREATE TABLE subscription_attempts (
    subscription_id UUID NOT NULL,
    event_id UUID NOT NULL,
    number BIGINT NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    begun_at BIGINT NOT NULL,
    duration BIGINT NOT NULL, -- microseconds
    status BIGINT, -- of the response
    body TEXT NOT NULL, -- its first 1,024 characters
    error TEXT,
    PRIMARY KEY (subscription_id, event_id, number),
    FOREIGN KEY (website_id, subscription_id) REFERENCES subscriptions (website_id, id)
);

-- +goose Down
DROP TABLE subscription_attempts;
DROP TABLE subscription_deliveries;
DROP TABLE subscription_events;
DROP TABLE subscription_senders;
DROP TABLE subscription_keys;
DROP TABLE subscription_sources;
DROP TABLE subscriptions;
