-- +goose Up
-- Of which rule a post is, and quick answers to whether any is open of a rule or a currency.
ALTER TABLE outside_posts ADD COLUMN loyalty_rule_id UUID;
CREATE INDEX outside_posts_open_of_rule ON outside_posts (loyalty_rule_id) WHERE finished_at IS NULL;
CREATE INDEX outside_posts_open ON outside_posts (loyalty_currency_id, due_at) WHERE finished_at IS NULL;
DROP INDEX outside_posts_due;

-- Which currencies have points that wait.
CREATE INDEX account_lots_waiting_of_currency ON account_lots (loyalty_currency_id) WHERE state = 'pending';

-- +goose Down
DROP INDEX account_lots_waiting_of_currency;
CREATE INDEX outside_posts_due ON outside_posts (due_at) WHERE finished_at IS NULL;
DROP INDEX outside_posts_open;
DROP INDEX outside_posts_open_of_rule;
ALTER TABLE outside_posts DROP COLUMN loyalty_rule_id;
