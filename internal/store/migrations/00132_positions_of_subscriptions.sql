-- +goose Up
-- A subscription has a position in the events of its website: all that it gets up to there are decided. What was simply
-- delivered or skipped is in blocks; everything else is a row of subscription_deliveries.
ALTER TABLE subscription_senders ADD COLUMN position BIGINT NOT NULL DEFAULT 0;
-- The newest event that the subscription may get: while its position is lower, it is behind.
ALTER TABLE subscription_senders ADD COLUMN woken_position BIGINT NOT NULL DEFAULT 0;
-- Events up to this position are skipped: those of a deleted subscription, or of one that was enabled without a replay.
ALTER TABLE subscription_senders ADD COLUMN skip_position BIGINT NOT NULL DEFAULT 0;
CREATE INDEX subscription_senders_behind ON subscription_senders (subscription_id)
    WHERE due_at IS NULL AND position < woken_position;

ALTER TABLE subscription_events ADD COLUMN currency_id UUID; -- of an entry or an account
CREATE INDEX subscription_events_of_table ON subscription_events (website_id, table_name, position);

-- The newest event of a website for many subscriptions, and the one up to which these were woken.
ALTER TABLE subscription_fanouts ADD COLUMN position BIGINT NOT NULL DEFAULT 0;
ALTER TABLE subscription_fanouts ADD COLUMN done_position BIGINT NOT NULL DEFAULT 0;
CREATE INDEX subscription_fanouts_behind ON subscription_fanouts (website_id)
    WHERE due_at IS NULL AND done_position < position;

CREATE INDEX subscription_deliveries_by_position ON subscription_deliveries (subscription_id, position, event_id);

-- Events that a subscription took at the first attempt, or that were skipped: those of one batch. The positions of a
-- subscription's blocks do not overlap.
CREATE TABLE subscription_blocks (
    subscription_id UUID NOT NULL,
    last_position BIGINT NOT NULL,
    first_position BIGINT NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    written_at BIGINT NOT NULL,
    last_call_at BIGINT, -- NULL: no callback was called
    delivered BIGINT NOT NULL, -- how many of the entries
    skipped BIGINT NOT NULL,
    entries TEXT NOT NULL, -- JSON
    PRIMARY KEY (subscription_id, last_position),
    FOREIGN KEY (website_id, subscription_id) REFERENCES subscriptions (website_id, id)
);
CREATE INDEX subscription_blocks_old ON subscription_blocks (written_at);

-- Every event so far has its deliveries, but for those that wait for their fan-out.
UPDATE subscription_senders SET position = COALESCE(
    (SELECT MIN(w.position) - 1 FROM subscription_waiting_events w WHERE w.website_id = subscription_senders.website_id),
    (SELECT c.position FROM feed_consumers c WHERE c.name = 'webhooks'), 0);

-- +goose Down
DROP TABLE subscription_blocks;
DROP INDEX subscription_deliveries_by_position;
DROP INDEX subscription_fanouts_behind;
ALTER TABLE subscription_fanouts DROP COLUMN done_position;
ALTER TABLE subscription_fanouts DROP COLUMN position;
DROP INDEX subscription_events_of_table;
ALTER TABLE subscription_events DROP COLUMN currency_id;
DROP INDEX subscription_senders_behind;
ALTER TABLE subscription_senders DROP COLUMN skip_position;
ALTER TABLE subscription_senders DROP COLUMN woken_position;
ALTER TABLE subscription_senders DROP COLUMN position;
