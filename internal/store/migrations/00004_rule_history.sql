-- +goose Up
-- What was done to each rule, newest last. Rows are never changed.
CREATE TABLE rule_edits (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_rule_id UUID NOT NULL,
    edited_by_user_id UUID NOT NULL,
    edited_at BIGINT NOT NULL,
    action TEXT NOT NULL,
    data TEXT NOT NULL,
    previous_data TEXT,
    comment TEXT,
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX rule_edits_of_rule ON rule_edits (loyalty_rule_id, edited_at, id);

-- Codes that are good for one redemption each.
CREATE TABLE rule_codes (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_rule_id UUID NOT NULL,
    code TEXT NOT NULL,
    redeemed_by_user_id UUID,
    redeemed_at BIGINT,
    created_at BIGINT NOT NULL,
    UNIQUE (loyalty_rule_id, code),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
CREATE INDEX rule_codes_newest ON rule_codes (loyalty_rule_id, created_at, id);

-- Completions that are decided later, such as a click that must age. One waits per rule and user.
CREATE TABLE rule_jobs (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_rule_id UUID NOT NULL,
    user_id UUID NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    input TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)
);
CREATE UNIQUE INDEX rule_jobs_waiting ON rule_jobs (loyalty_rule_id, user_id) WHERE status = 'pending';
CREATE INDEX rule_jobs_due ON rule_jobs (due_at) WHERE status = 'pending';
CREATE INDEX rule_jobs_of_user ON rule_jobs (user_id, updated_at);
CREATE INDEX rule_jobs_of_website ON rule_jobs (website_id, created_at, id);

-- Who acted last: the user that a status names when several share it as a group.
ALTER TABLE rule_subjects ADD COLUMN user_id UUID;

-- +goose Down
SELECT 1;
