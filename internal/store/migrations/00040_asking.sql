-- +goose Up
-- Which runs ask somebody outside, as whoever worked on them last found: they have workers of their own. And how often, and since when, there was no answer
-- about the only member that there is to ask about; NULL: there was one since, or no such silence yet. The rule's next run goes on with the latter.
ALTER TABLE rule_runs ADD COLUMN asks BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE rule_runs ADD COLUMN unheard BIGINT NOT NULL DEFAULT 0;
ALTER TABLE rule_runs ADD COLUMN unheard_since BIGINT;
CREATE INDEX rule_runs_asking ON rule_runs (website_id, due_at) WHERE finished_at IS NULL AND asks;

-- +goose Down
DROP INDEX rule_runs_asking;
ALTER TABLE rule_runs DROP COLUMN unheard_since;
ALTER TABLE rule_runs DROP COLUMN unheard;
ALTER TABLE rule_runs DROP COLUMN asks;
