-- +goose Up
-- Lists of metadata are newest first.
CREATE INDEX user_metadata_newest ON user_metadata (website_id, created_at, id);

-- Attributes that a website defines for its users, and their values (contract 3.7).
CREATE TABLE website_user_attributes (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    label TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    UNIQUE (website_id, id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE UNIQUE INDEX website_user_attributes_live ON website_user_attributes (website_id, label) WHERE deleted_at IS NULL;

CREATE TABLE website_user_attribute_values (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    website_user_attribute_id UUID NOT NULL,
    value TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (website_user_attribute_id, user_id),
    FOREIGN KEY (website_id, website_user_attribute_id) REFERENCES website_user_attributes (website_id, id),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)
);
CREATE INDEX website_user_attribute_values_of_user ON website_user_attribute_values (website_id, user_id, created_at, id);
CREATE INDEX website_user_attribute_values_newest ON website_user_attribute_values (website_id, created_at, id);

-- +goose Down
DROP TABLE website_user_attribute_values;
DROP TABLE website_user_attributes;
DROP INDEX user_metadata_newest;
