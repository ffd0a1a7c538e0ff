-- +goose Up
-- Signed answers of providers that name no state, as hashes: each connects an account once. Rows are removed once the
-- answer is too old anyway.
CREATE TABLE connect_answers (
    hash TEXT PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    expires_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX connect_answers_expired ON connect_answers (expires_at);

-- +goose Down
DROP TABLE connect_answers;
