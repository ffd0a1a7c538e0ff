-- +goose Up
-- Files that are or will be uploaded (contract 3.31). The bytes lie in the data folder, under file_path, file_key and file_name.
CREATE TABLE assets (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    user_id UUID,
    created_by_id UUID,
    file_path TEXT NOT NULL,
    file_key TEXT NOT NULL UNIQUE,
    file_name TEXT NOT NULL,
    file_size BIGINT NOT NULL,
    host TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    expires_at BIGINT NOT NULL,
    uploaded_at BIGINT,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)
);
CREATE INDEX assets_unused ON assets (expires_at) WHERE uploaded_at IS NULL;

-- What a rule reads from a file or a feed, and which import of it counts. An import counts whole or not at all.
CREATE TABLE rule_sources (
    loyalty_rule_id UUID NOT NULL,
    kind TEXT NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    url TEXT NOT NULL,
    api_key TEXT,
    current_import_id UUID,
    next_read_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (loyalty_rule_id, kind),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX rule_sources_due ON rule_sources (next_read_at) WHERE next_read_at IS NOT NULL;

-- One reading of a source. The position is where the next chunk of rows begins; it moves in the transaction that writes the chunk.
CREATE TABLE list_imports (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_rule_id UUID NOT NULL,
    kind TEXT NOT NULL,
    url TEXT NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    rows_total BIGINT,
    rows_read BIGINT NOT NULL,
    rows_skipped BIGINT NOT NULL,
    rows_kept BIGINT NOT NULL,
    holds_rows BOOLEAN NOT NULL,
    errors TEXT NOT NULL,
    position TEXT NOT NULL,
    digest TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    finished_at BIGINT,
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX list_imports_of_rule ON list_imports (loyalty_rule_id, created_at, id);
CREATE INDEX list_imports_due ON list_imports (due_at) WHERE finished_at IS NULL;
CREATE INDEX list_imports_over ON list_imports (finished_at) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX list_imports_open ON list_imports (loyalty_rule_id, kind) WHERE finished_at IS NULL;

-- The rows of lists. There may be a million in each, so they carry no more than they need: their tenant is the import's.
CREATE TABLE allotments (
    import_id UUID NOT NULL,
    wallet_address TEXT NOT NULL,
    amount BIGINT,
    line BIGINT NOT NULL,
    PRIMARY KEY (import_id, wallet_address)
);
CREATE TABLE token_rewards (
    import_id UUID NOT NULL,
    token_id TEXT NOT NULL,
    amount BIGINT NOT NULL,
    line BIGINT NOT NULL,
    PRIMARY KEY (import_id, token_id)
);

-- +goose Down
DROP TABLE token_rewards;
DROP TABLE allotments;
DROP TABLE list_imports;
DROP TABLE rule_sources;
DROP TABLE assets;
