-- +goose Up
-- How often somebody outside answered about others than the member that a run has come to, and how many members the run went on without: it has not looked at
-- everybody then.
ALTER TABLE rule_runs ADD COLUMN silences BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rule_runs ADD COLUMN left_out BIGINT NOT NULL DEFAULT 0;

-- +goose Down
SELECT 1;
