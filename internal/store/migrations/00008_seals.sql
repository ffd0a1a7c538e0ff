-- +goose Up
-- Tamper evidence. A chain of signed blocks per organization seals its entries; none of these rows is needed to post.
-- No key ties sealed entries to their entries: what somebody removes by hand must be missed, not refused.
CREATE TABLE seal_blocks (
    organization_id UUID NOT NULL REFERENCES organizations (id),
    number BIGINT NOT NULL,
    size BIGINT NOT NULL,
    root TEXT NOT NULL,
    previous_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    public_key TEXT NOT NULL,
    hash TEXT NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (organization_id, number)
);

-- The last block of each organization: the row that whoever seals locks first.
CREATE TABLE seal_heads (
    organization_id UUID PRIMARY KEY REFERENCES organizations (id),
    number BIGINT NOT NULL,
    hash TEXT NOT NULL
);

-- Which entries a block seals, in what order, and the hash of each as it was then.
CREATE TABLE sealed_entries (
    entry_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    block BIGINT NOT NULL,
    position BIGINT NOT NULL,
    leaf BYTEA NOT NULL
);
CREATE UNIQUE INDEX sealed_entries_of_block ON sealed_entries (organization_id, block, position);

-- How far the entries are sealed that were there before sealing began and that the change feed does not tell of. One row.
CREATE TABLE seal_backlog (
    name TEXT PRIMARY KEY,
    after_id UUID,
    until_id UUID,
    done_at BIGINT
);

-- +goose Down
SELECT 1;
