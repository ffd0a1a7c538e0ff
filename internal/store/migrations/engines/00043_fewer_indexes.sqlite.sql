-- Has a completion write into fewer indexes, as 00021 did on PostgreSQL: what a subject's rules are is found by the key itself, and its claims by its rules.
-- SQLite cannot change a key: the rows move to a table with the other one.
CREATE TABLE subjects_by_subject (
    loyalty_rule_id UUID NOT NULL,
    subject_id UUID NOT NULL,
    id UUID NOT NULL UNIQUE,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    progress BIGINT,
    last_paid_at BIGINT,
    completed_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    user_id UUID,
    window_paid_at BIGINT,
    counted_at BIGINT NOT NULL DEFAULT 0,
    paid_day BIGINT NOT NULL DEFAULT 0,
    paid_week BIGINT NOT NULL DEFAULT 0,
    paid_month BIGINT NOT NULL DEFAULT 0,
    paid_ever BIGINT NOT NULL DEFAULT 0,
    completions BIGINT NOT NULL DEFAULT 0,
    found_at BIGINT,
    PRIMARY KEY (subject_id, loyalty_rule_id),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);
INSERT INTO subjects_by_subject (loyalty_rule_id, subject_id, id, organization_id, website_id, progress, last_paid_at, completed_at, created_at, updated_at,
	user_id, window_paid_at, counted_at, paid_day, paid_week, paid_month, paid_ever, completions, found_at)
SELECT loyalty_rule_id, subject_id, id, organization_id, website_id, progress, last_paid_at, completed_at, created_at, updated_at,
	user_id, window_paid_at, counted_at, paid_day, paid_week, paid_month, paid_ever, completions, found_at FROM rule_subjects;
DROP TABLE rule_subjects;
ALTER TABLE subjects_by_subject RENAME TO rule_subjects;
CREATE INDEX rule_subjects_newest ON rule_subjects (website_id, created_at, id);
CREATE INDEX rule_subjects_of_rule ON rule_subjects (organization_id, loyalty_rule_id, created_at, id);
DROP INDEX rule_claims_of_subject
