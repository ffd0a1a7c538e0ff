-- +goose Up
-- Collections of tokens that websites show (contract 3.3). A live one is unique by website, network and address.
CREATE TABLE website_collections (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    collection_address TEXT NOT NULL,
    name TEXT NOT NULL,
    network TEXT NOT NULL,
    sort_id BIGINT NOT NULL,
    home_url TEXT,
    image_url TEXT,
    chat_server_url TEXT,
    messenger_url TEXT,
    microblog_username TEXT,
    photo_platform_username TEXT,
    staking_address TEXT,
    royalty_fee_address TEXT,
    royalty_fee BIGINT, -- millionths of a percent
    theme_id UUID,
    minting_contract_id UUID,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    UNIQUE (website_id, id)
);
CREATE UNIQUE INDEX website_collections_address ON website_collections (website_id, network, collection_address)
    WHERE deleted_at IS NULL;
CREATE INDEX website_collections_order ON website_collections (website_id, sort_id, created_at, id);

-- +goose Down
DROP TABLE website_collections;
