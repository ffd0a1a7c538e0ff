-- +goose Up
-- Points that come back return to the lots that they came from (docs/decisions/0074-points-that-come-back.md). purpose
-- is what a debit paid for: the id of a hold, an auction or a mint, or that the lot expired by it.
ALTER TABLE lot_allocations ADD COLUMN purpose TEXT;
UPDATE lot_allocations SET purpose = 'expired'
    WHERE EXISTS (SELECT 1 FROM account_lots l WHERE l.id = lot_allocations.lot_id AND l.end_entry_id = lot_allocations.entry_id);
UPDATE lot_allocations SET purpose = (SELECT CASE
        WHEN e.type = 'order' AND e.metadata LIKE '{"loyaltyHoldId":"%' THEN substr(e.metadata, 19, 36)
        WHEN e.type = 'auction_bid' AND e.metadata LIKE '{"auctionId":"%' THEN substr(e.metadata, 15, 36)
        WHEN e.type = 'direct_mint' AND e.metadata LIKE '{"mintingContractAssetMintStatusId":"%' THEN substr(e.metadata, 38, 36) END
    FROM loyalty_transaction_entries e WHERE e.id = lot_allocations.entry_id)
    WHERE purpose IS NULL;
CREATE INDEX lot_allocations_of_purpose ON lot_allocations (loyalty_account_id, purpose) WHERE purpose IS NOT NULL;

-- Which credit gave how much back to which lot. Rows are never changed.
CREATE TABLE lot_returns (
    lot_id UUID NOT NULL,
    entry_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_account_id UUID NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    purpose TEXT NOT NULL,
    PRIMARY KEY (lot_id, entry_id),
    FOREIGN KEY (website_id, lot_id) REFERENCES account_lots (website_id, id)
);
CREATE INDEX lot_returns_of_purpose ON lot_returns (loyalty_account_id, purpose);

-- Credits that give back in currencies whose points expire, until the lots of their accounts are worked out.
CREATE TABLE lot_refunds (
    entry_id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_currency_id UUID NOT NULL,
    user_id UUID NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id)
);
CREATE INDEX lot_refunds_of_currency ON lot_refunds (loyalty_currency_id, entry_id);

-- +goose Down
DROP TABLE lot_refunds;
DROP TABLE lot_returns;
DROP INDEX lot_allocations_of_purpose;
ALTER TABLE lot_allocations DROP COLUMN purpose;
