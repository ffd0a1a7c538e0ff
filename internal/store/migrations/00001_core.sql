-- +goose Up
-- One schema for both engines. Times are microseconds since 1970 (UTC), amounts millionths, JSON is TEXT, absent ids are NULL.

-- store ---------------------------------------------------------------------------------------------------------------
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE request_keys (
    api_key_id UUID NOT NULL,
    idempotency_key TEXT NOT NULL,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    status BIGINT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (api_key_id, idempotency_key)
);
CREATE INDEX request_keys_age ON request_keys (created_at);

-- tenancy -------------------------------------------------------------------------------------------------------------
CREATE TABLE organizations (
    id UUID PRIMARY KEY,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT
);

CREATE TABLE websites (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL,
    home_url TEXT,
    chat_server_url TEXT,
    messenger_url TEXT,
    microblog_username TEXT,
    photo_platform_username TEXT,
    trust_client_users BOOLEAN NOT NULL,
    terms_signed_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (organization_id, id)
);

-- identity: users -----------------------------------------------------------------------------------------------------
CREATE TABLE users (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL REFERENCES organizations (id),
    wallet_address TEXT,
    wallet_type TEXT,
    is_platform_super_admin BOOLEAN NOT NULL,
    temporary_loyalty_user BOOLEAN NOT NULL,
    is_service BOOLEAN NOT NULL,
    notifications BOOLEAN,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (organization_id, id),
    UNIQUE (organization_id, wallet_address)
);
CREATE INDEX users_newest ON users (organization_id, created_at, id);

-- tenancy: API keys and roles -----------------------------------------------------------------------------------------
CREATE TABLE api_keys (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL REFERENCES organizations (id),
    website_id UUID,
    role_type TEXT NOT NULL,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    allowed_origins TEXT NOT NULL,
    user_id UUID NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    revoked_at BIGINT,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)
);
CREATE INDEX api_keys_newest ON api_keys (organization_id, created_at, id);

CREATE TABLE website_user_roles (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    role_type TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id)
);
CREATE UNIQUE INDEX website_user_roles_live ON website_user_roles (website_id, user_id, role_type) WHERE deleted_at IS NULL;

-- identity: members of a website -------------------------------------------------------------------------------------
-- identity: groups, members, metadata ---------------------------------------------------------------------------------
CREATE TABLE user_groups (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    external_identifier TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (website_id, id),
    UNIQUE (website_id, external_identifier),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

CREATE TABLE members (
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    first_seen_at BIGINT NOT NULL,
    user_group_id UUID,
    joined_group_at BIGINT,
    is_blocked BOOLEAN NOT NULL,
    is_block_exempt BOOLEAN NOT NULL,
    tokens_valid_from BIGINT NOT NULL,
    PRIMARY KEY (website_id, user_id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (organization_id, user_id) REFERENCES users (organization_id, id),
    FOREIGN KEY (website_id, user_group_id) REFERENCES user_groups (website_id, id)
);
CREATE INDEX members_of_user ON members (user_id);
CREATE INDEX members_of_group ON members (user_group_id) WHERE user_group_id IS NOT NULL;

CREATE TABLE user_metadata (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    record TEXT NOT NULL,
    wallet_group_identifier TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (website_id, user_id),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)
);
CREATE INDEX user_metadata_of_user ON user_metadata (user_id);
CREATE INDEX user_metadata_wallet_group ON user_metadata (website_id, wallet_group_identifier) WHERE wallet_group_identifier IS NOT NULL;

-- The fields of user_metadata.record that lists filter by, compared lower-case.
CREATE TABLE user_identifiers (
    website_id UUID NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    user_id UUID NOT NULL,
    PRIMARY KEY (website_id, field, value, user_id),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)
);
CREATE INDEX user_identifiers_of_user ON user_identifiers (website_id, user_id);

CREATE TABLE member_secrets (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    secret TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    retired_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX member_secrets_of_website ON member_secrets (website_id, created_at);

-- ledger ---------------------------------------------------------------------------------------------------------------
CREATE TABLE loyalty_currencies (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    name TEXT NOT NULL,
    symbol TEXT NOT NULL,
    decimals BIGINT NOT NULL,
    image_url TEXT,
    sort_id BIGINT,
    api_auth_type TEXT,
    api_auth_key TEXT,
    api_auth_value TEXT,
    api_get_url TEXT,
    api_post_url TEXT,
    api_get_transaction_entry_url TEXT,
    is_token_reward_currency BOOLEAN NOT NULL,
    created_by_id UUID,
    main_account_id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    UNIQUE (website_id, id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

CREATE TABLE loyalty_accounts (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_currency_id UUID NOT NULL,
    user_id UUID,
    amount BIGINT NOT NULL,
    lock_version BIGINT NOT NULL,
    ranked BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (loyalty_currency_id, user_id),
    UNIQUE (website_id, id),
    CHECK (user_id IS NULL OR amount >= 0),
    FOREIGN KEY (website_id, loyalty_currency_id) REFERENCES loyalty_currencies (website_id, id),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)
);
CREATE UNIQUE INDEX loyalty_accounts_main ON loyalty_accounts (loyalty_currency_id) WHERE user_id IS NULL;
CREATE INDEX loyalty_accounts_rank ON loyalty_accounts (loyalty_currency_id, amount) WHERE ranked;
CREATE INDEX loyalty_accounts_list ON loyalty_accounts (website_id, amount, id) WHERE user_id IS NOT NULL;
CREATE INDEX loyalty_accounts_of_user ON loyalty_accounts (user_id);

-- What main accounts gave since the last roll-up: one row per committed batch and currency, so that grants never meet on one row.
CREATE TABLE main_account_deltas (
    id UUID PRIMARY KEY,
    loyalty_account_id UUID NOT NULL,
    amount BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX main_account_deltas_of_account ON main_account_deltas (loyalty_account_id);

-- The amount that at least 5000 ranked accounts of the currency have; NULL when that is not certain.
CREATE TABLE rank_cutoffs (
    loyalty_currency_id UUID PRIMARY KEY REFERENCES loyalty_currencies (id),
    amount BIGINT
);

CREATE TABLE loyalty_transactions (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    type TEXT NOT NULL,
    description TEXT NOT NULL,
    loyalty_rule_id UUID,
    created_by_id UUID,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

-- Rows are never changed or removed. user_id, rule and type stand here too, so that every filter of the list has its index.
CREATE TABLE loyalty_transaction_entries (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_transaction_id UUID NOT NULL REFERENCES loyalty_transactions (id),
    loyalty_account_id UUID NOT NULL,
    loyalty_currency_id UUID NOT NULL,
    user_id UUID,
    direction TEXT NOT NULL,
    type TEXT NOT NULL,
    loyalty_rule_id UUID,
    loyalty_rule_type TEXT,
    amount BIGINT NOT NULL CHECK (amount >= 0),
    start_amount BIGINT,
    end_amount BIGINT,
    lock_version BIGINT,
    idempotency_key TEXT,
    metadata TEXT,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_account_id) REFERENCES loyalty_accounts (website_id, id)
);
CREATE INDEX entries_of_website ON loyalty_transaction_entries (website_id, created_at, id) WHERE user_id IS NOT NULL;
CREATE INDEX entries_of_account ON loyalty_transaction_entries (loyalty_account_id, created_at, id);
CREATE INDEX entries_of_rule ON loyalty_transaction_entries (loyalty_rule_id, website_id, created_at, id) WHERE loyalty_rule_id IS NOT NULL AND user_id IS NOT NULL;
CREATE INDEX entries_of_type ON loyalty_transaction_entries (website_id, type, created_at, id) WHERE type <> 'loyalty_rule' AND user_id IS NOT NULL;
CREATE INDEX entries_of_rule_type ON loyalty_transaction_entries (website_id, loyalty_rule_type, created_at, id) WHERE loyalty_rule_type IS NOT NULL AND user_id IS NOT NULL;
CREATE INDEX entries_of_currency ON loyalty_transaction_entries (website_id, loyalty_currency_id, created_at, id) WHERE user_id IS NOT NULL;
CREATE INDEX entries_of_transaction ON loyalty_transaction_entries (loyalty_transaction_id);
CREATE INDEX entries_of_key ON loyalty_transaction_entries (website_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- Business idempotency keys of entries and completions, unique per website for ever.
CREATE TABLE ledger_keys (
    website_id UUID NOT NULL,
    idempotency_key TEXT NOT NULL,
    organization_id UUID NOT NULL,
    hash TEXT NOT NULL,
    loyalty_transaction_id UUID,
    answer TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (website_id, idempotency_key),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

-- rules ----------------------------------------------------------------------------------------------------------------
CREATE TABLE loyalty_rule_groups (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    name TEXT NOT NULL,
    sub_title TEXT,
    is_collapsible BOOLEAN NOT NULL,
    is_required BOOLEAN NOT NULL,
    sort_id BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    UNIQUE (website_id, id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

-- record holds every property of the rule; the other columns repeat what queries compare.
CREATE TABLE loyalty_rules (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    type TEXT NOT NULL,
    start_time BIGINT,
    end_time BIGINT,
    loyalty_currency_id UUID,
    loyalty_rule_group_id UUID,
    hide_in_ui BOOLEAN NOT NULL,
    show_before_start BOOLEAN NOT NULL,
    is_required BOOLEAN NOT NULL,
    is_special BOOLEAN NOT NULL,
    collection_address TEXT,
    metadata TEXT NOT NULL,
    record TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    UNIQUE (website_id, id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (website_id, loyalty_currency_id) REFERENCES loyalty_currencies (website_id, id),
    FOREIGN KEY (website_id, loyalty_rule_group_id) REFERENCES loyalty_rule_groups (website_id, id)
);
CREATE INDEX loyalty_rules_newest ON loyalty_rules (website_id, created_at, id);
CREATE INDEX loyalty_rules_of_group ON loyalty_rules (loyalty_rule_group_id) WHERE loyalty_rule_group_id IS NOT NULL;

-- What a rule remembers of a user or of a group of users: the row that every payment of the two locks.
CREATE TABLE rule_subjects (
    loyalty_rule_id UUID NOT NULL,
    subject_id UUID NOT NULL,
    id UUID NOT NULL UNIQUE,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    progress BIGINT,
    last_paid_at BIGINT,
    completed_at BIGINT,
    cap_window TEXT,
    cap_paid BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (loyalty_rule_id, subject_id),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX rule_subjects_of_subject ON rule_subjects (subject_id);

-- Windows that are paid: unique per rule, subject and window key (contract 5.3).
CREATE TABLE rule_claims (
    loyalty_rule_id UUID NOT NULL,
    subject_id UUID NOT NULL,
    window_key TEXT NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    loyalty_transaction_id UUID,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (loyalty_rule_id, subject_id, window_key),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX rule_claims_of_subject ON rule_claims (subject_id);

-- events ---------------------------------------------------------------------------------------------------------------
CREATE TABLE feed_consumers (
    name TEXT PRIMARY KEY,
    position BIGINT NOT NULL,
    lease_owner UUID,
    lease_until BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- rate limits that hold across nodes -----------------------------------------------------------------------------------
CREATE TABLE rate_counters (
    name TEXT NOT NULL,
    window_start BIGINT NOT NULL,
    used BIGINT NOT NULL,
    PRIMARY KEY (name, window_start)
);
CREATE INDEX rate_counters_age ON rate_counters (window_start);

-- +goose Down
SELECT 1;
