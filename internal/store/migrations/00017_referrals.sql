-- +goose Up
-- The codes by which members bring others. code_key is the code in capitals: a code is the same in any case.
CREATE TABLE referral_codes (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_rule_id UUID NOT NULL,
    user_id UUID NOT NULL,
    code TEXT NOT NULL,
    code_key TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (website_id, id),
    UNIQUE (website_id, code_key),
    UNIQUE (loyalty_rule_id, user_id),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)
);

-- Who brought whom. eligible_at: the requirements of the rule first all held. settled_at: welcome and lump sum are paid, or never will be.
-- look_at: when somebody looks whether they can be; NULL: when something changes that they depend on.
CREATE TABLE referrals (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_rule_id UUID NOT NULL,
    referral_code_id UUID NOT NULL,
    referrer_id UUID NOT NULL,
    referee_id UUID NOT NULL,
    eligible_at BIGINT,
    settled_at BIGINT,
    look_at BIGINT,
    lump_amount BIGINT NOT NULL,
    tier1_amount BIGINT NOT NULL,
    tier2_amount BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (loyalty_rule_id, referee_id),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id),
    FOREIGN KEY (website_id, referral_code_id) REFERENCES referral_codes (website_id, id),
    FOREIGN KEY (website_id, referrer_id) REFERENCES members (website_id, user_id),
    FOREIGN KEY (website_id, referee_id) REFERENCES members (website_id, user_id)
);
CREATE INDEX referrals_newest ON referrals (website_id, created_at, id);
CREATE INDEX referrals_of_referrer ON referrals (referrer_id, created_at, id);
CREATE INDEX referrals_of_referee ON referrals (referee_id, website_id);
CREATE INDEX referrals_due ON referrals (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX referrals_open ON referrals (website_id, referee_id) WHERE settled_at IS NULL;
CREATE INDEX referrals_open_of_rule ON referrals (loyalty_rule_id, id) WHERE settled_at IS NULL;

-- Rules that changed and whose open referrals are looked at again, from after_id on.
CREATE TABLE referral_sweeps (
    loyalty_rule_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    after_id UUID,
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);

-- +goose Down
DROP TABLE referral_sweeps;
DROP TABLE referrals;
DROP TABLE referral_codes;
