-- +goose Up
-- Auctions (contract 3.27). What bidding goes by stands with them, since every bid holds the row: how many bids there
-- were, and of english auctions the best. due_at is when a node looks at the auction next: at its end, and then until
-- everything that was held is back.
CREATE TABLE auctions (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    starts_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    loyalty_currency_id UUID NOT NULL,
    currency_address TEXT,
    network TEXT,
    min_bid_amount BIGINT NOT NULL CHECK (min_bid_amount > 0),
    min_bid_increment BIGINT,
    reserve_price BIGINT,
    extended_seconds BIGINT,
    hide_bids BOOLEAN NOT NULL,
    collections TEXT NOT NULL, -- of which bidders own a token
    minting_contract_id UUID NOT NULL,
    user_id UUID, -- who made it
    items BIGINT NOT NULL,
    items_reserved BOOLEAN NOT NULL, -- in the stock of their assets
    bids BIGINT NOT NULL,
    best_amount BIGINT NOT NULL,
    best_user_id UUID,
    due_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (organization_id, website_id) REFERENCES websites (organization_id, id),
    FOREIGN KEY (website_id, loyalty_currency_id) REFERENCES loyalty_currencies (website_id, id),
    FOREIGN KEY (website_id, minting_contract_id) REFERENCES minting_contracts (website_id, id),
    UNIQUE (website_id, id)
);
CREATE INDEX auctions_due ON auctions (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX auctions_open ON auctions (loyalty_currency_id) WHERE due_at IS NOT NULL;
CREATE INDEX auctions_newest ON auctions (website_id, created_at, id);
CREATE INDEX auctions_of_organization ON auctions (organization_id, created_at, id);

-- What is won. Bidders win one item each, the best by bid the first by sort_id.
CREATE TABLE auction_items (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    auction_id UUID NOT NULL,
    minting_asset_id UUID NOT NULL,
    sort_id BIGINT NOT NULL,
    quantity BIGINT NOT NULL CHECK (quantity > 0),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, auction_id) REFERENCES auctions (website_id, id),
    FOREIGN KEY (website_id, minting_asset_id) REFERENCES minting_assets (website_id, id)
);
CREATE INDEX auction_items_of_auction ON auction_items (auction_id, sort_id, id);
CREATE INDEX auction_items_of_asset ON auction_items (minting_asset_id, id);

-- Whose points an auction holds: one row per member, under the lock of the auction. bid_id is the bid that they stand
-- for; NULL: nothing is held. parts tells which accounts paid, in order.
CREATE TABLE auction_bidders (
    auction_id UUID NOT NULL,
    user_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    bid_id UUID,
    amount BIGINT NOT NULL CHECK (amount >= 0),
    place BIGINT NOT NULL,
    parts TEXT NOT NULL,
    PRIMARY KEY (auction_id, user_id),
    FOREIGN KEY (website_id, auction_id) REFERENCES auctions (website_id, id)
);
CREATE INDEX auction_bidders_best ON auction_bidders (auction_id, amount, place) WHERE bid_id IS NOT NULL;
CREATE INDEX auction_bidders_held ON auction_bidders (auction_id, user_id) WHERE bid_id IS NOT NULL;

-- Every bid, never removed. place is its number in the auction.
CREATE TABLE auction_bids (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    auction_id UUID NOT NULL,
    auction_item_id UUID,
    user_id UUID NOT NULL,
    amount BIGINT NOT NULL CHECK (amount > 0),
    place BIGINT NOT NULL,
    status TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, auction_id) REFERENCES auctions (website_id, id)
);
CREATE UNIQUE INDEX auction_bids_place ON auction_bids (auction_id, place);
CREATE INDEX auction_bids_by_amount ON auction_bids (website_id, amount, id);
CREATE INDEX auction_bids_of_auction ON auction_bids (auction_id, amount, id);
CREATE INDEX auction_bids_of_user ON auction_bids (user_id, amount, id);

-- +goose Down
DROP TABLE auction_bids;
DROP TABLE auction_bidders;
DROP TABLE auction_items;
DROP TABLE auctions;
