-- +goose Up
-- published_at: when the reader told of the event that was paid. What tells later that an earlier one left its chain takes
-- nothing back.
ALTER TABLE rule_event_payments ADD COLUMN published_at BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE rule_event_payments DROP COLUMN published_at;
