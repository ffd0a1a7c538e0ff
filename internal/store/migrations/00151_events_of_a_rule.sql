-- +goose Up

-- The list of the events that a rule has paid for.
CREATE INDEX rule_event_payments_newest ON rule_event_payments (loyalty_rule_id, loyalty_transaction_id)
    WHERE loyalty_transaction_id IS NOT NULL;

-- +goose Down
DROP INDEX rule_event_payments_newest;
