-- +goose Up
-- Functions of websites (contract 3.34). due_at is when the cron expression is due next; while a node carries that run
-- out, its lease ends then, and tick_at stays the moment that was due.
CREATE TABLE functions (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    name TEXT NOT NULL,
    code TEXT NOT NULL,
    version BIGINT NOT NULL,
    cron TEXT,
    secrets_sealed TEXT, -- a JSON object of texts
    disabled BOOLEAN NOT NULL,
    tick_at BIGINT,
    due_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    UNIQUE (website_id, id)
);
CREATE INDEX functions_newest ON functions (website_id, created_at, id);
CREATE INDEX functions_due ON functions (due_at, id) WHERE cron IS NOT NULL AND NOT disabled AND deleted_at IS NULL;
CREATE INDEX functions_of_website_due ON functions (website_id, due_at) WHERE cron IS NOT NULL AND NOT disabled AND deleted_at IS NULL;

-- The code of every version, the present one included.
CREATE TABLE function_versions (
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    function_id UUID NOT NULL,
    version BIGINT NOT NULL,
    code TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (function_id, version),
    FOREIGN KEY (website_id, function_id) REFERENCES functions (website_id, id)
);

-- +goose Down
DROP TABLE function_versions;
DROP TABLE functions;
