-- +goose Up
-- How far each network is read: all events up to the block are stored. A reader that has stopped waits for the operator.
CREATE TABLE network_cursors (
    chain_id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    block_number BIGINT NOT NULL,
    block_hash TEXT NOT NULL,
    stopped_reason TEXT NOT NULL, -- empty: it has not stopped
    resumed BOOLEAN NOT NULL, -- by the operator: the chain counts as it is
    lease_owner UUID,
    lease_until BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- The last blocks that were read, to find where a chain has parted.
CREATE TABLE network_blocks (
    chain_id BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    block_hash TEXT NOT NULL,
    PRIMARY KEY (chain_id, block_number)
);

-- Events and calls of these blocks, and those that wait for confirmations. Once no reorganization can reach them, they
-- are removed.
CREATE TABLE network_events (
    id UUID PRIMARY KEY,
    chain_id BIGINT NOT NULL,
    watch_id UUID NOT NULL, -- the source of the subscription
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    block_number BIGINT NOT NULL,
    place BIGINT NOT NULL, -- of the log or transaction in the block
    event_key TEXT NOT NULL,
    is_function BOOLEAN NOT NULL,
    published BOOLEAN NOT NULL,
    data TEXT NOT NULL, -- JSON
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE UNIQUE INDEX network_events_once ON network_events (watch_id, event_key);
CREATE INDEX network_events_of_block ON network_events (chain_id, block_number);
CREATE INDEX network_events_unpublished ON network_events (chain_id, block_number, place) WHERE NOT published;

-- How far the past of a contract's source is read: the blocks from next_block to until_block remain. NULL: the reader
-- has not found the source yet. An empty from_block is the newest block when it does.
ALTER TABLE subscription_sources ADD COLUMN next_block BIGINT;
ALTER TABLE subscription_sources ADD COLUMN until_block BIGINT;
UPDATE subscription_sources SET from_block = '' WHERE table_name IS NULL AND from_block = '0';
CREATE INDEX subscription_sources_of_chain ON subscription_sources (chain_id) WHERE live AND table_name IS NULL;

-- +goose Down
DROP INDEX subscription_sources_of_chain;
UPDATE subscription_sources SET from_block = '0' WHERE table_name IS NULL AND from_block = '';
ALTER TABLE subscription_sources DROP COLUMN until_block;
ALTER TABLE subscription_sources DROP COLUMN next_block;
DROP TABLE network_events;
DROP TABLE network_blocks;
DROP TABLE network_cursors;
