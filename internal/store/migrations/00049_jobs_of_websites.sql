-- +goose Up
-- Runs and imports of all rules of a website are listed, newest first.
CREATE INDEX rule_runs_newest ON rule_runs (website_id, scheduled_at, id);
CREATE INDEX list_imports_newest ON list_imports (website_id, created_at, id);

-- +goose Down
DROP INDEX list_imports_newest;
DROP INDEX rule_runs_newest;
