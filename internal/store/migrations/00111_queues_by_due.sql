-- +goose Up
-- A node that has nothing to do looks once a second for what is due in each queue: that reads one entry.
CREATE INDEX payouts_first ON payouts (due_at) WHERE status IN ('waiting', 'sent');
CREATE INDEX outside_posts_first ON outside_posts (due_at) WHERE finished_at IS NULL;
CREATE INDEX list_imports_first ON list_imports (due_at) WHERE finished_at IS NULL;
CREATE INDEX token_claim_imports_first ON token_claim_imports (due_at) WHERE finished_at IS NULL;

-- +goose Down
DROP INDEX token_claim_imports_first;
DROP INDEX list_imports_first;
DROP INDEX outside_posts_first;
DROP INDEX payouts_first;
