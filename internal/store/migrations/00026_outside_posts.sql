-- +goose Up
-- What systems outside that keep balances are asked to write (contract 5.15): committed before they are asked, and ended by the transaction that writes what
-- they have accepted. The id is the idempotencyKey that they are shown.
CREATE TABLE outside_posts (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_currency_id UUID NOT NULL,
    kind TEXT NOT NULL,
    entries TEXT NOT NULL,
    record TEXT NOT NULL,
    holds TEXT NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    answer TEXT NOT NULL,
    loyalty_transaction_id UUID,
    in_doubt BOOLEAN NOT NULL,
    due_at BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    finished_at BIGINT,
    FOREIGN KEY (website_id, loyalty_currency_id) REFERENCES loyalty_currencies (website_id, id)
);
CREATE INDEX outside_posts_due ON outside_posts (due_at) WHERE finished_at IS NULL;
CREATE INDEX outside_posts_over ON outside_posts (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX outside_posts_of_currency ON outside_posts (loyalty_currency_id, created_at, id);

-- What must not be paid for twice while a post is open.
CREATE TABLE outside_holds (
    hold TEXT PRIMARY KEY,
    post_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);

-- +goose Down
DROP TABLE outside_holds;
DROP TABLE outside_posts;
