-- +goose Up
-- Nonces of signed messages, as hashes: each counts once (contract 8.5). Rows are removed once no message with the nonce
-- can be valid any more.
CREATE TABLE wallet_nonces (
    website_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    nonce_hash TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (website_id, nonce_hash),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX wallet_nonces_expired ON wallet_nonces (expires_at);

-- Cold wallets that have delegated to a user of a website: each to one.
CREATE TABLE wallet_delegations (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    delegator_wallet_address TEXT NOT NULL,
    user_id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (website_id, delegator_wallet_address),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)
);
CREATE INDEX wallet_delegations_of_user ON wallet_delegations (website_id, user_id, created_at, id);
CREATE INDEX wallet_delegations_newest ON wallet_delegations (website_id, created_at, id);

-- Devices and addresses from which members were seen.
CREATE TABLE user_devices (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    ip_address TEXT NOT NULL,
    device_identifier TEXT,
    source TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)
);
CREATE UNIQUE INDEX user_devices_equal ON user_devices (website_id, user_id, ip_address, COALESCE(device_identifier, ''));
CREATE INDEX user_devices_of_user ON user_devices (website_id, user_id, created_at, id);
CREATE INDEX user_devices_newest ON user_devices (website_id, created_at, id);

-- +goose Down
DROP TABLE user_devices;
DROP TABLE wallet_delegations;
DROP TABLE wallet_nonces;
