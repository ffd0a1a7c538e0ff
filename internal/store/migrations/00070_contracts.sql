-- +goose Up
-- Contracts of blockchains that websites have registered (contract 3.23). A live one is unique by website, chain and
-- address; one whose chain is not told counts as of chain -1.
CREATE TABLE contracts (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    name TEXT,
    address TEXT NOT NULL,
    chain_id BIGINT,
    type TEXT NOT NULL,
    abi TEXT, -- as it was sent
    icon_url TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    UNIQUE (website_id, id)
);
CREATE UNIQUE INDEX contracts_address ON contracts (website_id, address, COALESCE(chain_id, -1)) WHERE deleted_at IS NULL;
CREATE INDEX contracts_newest ON contracts (website_id, created_at, id);

-- +goose Down
DROP TABLE contracts;
