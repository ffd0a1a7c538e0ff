-- +goose Up
-- codes_due: codes of the rule are still to be made. Rules of before are looked at once.
ALTER TABLE loyalty_rules ADD COLUMN codes_due BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE loyalty_rules SET codes_due = TRUE WHERE type = 'code_entry';
CREATE INDEX loyalty_rules_codes_due ON loyalty_rules (id) WHERE codes_due AND deleted_at IS NULL;

-- What must be completed before other rules, so that a website's many other rules are not walked.
CREATE INDEX loyalty_rules_required ON loyalty_rules (website_id) WHERE is_required AND deleted_at IS NULL;
CREATE INDEX loyalty_rule_groups_required ON loyalty_rule_groups (website_id) WHERE is_required AND deleted_at IS NULL;

-- Jobs that are over, for their removal.
CREATE INDEX rule_jobs_over ON rule_jobs (updated_at) WHERE status <> 'pending';

-- +goose Down
SELECT 1;
