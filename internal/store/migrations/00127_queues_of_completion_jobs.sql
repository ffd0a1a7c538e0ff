-- +goose Up
-- provider: the kind of provider that the rule asks, which says the queue of the job; empty: none, and jobs that nodes
-- of the former version write during an upgrade.
-- fault: why the last attempt decided nothing, for admins; empty: no attempt has met a fault.
ALTER TABLE rule_jobs ADD COLUMN provider TEXT NOT NULL DEFAULT '';
ALTER TABLE rule_jobs ADD COLUMN fault TEXT NOT NULL DEFAULT '';
DROP INDEX rule_jobs_due;
CREATE INDEX rule_jobs_due ON rule_jobs (provider, due_at) WHERE status = 'pending';
DROP INDEX rule_jobs_of_website_due;
CREATE INDEX rule_jobs_of_website_due ON rule_jobs (provider, website_id, due_at) WHERE status = 'pending';

-- +goose Down
DROP INDEX rule_jobs_of_website_due;
CREATE INDEX rule_jobs_of_website_due ON rule_jobs (website_id, due_at) WHERE status = 'pending';
DROP INDEX rule_jobs_due;
CREATE INDEX rule_jobs_due ON rule_jobs (due_at) WHERE status = 'pending';
ALTER TABLE rule_jobs DROP COLUMN fault;
ALTER TABLE rule_jobs DROP COLUMN provider;
