-- +goose Up
-- What a rule has paid to a subject is counted in every kind of period, so that a change of the rule's interval or maximum opens nothing again.
-- counted_at is the moment up to which the counters are rolled; it never goes back, whatever the clock does.
ALTER TABLE rule_subjects ADD COLUMN window_paid_at BIGINT;
ALTER TABLE rule_subjects ADD COLUMN counted_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rule_subjects ADD COLUMN paid_day BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rule_subjects ADD COLUMN paid_week BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rule_subjects ADD COLUMN paid_month BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rule_subjects ADD COLUMN paid_ever BIGINT NOT NULL DEFAULT 0;
UPDATE rule_subjects SET window_paid_at = last_paid_at, counted_at = COALESCE(last_paid_at, 0), paid_day = cap_paid, paid_week = cap_paid,
    paid_month = cap_paid, paid_ever = cap_paid;
ALTER TABLE rule_subjects DROP COLUMN cap_window;
ALTER TABLE rule_subjects DROP COLUMN cap_paid;

-- +goose Down
SELECT 1;
