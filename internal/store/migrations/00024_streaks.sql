-- +goose Up
-- How many windows in a row a user or a group has checked in, by rule. expires_at: a check-in from then on begins anew; NULL: never.
CREATE TABLE loyalty_account_streaks (
    loyalty_rule_id UUID NOT NULL,
    subject_id UUID NOT NULL,
    id UUID NOT NULL UNIQUE,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    streak_count BIGINT NOT NULL,
    checked_at BIGINT NOT NULL,
    expires_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (loyalty_rule_id, subject_id),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX loyalty_account_streaks_of_subject ON loyalty_account_streaks (subject_id);
CREATE INDEX loyalty_account_streaks_newest ON loyalty_account_streaks (loyalty_rule_id, created_at, id);

-- checks_in: completions of other rules, or entries, check members in to the rule. Rules of before are looked at each by itself.
ALTER TABLE loyalty_rules ADD COLUMN checks_in BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE loyalty_rules SET checks_in = TRUE WHERE type = 'check_in';
CREATE INDEX loyalty_rules_checks_in ON loyalty_rules (website_id) WHERE checks_in AND deleted_at IS NULL;

-- +goose Down
SELECT 1;
