-- +goose Up
-- Up to when the run looked that found a member eligible who claims by call; NULL: none has since the rule was paid last, or progress says less.
-- Of rules that are claimed progress comes from runs and callers; when is not known of what stands there already.
ALTER TABLE rule_subjects ADD COLUMN found_at BIGINT;
UPDATE rule_subjects SET found_at = updated_at WHERE progress IS NOT NULL AND loyalty_rule_id IN
    (SELECT id FROM loyalty_rules WHERE record LIKE '%"claimType":"manual"%');

-- +goose Down
ALTER TABLE rule_subjects DROP COLUMN found_at;
