-- +goose Up
-- Links that prove e-mail addresses. A link works once; its token is not here.
CREATE TABLE email_links (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    email_address TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    redirect TEXT NOT NULL, -- where the browser goes in the end; empty: a page of the service
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT,
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX email_links_old ON email_links (expires_at);
CREATE INDEX email_links_of_user ON email_links (website_id, user_id);

-- +goose Down
DROP TABLE email_links;
