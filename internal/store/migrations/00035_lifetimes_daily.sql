-- +goose Up
-- Every dynamic rule is checked daily, whatever becomes of its runs. Those that waited for one are checked at once.
UPDATE lifetime_checks SET due_at = 0 WHERE due_at IS NULL;
ALTER TABLE lifetime_checks DROP COLUMN daily;

-- +goose Down
ALTER TABLE lifetime_checks ADD COLUMN daily BOOLEAN NOT NULL DEFAULT TRUE;
