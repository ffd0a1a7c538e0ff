-- +goose Up
-- How much of a transaction is reversed. A transaction without a row is not.
CREATE TABLE transaction_reversals (
    loyalty_transaction_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    amount BIGINT NOT NULL, -- of a transaction with one entry: what was reversed, with what balances did not cover
    is_whole BOOLEAN NOT NULL,
    is_reopened BOOLEAN NOT NULL, -- the windows that it had closed are free
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

-- +goose Down
DROP TABLE transaction_reversals;
