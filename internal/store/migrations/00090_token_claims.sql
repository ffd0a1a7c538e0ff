-- +goose Up
-- Token claims (contract 3.28): which wallets may claim how much of a token. Times are microseconds, amounts of stakes
-- millionths. Amounts of the token are whole numbers of its smallest unit in text: they exceed every number of SQL.
CREATE TABLE token_claims (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    contract_id UUID NOT NULL,
    name TEXT NOT NULL,
    erc20_decimals BIGINT NOT NULL,
    csv_url TEXT,
    claim_contract_address TEXT,
    staking_contract_address TEXT,
    relayer_id UUID,
    start_time BIGINT,
    end_time BIGINT,
    geo_block TEXT NOT NULL, -- a JSON array
    is_draft BOOLEAN NOT NULL,
    claim_and_stake BOOLEAN NOT NULL,
    is_staking_optional BOOLEAN NOT NULL,
    min_percentage_to_stake BIGINT NOT NULL,
    min_lockup BIGINT NOT NULL,
    min_lockup_for_multiplier BIGINT NOT NULL,
    max_bonus BIGINT NOT NULL,
    multiplier BIGINT NOT NULL,
    staking_contract_type TEXT,
    data_job_id UUID, -- the latest reading of the list
    current_import_id UUID, -- the reading that counts
    merkle_root TEXT,
    allocated_wallets BIGINT NOT NULL,
    allocated_units TEXT NOT NULL,
    claimed_wallets BIGINT NOT NULL, -- above 0: the list is frozen
    claimed_units TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (website_id, contract_id) REFERENCES contracts (website_id, id),
    UNIQUE (website_id, id)
);
CREATE INDEX token_claims_newest ON token_claims (website_id, created_at, id);
CREATE INDEX token_claims_of_contract ON token_claims (contract_id) WHERE deleted_at IS NULL;

-- Readings of allocation lists: items of a queue.
CREATE TABLE token_claim_imports (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    token_claim_id UUID NOT NULL,
    url TEXT NOT NULL,
    decimals BIGINT NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    digest TEXT NOT NULL, -- of the file's bytes, once something of it is written
    position BIGINT NOT NULL, -- how many wallets and then blocks of the tree are written
    holds_rows BOOLEAN NOT NULL,
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    finished_at BIGINT,
    FOREIGN KEY (website_id, token_claim_id) REFERENCES token_claims (website_id, id)
);
CREATE UNIQUE INDEX token_claim_imports_open ON token_claim_imports (token_claim_id) WHERE finished_at IS NULL;
CREATE INDEX token_claim_imports_due ON token_claim_imports (website_id, due_at, id) WHERE finished_at IS NULL;
CREATE INDEX token_claim_imports_over ON token_claim_imports (finished_at) WHERE finished_at IS NOT NULL;

-- What a reading allocates to each wallet.
CREATE TABLE token_claim_allocations (
    import_id UUID NOT NULL,
    wallet_address TEXT NOT NULL,
    units TEXT NOT NULL,
    node BIGINT NOT NULL, -- the wallet's leaf in the tree
    place BIGINT NOT NULL, -- by amount, 0 is the greatest
    tx_hash TEXT,
    claimed_at BIGINT,
    PRIMARY KEY (import_id, wallet_address)
);
CREATE INDEX token_claim_allocations_by_amount ON token_claim_allocations (import_id, place, claimed_at);
CREATE INDEX token_claim_allocations_claimed ON token_claim_allocations (import_id, claimed_at, place)
    WHERE claimed_at IS NOT NULL;

-- The tree of a reading, in blocks of seven levels.
CREATE TABLE token_claim_blocks (
    import_id UUID NOT NULL,
    head BIGINT NOT NULL,
    nodes BYTEA NOT NULL,
    PRIMARY KEY (import_id, head)
);

-- +goose Down
DROP TABLE token_claim_blocks;
DROP TABLE token_claim_allocations;
DROP TABLE token_claim_imports;
DROP TABLE token_claims;
