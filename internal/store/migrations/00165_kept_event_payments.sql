-- +goose Up

-- Points that stay though the block of their event has left the chain.
CREATE INDEX rule_event_payments_kept ON rule_event_payments (loyalty_rule_id) WHERE kept;

-- +goose Down
DROP INDEX rule_event_payments_kept;
