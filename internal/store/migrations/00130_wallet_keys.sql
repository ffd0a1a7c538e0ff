-- +goose Up
-- Keys of proven wallets whose address has several spellings, each with the user to whom it belongs (decision 102).
CREATE TABLE wallet_keys (
    organization_id UUID NOT NULL,
    address_key TEXT NOT NULL, -- what all spellings of the address have in common
    user_id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (organization_id, address_key),
    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)
);

-- What all spellings of the cold wallet's address have in common; the address itself if it has only one. Rows of earlier
-- versions have the address.
ALTER TABLE wallet_delegations ADD COLUMN delegator_key TEXT NOT NULL DEFAULT '';
UPDATE wallet_delegations SET delegator_key = delegator_wallet_address;
CREATE UNIQUE INDEX wallet_delegations_keys ON wallet_delegations (website_id, delegator_key);

-- +goose Down
DROP INDEX wallet_delegations_keys;
ALTER TABLE wallet_delegations DROP COLUMN delegator_key;
DROP TABLE wallet_keys;
