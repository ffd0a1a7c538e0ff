-- +goose Up
-- Links that moved an account to another member: each is used once.
CREATE TABLE used_account_links (
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    id UUID NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (website_id, id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX used_account_links_by_end ON used_account_links (website_id, expires_at);

-- +goose Down
DROP TABLE used_account_links;
