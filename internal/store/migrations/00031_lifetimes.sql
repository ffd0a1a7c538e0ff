-- +goose Up
-- Rules that take back what they gave when what they ask for no longer holds. due_at is when the check may be begun, or carried on while it is under way;
-- NULL: it follows the rule's next run. last_user_id is the last member that was looked at, and moves with what is taken back. revision is raised by every
-- saving of the rule, so that nobody is judged by what the rule asked for before.
CREATE TABLE lifetime_checks (
    loyalty_rule_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    revision BIGINT NOT NULL,
    daily BOOLEAN NOT NULL,
    due_at BIGINT,
    began_at BIGINT,
    last_user_id UUID,
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX lifetime_checks_due ON lifetime_checks (due_at) WHERE due_at IS NOT NULL;

-- +goose Down
DROP TABLE lifetime_checks;
