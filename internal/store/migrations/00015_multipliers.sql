-- +goose Up
-- Multipliers of members. An externalIdentifier names one live multiplier of its website; a member has at most one live multiplier of a rule.
CREATE TABLE loyalty_multipliers (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    multiplier BIGINT NOT NULL,
    title TEXT,
    description TEXT,
    external_identifier TEXT,
    loyalty_currency_ids TEXT NOT NULL,
    loyalty_rule_id UUID,
    loyalty_badge_id UUID,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE UNIQUE INDEX loyalty_multipliers_external ON loyalty_multipliers (website_id, external_identifier) WHERE deleted_at IS NULL AND external_identifier IS NOT NULL;
CREATE UNIQUE INDEX loyalty_multipliers_of_rule ON loyalty_multipliers (loyalty_rule_id, user_id) WHERE deleted_at IS NULL AND loyalty_rule_id IS NOT NULL;
CREATE INDEX loyalty_multipliers_newest ON loyalty_multipliers (website_id, created_at, id);
CREATE INDEX loyalty_multipliers_of_user ON loyalty_multipliers (user_id, website_id);

-- The live multipliers of a member in one row: what payments read and lock. Every change of a multiplier changes it too.
CREATE TABLE multiplier_heads (
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    held TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (website_id, user_id),
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)
);

-- Whether the member has had a multiplier: who never had one costs payments no look into multiplier_heads.
ALTER TABLE members ADD COLUMN has_multipliers BOOLEAN NOT NULL DEFAULT FALSE;

-- Rules whose many multipliers are still to be ended, since the rule was deleted.
CREATE TABLE multiplier_endings (
    loyalty_rule_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);

-- What must be done before a rule can be completed. conditions is an array of conditions with their ids.
CREATE TABLE rule_chains (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_rule_id UUID NOT NULL,
    name TEXT NOT NULL,
    operator_type TEXT NOT NULL,
    conditions TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    deleted_at BIGINT,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX rule_chains_newest ON rule_chains (website_id, created_at, id);
CREATE INDEX rule_chains_of_rule ON rule_chains (loyalty_rule_id) WHERE deleted_at IS NULL;

-- Whether the rule has chains: completions of others look for none.
ALTER TABLE loyalty_rules ADD COLUMN chained BOOLEAN NOT NULL DEFAULT FALSE;

-- How often a rule was completed, for conditions that ask for more than once.
ALTER TABLE rule_subjects ADD COLUMN completions BIGINT NOT NULL DEFAULT 0;
UPDATE rule_subjects SET completions = 1 WHERE completed_at IS NOT NULL;

-- +goose Down
SELECT 1;
