-- +goose Up
-- Up to when the run looked that found a member eligible who claims by call; NULL: none has since the rule was paid last, or progress says less.
-- Of rules that are claimed progress comes from runs and callers; when is not known of what stands there already. What a payment wrote last is no find.
ALTER TABLE rule_subjects ADD COLUMN found_at BIGINT;
UPDATE rule_subjects SET found_at = updated_at WHERE progress IS NOT NULL AND (last_paid_at IS NULL OR last_paid_at < updated_at) AND loyalty_rule_id IN
    (SELECT id FROM loyalty_rules WHERE record LIKE '%"claimType":"manual"%' AND (record LIKE '%"frequency":"once"%' OR record LIKE '%"frequency":"hourly"%'
        OR record LIKE '%"frequency":"daily"%' OR record LIKE '%"frequency":"weekly"%' OR record LIKE '%"frequency":"monthly"%'));

-- +goose Down
ALTER TABLE rule_subjects DROP COLUMN found_at;
