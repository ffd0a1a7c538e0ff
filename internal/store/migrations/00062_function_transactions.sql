-- +goose Up
-- What functions have asked the payout driver for. source_id is the event of an event run, of others the run itself: a
-- second attempt of an event asks for nothing twice.
CREATE TABLE function_transactions (
    id UUID PRIMARY KEY, -- the idempotency key that the driver is shown
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    function_id UUID NOT NULL,
    run_id UUID NOT NULL,
    source_id UUID NOT NULL,
    position BIGINT NOT NULL,
    call TEXT NOT NULL, -- JSON
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    tx_hash TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, function_id) REFERENCES functions (website_id, id),
    UNIQUE (function_id, source_id, position)
);
CREATE INDEX function_transactions_due ON function_transactions (due_at, id) WHERE status = 'waiting';
CREATE INDEX function_transactions_of_website_due ON function_transactions (website_id, due_at) WHERE status = 'waiting';
CREATE INDEX function_transactions_over ON function_transactions (updated_at) WHERE status <> 'waiting';

-- +goose Down
DROP TABLE function_transactions;
