-- +goose Up
-- Imports of members from files (contract 1.11): items of a queue.
CREATE TABLE member_imports (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    created_by_id UUID, -- whose transactions the opening balances are
    url TEXT NOT NULL, -- of the file; empty where a command or a page has read it
    file_name TEXT NOT NULL,
    loyalty_currency_id UUID, -- of the opening balances; NULL until the file is read, where the request named none
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    digest TEXT NOT NULL, -- of the file's bytes, once all of its rows are stored
    is_staged BOOLEAN NOT NULL, -- all rows of the file are good, and stored
    holds_rows BOOLEAN NOT NULL,
    total BIGINT NOT NULL, -- rows of the file
    written BIGINT NOT NULL, -- how many of them are imported
    position BIGINT NOT NULL, -- the line of the last of them
    new_members BIGINT NOT NULL,
    opening_balances BIGINT NOT NULL,
    ignored_columns TEXT NOT NULL, -- a JSON array of texts
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    finished_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX member_imports_newest ON member_imports (website_id, created_at, id);
CREATE INDEX member_imports_due ON member_imports (website_id, due_at, id) WHERE finished_at IS NULL;
CREATE INDEX member_imports_due_first ON member_imports (due_at) WHERE finished_at IS NULL;
CREATE INDEX member_imports_over ON member_imports (finished_at) WHERE holds_rows;

-- The rows of the files, until their imports have ended. An empty text keeps what is stored of the member.
CREATE TABLE member_import_rows (
    import_id UUID NOT NULL,
    line BIGINT NOT NULL,
    wallet_address TEXT NOT NULL,
    external_identifier TEXT NOT NULL,
    display_name TEXT NOT NULL,
    email_address TEXT NOT NULL,
    phone_number TEXT NOT NULL,
    joined_at BIGINT,
    balance BIGINT NOT NULL,
    PRIMARY KEY (import_id, line)
);
CREATE UNIQUE INDEX member_import_rows_wallet ON member_import_rows (import_id, wallet_address);

-- +goose Down
DROP TABLE member_import_rows;
DROP TABLE member_imports;
DELETE FROM daily_figures WHERE name = 'opening';
