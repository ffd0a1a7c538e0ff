-- +goose Up
-- The queues of these tables serve the owners of their items side by side: the look for the next owner reads one entry.
CREATE INDEX rule_jobs_of_website_due ON rule_jobs (website_id, due_at) WHERE status = 'pending';
CREATE INDEX referrals_of_website_due ON referrals (website_id, look_at) WHERE look_at IS NOT NULL;
CREATE INDEX lifetime_checks_of_website_due ON lifetime_checks (website_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX loyalty_holds_of_website_due ON loyalty_holds (website_id, due_at) WHERE status = 'held';
CREATE INDEX auctions_of_website_due ON auctions (website_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX rule_runs_of_rule_due ON rule_runs (loyalty_rule_id, due_at) WHERE finished_at IS NULL;

-- +goose Down
DROP INDEX rule_runs_of_rule_due;
DROP INDEX auctions_of_website_due;
DROP INDEX loyalty_holds_of_website_due;
DROP INDEX lifetime_checks_of_website_due;
DROP INDEX referrals_of_website_due;
DROP INDEX rule_jobs_of_website_due;
