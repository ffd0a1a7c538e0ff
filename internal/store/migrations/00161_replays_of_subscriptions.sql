-- +goose Up
-- A subscription may begin with events from before it was created: since when; NULL: since its creation.
ALTER TABLE subscriptions ADD COLUMN replay_from BIGINT;

-- +goose Down
ALTER TABLE subscriptions DROP COLUMN replay_from;
