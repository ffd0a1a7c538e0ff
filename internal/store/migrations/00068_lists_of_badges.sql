-- +goose Up
-- A list belongs to the rule or to the badge that names it; the id of either names its lists.
CREATE TABLE list_sources (
    owner_id UUID NOT NULL,
    kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    url TEXT NOT NULL,
    api_key_sealed TEXT,
    current_import_id UUID,
    next_read_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (owner_id, kind),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
INSERT INTO list_sources (owner_id, kind, owner, organization_id, website_id, url, api_key_sealed, current_import_id, next_read_at, created_at, updated_at)
SELECT loyalty_rule_id, kind, 'rule', organization_id, website_id, url, api_key_sealed, current_import_id, next_read_at, created_at, updated_at
FROM rule_sources;
DROP TABLE rule_sources;
CREATE INDEX list_sources_due ON list_sources (next_read_at) WHERE next_read_at IS NOT NULL;

ALTER TABLE list_imports RENAME TO list_imports_before;
CREATE TABLE list_imports (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    owner_id UUID NOT NULL,
    owner TEXT NOT NULL,
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
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
INSERT INTO list_imports (id, organization_id, website_id, owner_id, owner, kind, url, status, message, rows_total, rows_read, rows_skipped,
    rows_kept, holds_rows, errors, position, digest, due_at, attempts, created_at, updated_at, finished_at)
SELECT id, organization_id, website_id, loyalty_rule_id, 'rule', kind, url, status, message, rows_total, rows_read, rows_skipped,
    rows_kept, holds_rows, errors, position, digest, due_at, attempts, created_at, updated_at, finished_at
FROM list_imports_before;
DROP TABLE list_imports_before;
CREATE INDEX list_imports_of_owner ON list_imports (owner_id, created_at, id);
CREATE INDEX list_imports_over ON list_imports (finished_at) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX list_imports_open ON list_imports (owner_id, kind) WHERE finished_at IS NULL;
CREATE INDEX list_imports_of_website ON list_imports (website_id, due_at, id) WHERE finished_at IS NULL;
CREATE INDEX list_imports_newest ON list_imports (website_id, created_at, id);

-- +goose Down
CREATE TABLE rule_sources (
    loyalty_rule_id UUID NOT NULL,
    kind TEXT NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    url TEXT NOT NULL,
    api_key_sealed TEXT,
    current_import_id UUID,
    next_read_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (loyalty_rule_id, kind),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
INSERT INTO rule_sources (loyalty_rule_id, kind, organization_id, website_id, url, api_key_sealed, current_import_id, next_read_at, created_at, updated_at)
SELECT owner_id, kind, organization_id, website_id, url, api_key_sealed, current_import_id, next_read_at, created_at, updated_at
FROM list_sources WHERE owner = 'rule';
DROP TABLE list_sources;
CREATE INDEX rule_sources_due ON rule_sources (next_read_at) WHERE next_read_at IS NOT NULL;

ALTER TABLE list_imports RENAME TO list_imports_before;
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
INSERT INTO list_imports (id, organization_id, website_id, loyalty_rule_id, kind, url, status, message, rows_total, rows_read, rows_skipped,
    rows_kept, holds_rows, errors, position, digest, due_at, attempts, created_at, updated_at, finished_at)
SELECT id, organization_id, website_id, owner_id, kind, url, status, message, rows_total, rows_read, rows_skipped,
    rows_kept, holds_rows, errors, position, digest, due_at, attempts, created_at, updated_at, finished_at
FROM list_imports_before WHERE owner = 'rule';
DROP TABLE list_imports_before;
CREATE INDEX list_imports_of_rule ON list_imports (loyalty_rule_id, created_at, id);
CREATE INDEX list_imports_over ON list_imports (finished_at) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX list_imports_open ON list_imports (loyalty_rule_id, kind) WHERE finished_at IS NULL;
CREATE INDEX list_imports_of_website ON list_imports (website_id, due_at, id) WHERE finished_at IS NULL;
CREATE INDEX list_imports_newest ON list_imports (website_id, created_at, id);
