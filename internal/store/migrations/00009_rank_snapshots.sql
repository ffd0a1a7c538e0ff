-- +goose Up
-- The highest balances of a currency at a settled moment: accounts holds (id, amount) in order, and every account that is not in it had at
-- most floor. Derived from the entries alone; rows may be removed and are made again.
CREATE TABLE rank_snapshots (
    loyalty_currency_id UUID NOT NULL,
    taken_at BIGINT NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    floor BIGINT NOT NULL,
    accounts BYTEA NOT NULL,
    PRIMARY KEY (loyalty_currency_id, taken_at),
    FOREIGN KEY (website_id, loyalty_currency_id) REFERENCES loyalty_currencies (website_id, id)
);

-- The accounts of blocked members: few, and a snapshot holds them too, since it must outlive their block.
CREATE INDEX loyalty_accounts_unranked ON loyalty_accounts (loyalty_currency_id, amount) WHERE NOT ranked AND user_id IS NOT NULL;

-- +goose Down
DROP INDEX loyalty_accounts_unranked;
DROP TABLE rank_snapshots;
