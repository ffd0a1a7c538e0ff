-- +goose Up
-- Minting contracts (contract 3.24): items that are sold together. next_asset_nr numbers their assets.
CREATE TABLE minting_contracts (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    name TEXT NOT NULL,
    contract_kind TEXT NOT NULL,
    address TEXT,
    network TEXT,
    symbol TEXT NOT NULL,
    description TEXT,
    image_url TEXT,
    external_link_url TEXT,
    pre_reveal_media TEXT,
    token_type TEXT NOT NULL,
    per_user_mint_limit BIGINT NOT NULL,
    is_per_asset_mint_limit BOOLEAN NOT NULL,
    must_own_collections TEXT NOT NULL,
    require_holding_all BOOLEAN NOT NULL,
    badge_ids TEXT NOT NULL,
    is_free_for_badge_holders BOOLEAN NOT NULL,
    is_free_for_token_holders BOOLEAN NOT NULL,
    is_listed BOOLEAN NOT NULL,
    show_on_marketplace BOOLEAN NOT NULL,
    hide_inactive_listings BOOLEAN NOT NULL,
    enable_gasless BOOLEAN NOT NULL,
    is_soulbound BOOLEAN NOT NULL,
    has_reveal_mechanic BOOLEAN NOT NULL,
    should_collect_email BOOLEAN NOT NULL,
    reveal_available_at BIGINT,
    primary_sale_recipient_address TEXT NOT NULL,
    royalty_fee_address TEXT NOT NULL,
    royalty_fee BIGINT NOT NULL, -- millionths of a percent
    relayer_id UUID,
    sort_id BIGINT,
    website_collection_id UUID,
    next_asset_nr BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    UNIQUE (website_id, id)
);
CREATE INDEX minting_contracts_newest ON minting_contracts (website_id, created_at, id);
CREATE INDEX minting_contracts_of_organization ON minting_contracts (organization_id, created_at, id);

-- Their assets (contract 3.25). quantity_minted and quantity_reserved together never exceed quantity, unless that is unlimited.
-- Whoever changes them holds the row.
CREATE TABLE minting_assets (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    minting_contract_id UUID NOT NULL,
    asset_nr BIGINT NOT NULL,
    name TEXT NOT NULL,
    description TEXT,
    image_url TEXT,
    animation_url TEXT,
    metadata TEXT,
    price BIGINT NOT NULL,
    loyalty_currency_id UUID,
    currency_address TEXT,
    currency_decimals BIGINT,
    quantity BIGINT NOT NULL,
    unlimited_qty BOOLEAN NOT NULL,
    quantity_minted BIGINT NOT NULL CHECK (quantity_minted >= 0),
    quantity_reserved BIGINT NOT NULL CHECK (quantity_reserved >= 0),
    is_listed BOOLEAN NOT NULL,
    is_hidden BOOLEAN NOT NULL,
    is_phygital_item BOOLEAN NOT NULL,
    should_collect_user_info BOOLEAN NOT NULL,
    collect_info_type TEXT,
    listing_starts_at BIGINT,
    listing_ends_at BIGINT,
    is_allowlisted BOOLEAN NOT NULL,
    token_id BIGINT,
    revealed_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    CHECK (unlimited_qty OR quantity_minted + quantity_reserved <= quantity),
    FOREIGN KEY (website_id, minting_contract_id) REFERENCES minting_contracts (website_id, id),
    UNIQUE (website_id, id)
);
CREATE UNIQUE INDEX minting_assets_nr ON minting_assets (minting_contract_id, asset_nr);
CREATE INDEX minting_assets_of_contract ON minting_assets (minting_contract_id, created_at, id);
CREATE INDEX minting_assets_newest ON minting_assets (website_id, created_at, id);
CREATE INDEX minting_assets_of_organization ON minting_assets (organization_id, created_at, id);
CREATE INDEX minting_assets_by_price ON minting_assets (website_id, price, id);

-- Who may mint an asset that has an allowlist, and how often. What is reserved counts like what is minted until it returns.
CREATE TABLE minting_allowlist (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    minting_asset_id UUID NOT NULL,
    wallet_address TEXT NOT NULL,
    total_quantity BIGINT NOT NULL,
    quantity_minted BIGINT NOT NULL,
    quantity_reserved BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, minting_asset_id) REFERENCES minting_assets (website_id, id)
);
CREATE UNIQUE INDEX minting_allowlist_once ON minting_allowlist (minting_asset_id, wallet_address);
CREATE INDEX minting_allowlist_newest ON minting_allowlist (minting_asset_id, created_at, id);

-- How many items of a contract, and of an asset, a user has minted or reserved: a row for each of the two. Limits go by it.
CREATE TABLE minting_counts (
    subject_id UUID NOT NULL,
    user_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    quantity BIGINT NOT NULL CHECK (quantity >= 0),
    PRIMARY KEY (subject_id, user_id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

-- Mints (contract 3.26), a row each, never removed. A mint has its items reserved until it is over. paid tells which accounts
-- paid how much, in order: what it returns where it fails. counted: it counts in minting_counts; allowlisted: and in
-- minting_allowlist. expires_at is when it fails by itself; NULL: never. auction_id: it was won, not bought.
CREATE TABLE minting_mints (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    minting_contract_id UUID NOT NULL,
    minting_asset_id UUID NOT NULL,
    user_id UUID NOT NULL,
    wallet_address TEXT,
    quantity BIGINT NOT NULL CHECK (quantity > 0),
    status TEXT NOT NULL,
    price BIGINT,
    error_code BIGINT,
    error_message TEXT,
    relayer_tx_id TEXT,
    tx_hash TEXT,
    signature TEXT,
    custom_input_value TEXT,
    email_address TEXT,
    shipping_id UUID,
    shipping_order_type TEXT,
    agreed_to_send_w9 BOOLEAN NOT NULL,
    auction_id UUID,
    loyalty_currency_id UUID,
    paid TEXT NOT NULL,
    loyalty_transaction_id UUID,
    counted BOOLEAN NOT NULL,
    allowlisted BOOLEAN NOT NULL,
    attempts BIGINT NOT NULL,
    due_at BIGINT,
    expires_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, minting_asset_id) REFERENCES minting_assets (website_id, id)
);
CREATE INDEX minting_mints_newest ON minting_mints (website_id, created_at, id);
CREATE INDEX minting_mints_of_user ON minting_mints (user_id, created_at, id);
CREATE INDEX minting_mints_of_wallet ON minting_mints (wallet_address, website_id, minting_asset_id);
CREATE INDEX minting_mints_due ON minting_mints (due_at, id) WHERE status IN ('generatingSignature', 'minting');
CREATE INDEX minting_mints_of_website ON minting_mints (website_id, due_at, id) WHERE status IN ('generatingSignature', 'minting');
CREATE INDEX minting_mints_of_currency ON minting_mints (loyalty_currency_id) WHERE status IN ('generatingSignature', 'minting');

-- +goose Down
DROP TABLE minting_mints;
DROP TABLE minting_counts;
DROP TABLE minting_allowlist;
DROP TABLE minting_assets;
DROP TABLE minting_contracts;
