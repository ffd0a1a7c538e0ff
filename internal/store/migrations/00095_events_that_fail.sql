-- +goose Up
-- Since when a reader of the change feed has failed at each batch; NULL: it gets on.
ALTER TABLE feed_consumers ADD COLUMN failing_since BIGINT;
-- What is needed to describe an event that could not be described: JSON. NULL: data is what it says.
ALTER TABLE subscription_events ADD COLUMN parked TEXT;

-- +goose Down
ALTER TABLE subscription_events DROP COLUMN parked;
ALTER TABLE feed_consumers DROP COLUMN failing_since;
