-- +goose Up
-- Points that are reserved for an order (contract 5.22). They are debited already; parts tells which accounts paid, in
-- the order in which they did.
CREATE TABLE loyalty_holds (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    user_id UUID NOT NULL,
    loyalty_currency_id UUID NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    captured_amount BIGINT NOT NULL CHECK (captured_amount BETWEEN 0 AND amount),
    status TEXT NOT NULL,
    description TEXT,
    metadata TEXT NOT NULL,
    parts TEXT NOT NULL,
    loyalty_transaction_id UUID NOT NULL UNIQUE,
    expires_at BIGINT NOT NULL,
    due_at BIGINT NOT NULL, -- when a node looks at it next
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_currency_id) REFERENCES loyalty_currencies (website_id, id)
);
CREATE INDEX loyalty_holds_due ON loyalty_holds (due_at, id) WHERE status = 'held';
CREATE INDEX loyalty_holds_open ON loyalty_holds (loyalty_currency_id) WHERE status = 'held';
CREATE INDEX loyalty_holds_newest ON loyalty_holds (website_id, created_at, id);
CREATE INDEX loyalty_holds_of_status ON loyalty_holds (website_id, status, created_at, id);
CREATE INDEX loyalty_holds_of_currency ON loyalty_holds (loyalty_currency_id, created_at, id);
CREATE INDEX loyalty_holds_of_user ON loyalty_holds (user_id, created_at, id);

-- +goose Down
DROP TABLE loyalty_holds;
