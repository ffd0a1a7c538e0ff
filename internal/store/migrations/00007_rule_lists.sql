-- +goose Up
-- Statuses are listed newest first, of a website or of a rule.
CREATE INDEX rule_subjects_newest ON rule_subjects (website_id, created_at, id);
-- It begins with the organization so that no plan takes it for the key of a rule and a subject while nothing is known of the table.
CREATE INDEX rule_subjects_of_rule ON rule_subjects (organization_id, loyalty_rule_id, created_at, id);

-- What waits and what ended lately is found without the jobs of former times. Its order is made when it is read: it is little.
CREATE INDEX rule_jobs_visible ON rule_jobs (website_id, status, updated_at);
DROP INDEX rule_jobs_of_website;

-- Groups by their place, and each with its rules, oldest first.
CREATE INDEX loyalty_rule_groups_order ON loyalty_rule_groups (website_id, sort_id, created_at, id);
DROP INDEX loyalty_rules_of_group;
CREATE INDEX loyalty_rules_of_group ON loyalty_rules (loyalty_rule_group_id, created_at, id) WHERE loyalty_rule_group_id IS NOT NULL;

-- +goose Down
SELECT 1;
