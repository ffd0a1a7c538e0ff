-- +goose Up
-- The Verifications tab lists the jobs of a website, newest first (decision 118).
CREATE INDEX rule_jobs_newest ON rule_jobs (website_id, created_at, id);

-- +goose Down
DROP INDEX rule_jobs_newest;
