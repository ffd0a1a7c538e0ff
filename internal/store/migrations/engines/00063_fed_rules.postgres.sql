-- +goose Up
-- fed_by: the subscription whose events feed the rule (contract 6).
ALTER TABLE loyalty_rules ADD COLUMN fed_by UUID;
UPDATE loyalty_rules SET fed_by = (record::jsonb ->> 'subscriptionId')::uuid WHERE type = 'stratus_function';
CREATE INDEX loyalty_rules_fed_by ON loyalty_rules (website_id, fed_by) WHERE fed_by IS NOT NULL AND deleted_at IS NULL;

-- +goose Down
SELECT 1;
