-- +goose Up
-- The entries by which auctions hold points and give them back, until the auction is over. While bids are hidden they
-- are concealed: everybody but the account's user and secret keys sees balances, ranks and lists as if they were not
-- there (docs/decisions/0081-sealed-bids.md). amount is what the account gained by the entry. bidder_id is whose bid it is
-- for, which in a group is not always whose account has paid; main accounts have no user and no version.
CREATE TABLE bid_entries (
    entry_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    auction_id UUID NOT NULL,
    bidder_id UUID NOT NULL,
    loyalty_currency_id UUID NOT NULL,
    loyalty_account_id UUID NOT NULL,
    user_id UUID,
    amount BIGINT NOT NULL,
    version BIGINT,
    created_at BIGINT NOT NULL,
    concealed BOOLEAN NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX bid_entries_of_bidder ON bid_entries (auction_id, bidder_id);
CREATE INDEX bid_entries_concealed ON bid_entries (loyalty_account_id, version) WHERE concealed;
CREATE INDEX bid_entries_of_currency ON bid_entries (loyalty_currency_id, created_at) WHERE concealed AND user_id IS NOT NULL;

-- What concealed entries took from the account.
ALTER TABLE loyalty_accounts ADD COLUMN concealed_amount BIGINT NOT NULL DEFAULT 0;
CREATE INDEX loyalty_accounts_concealed_rank ON loyalty_accounts (loyalty_currency_id, (amount + concealed_amount)) WHERE concealed_amount > 0;
CREATE INDEX loyalty_accounts_concealed_list ON loyalty_accounts (website_id, (amount + concealed_amount), id) WHERE concealed_amount > 0;

-- Auctions that are open now, and bids of such that are over and have not gone back yet. Entries name auction and bid in their metadata.
INSERT INTO bid_entries (entry_id, organization_id, website_id, auction_id, bidder_id, loyalty_currency_id, loyalty_account_id,
        user_id, amount, version, created_at, concealed)
    WITH bids AS MATERIALIZED (SELECT CAST(b.id AS TEXT) AS id, b.auction_id, b.user_id, a.type <> 'english' OR a.hide_bids AS concealed
            FROM auctions a JOIN auction_bids b ON b.auction_id = a.id
            LEFT JOIN auction_bidders s ON s.auction_id = b.auction_id AND s.user_id = b.user_id
            WHERE a.due_at IS NOT NULL AND (a.status = 'in_progress' OR s.bid_id IS NOT NULL)),
        moved AS MATERIALIZED (SELECT e.loyalty_transaction_id, MIN(substr(e.metadata, 69, 36)) AS bid FROM loyalty_transaction_entries e
            WHERE e.type = 'auction_bid' AND e.user_id IS NOT NULL AND e.metadata LIKE '{"auctionId":"%'
                AND e.website_id IN (SELECT a.website_id FROM auctions a WHERE a.due_at IS NOT NULL)
            GROUP BY e.loyalty_transaction_id)
    SELECT c.id, c.organization_id, c.website_id, b.auction_id, b.user_id, c.loyalty_currency_id, c.loyalty_account_id, c.user_id,
        CASE c.direction WHEN 'credit' THEN c.amount ELSE -c.amount END, c.lock_version, c.created_at, b.concealed
    FROM moved m JOIN bids b ON b.id = m.bid JOIN loyalty_transaction_entries c ON c.loyalty_transaction_id = m.loyalty_transaction_id;

UPDATE loyalty_accounts SET concealed_amount = (SELECT CAST(-SUM(x.amount) AS BIGINT) FROM bid_entries x
        WHERE x.loyalty_account_id = loyalty_accounts.id AND x.concealed)
    WHERE user_id IS NOT NULL AND id IN (SELECT x.loyalty_account_id FROM bid_entries x WHERE x.concealed);

-- +goose Down
DROP INDEX loyalty_accounts_concealed_rank;
DROP INDEX loyalty_accounts_concealed_list;
ALTER TABLE loyalty_accounts DROP COLUMN concealed_amount;
DROP TABLE bid_entries;
