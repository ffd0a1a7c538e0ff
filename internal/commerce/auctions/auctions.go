// Package auctions owns auctions, their items and bids (contract 3.27, 5.18): which bids are accepted, which points are
// held for them, who wins and who is refunded. Holds takes points and gives them back; minting owns stock and mints.
package auctions

import (
	"context"
	"log/slog"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// The types of auctions (contract 2).
const (
	English     = "english"      // open: a bid must exceed the best one, which is refunded
	FirstPrice  = "first_price"  // sealed: the best bidders pay what they bid
	SecondPrice = "second_price" // sealed: the best bidders pay the next lower bid
)

// Types lists the types of auctions.
func Types() []string { return []string{FirstPrice, SecondPrice, English} }

// The statuses of auctions.
const (
	InProgress = "in_progress" // also before it starts
	Completed  = "completed"
	Cancelled  = "cancelled"
)

// Statuses lists the statuses of auctions.
func Statuses() []string { return []string{InProgress, Completed, Cancelled} }

// The statuses of bids. A bid is stored and accepted in one transaction.
const (
	Submitted = "submitted"
	Accepted  = "accepted"  // its points are held
	Rejected  = "rejected"  // replaced, outbid, lost or cancelled: its points were given back
	Fulfilled = "fulfilled" // has won
)

// BidStatuses lists the statuses of bids.
func BidStatuses() []string { return []string{Submitted, Accepted, Rejected, Fulfilled} }

// Auction is an auction of items for points (contract 3.27): a row of auctions. Callers may change the columns from
// Name to Collections; bids and the end of the auction change the later ones.
type Auction struct {
	ID              laurel.ID            `db:"id" json:"id"`
	OrganizationID  laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID       laurel.ID            `db:"website_id" json:"websiteId"`
	Type            string               `db:"type" json:"type" update:"no" in:"create required auctiontype" hint:"Cannot be changed"`
	CurrencyID      laurel.ID            `db:"loyalty_currency_id" json:"loyaltyCurrencyId" update:"no" in:"create required" hint:"Bids are points of it; cannot be changed"`
	CurrencyAddress *string              `db:"currency_address" json:"currencyAddress" update:"no" in:"create identifier" hint:"Stored"`
	Network         *string              `db:"network" json:"network" update:"no" in:"create network" hint:"The network of the collections; cannot be changed"`
	ContractID      laurel.ID            `db:"minting_contract_id" json:"mintingContractId" update:"no" in:"create required" hint:"The minting contract of the items; cannot be changed"` // of the items
	CreatedByID     laurel.NullID        `db:"user_id" json:"userId" update:"no"`                                                                                                         // none: no key
	Name            string               `db:"name" json:"name" in:"required min=1 max=1000"`
	Description     string               `db:"description" json:"description" in:"max=10000"`
	StartsAt        laurel.Timestamp     `db:"starts_at" json:"startsAt" in:"required" hint:"Cannot be changed once there is a bid"`
	EndsAt          laurel.Timestamp     `db:"ends_at" json:"endsAt" in:"required" hint:"Cannot be changed once there is a bid"`
	MinBid          laurel.Amount        `db:"min_bid_amount" json:"minBidAmount" in:"required positive"`
	MinIncrement    *laurel.Amount       `db:"min_bid_increment" json:"minBidIncrement" in:"positive" hint:"For english auctions: the least difference between the best bid and the next bid"` // english
	ReservePrice    *laurel.Amount       `db:"reserve_price" json:"reservePrice" in:"positive" hint:"Bids below it win nothing"`
	Extension       *int64               `db:"extended_seconds" json:"extendedDurationInSeconds" in:"min=0 max=86400" hint:"english: a bid so shortly before the end moves the end to so many seconds after it"` // english
	HideBids        bool                 `db:"hide_bids" json:"hideBids" in:""`
	Collections     laurel.List[string]  `db:"collections" json:"biddersOwnCollectionAddresses" in:"collectionaddresses"` // bidders must own a token of one of them
	Status          string               `db:"status" json:"status"`
	Items           int64                `db:"items" json:"-"`          // number of items
	ItemsReserved   bool                 `db:"items_reserved" json:"-"` // in the stock of their assets
	Bids            int64                `db:"bids" json:"-"`           // number of bids so far, with replaced ones
	BestAmount      laurel.Amount        `db:"best_amount" json:"-"`
	BestUserID      laurel.NullID        `db:"best_user_id" json:"-"` // english; none: there is no bid
	DueAt           laurel.NullTimestamp `db:"due_at" json:"-"`       // when it is to be closed, or bidders to be refunded
	CreatedAt       laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt       laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	isNew           bool                 // not in the database yet
}

// IsSealed reports whether bids are hidden until the end.
func (a Auction) IsSealed() bool { return a.Type != English }

// HasHiddenBids reports whether bids are shown only to their bidders now.
func (a Auction) HasHiddenBids() bool { return a.HideBids || a.IsSealed() && a.Status == InProgress }

// ConcealsAmounts reports whether the points that the auction holds are shown only to their bidders now.
func (a Auction) ConcealsAmounts() bool { return a.Status == InProgress && a.concealsWhileOpen() }

// Scope returns the scope of the auction's website.
func (a Auction) Scope() laurel.Scope {
	return laurel.Scope{OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID}
}

// Item is something that one bidder wins: a row of auction_items.
type Item struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID        `db:"website_id" json:"websiteId"`
	AuctionID      laurel.ID        `db:"auction_id" json:"auctionId"`
	AssetID        laurel.ID        `db:"minting_asset_id" json:"mintingContractAssetId"`
	SortID         int64            `db:"sort_id" json:"sortId"`
	Quantity       int64            `db:"quantity" json:"quantity"`
	CreatedAt      laurel.Timestamp `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp `db:"updated_at" json:"updatedAt"`
}

// Bid is a bid of a member: a row of auction_bids.
type Bid struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID        `db:"website_id" json:"websiteId"`
	AuctionID      laurel.ID        `db:"auction_id" json:"auctionId"`
	ItemID         laurel.NullID    `db:"auction_item_id" json:"auctionItemId"` // that the caller named, or that the bid has won
	UserID         laurel.ID        `db:"user_id" json:"userId"`
	Amount         laurel.Amount    `db:"amount" json:"amount"`
	Place          int64            `db:"place" json:"-"` // in the order of the auction's bids; of equal bids the first wins
	Status         string           `db:"status" json:"status"`
	CreatedAt      laurel.Timestamp `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp `db:"updated_at" json:"updatedAt"`
}

// Config holds the dependencies and settings of a Service.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    transactions.People
	Identity  *identity.Service
	Ledger    *ledger.Service
	Minting   *minting.Service
	Owns      minting.OwnsToken // nil: blockchains cannot be read, and no token counts as owned
	Logger    *slog.Logger
}

// Service implements the operations on auctions.
type Service struct {
	Config
	auctions store.Loader[laurel.ID, *Auction]
	queue    worker.Runner
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c, auctions: auctions.Loader(c.DB)}
	s.queue = s.newQueue()
	return s
}

func errNoAuction() error { return laurel.Missing("Auction") }

// Get returns an auction. Errors: NotFound "Auction".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (Auction, error) {
	r, err := s.find(ctx, scope, id)
	if err != nil {
		return Auction{}, err
	}
	return *r, nil
}

// find reads an auction of the scope, or returns NotFound "Auction". Concurrent calls for one auction share one read of
// the database.
func (s *Service) find(ctx context.Context, scope laurel.Scope, id laurel.ID) (*Auction, error) {
	r, found, err := s.auctions.Get(ctx, id)
	if err == nil && (!found || !r.isInScope(scope)) {
		err = errNoAuction()
	}
	return r, err
}

// Filter narrows a list of auctions.
type Filter struct {
	Status string // empty: any
	Type   string // empty: any
	Begun  *bool  // whether it has started; nil: any
}

// List returns a page of auctions, newest first. Errors: Invalid for an unknown cursor.
func (s *Service) List(
	ctx context.Context, scope laurel.Scope, f Filter, page laurel.PageRequest,
) (laurel.Page[Auction], error) {
	return listAuctions(ctx, s.DB, scope, f, page)
}

// Items returns a page of the items of some auctions, sorted by sortId. Errors: Invalid for an unknown cursor.
func (s *Service) Items(
	ctx context.Context, scope laurel.Scope, auctions []laurel.ID, page laurel.PageRequest,
) (laurel.Page[Item], error) {
	return listItems(ctx, s.DB, scope, auctions, page)
}

// Item returns an item. Errors: NotFound "Auction item".
func (s *Service) Item(ctx context.Context, scope laurel.Scope, id laurel.ID) (Item, error) {
	return findItem(ctx, s.DB, scope, id)
}

// ItemsOf returns all items of some auctions by the auction's id, each list sorted by sortId.
func (s *Service) ItemsOf(
	ctx context.Context, scope laurel.Scope, auctions []laurel.ID,
) (map[laurel.ID][]Item, error) {
	rows, err := itemsOf(ctx, s.DB, scope, auctions)
	out := map[laurel.ID][]Item{}
	for _, r := range rows {
		out[r.AuctionID] = append(out[r.AuctionID], r)
	}
	return out, err
}

// ItemsOfAssets returns, for each asset, the ids of up to 100 auction items that sell it: the newest 100, oldest first.
func (s *Service) ItemsOfAssets(
	ctx context.Context, scope laurel.Scope, assets []laurel.ID,
) (map[laurel.ID][]laurel.ID, error) {
	rows, err := itemsOfAssets(ctx, s.DB, scope, assets)
	out := map[laurel.ID][]laurel.ID{}
	for _, r := range rows {
		out[r.AssetID] = append(out[r.AssetID], r.ID)
	}
	return out, err
}

// MaxTopBids is how many of its bids an auction is returned with at most.
const MaxTopBids = 10

// BestBids returns the highest bids of some auctions by the auction's id: up to MaxTopBids of each, highest first.
func (s *Service) BestBids(
	ctx context.Context, scope laurel.Scope, auctions []laurel.ID,
) (map[laurel.ID][]Bid, error) {
	rows, err := bestBids(ctx, s.DB, scope, auctions)
	out := map[laurel.ID][]Bid{}
	for _, r := range rows {
		out[r.AuctionID] = append(out[r.AuctionID], r)
	}
	return out, err
}

// CheckCurrencyMove returns Invalid, naming apiPostUrl, if the balances of a currency are to move to an external ledger
// while an auction in it is open. It does nothing if the balances stay here. It runs in the transaction that changes
// the currency.
func CheckCurrencyMove(ctx context.Context, tx *store.Tx, scope laurel.Scope, c ledger.Currency) error {
	if c.API.PostURL == nil {
		return nil
	}
	open, err := hasOpenAuction(ctx, tx, scope, c.ID)
	if err != nil || !open {
		return err
	}
	var f laurel.Faults
	f.Add("apiPostUrl", "cannot be set while auctions are open")
	return f.Err()
}

// CancelAuctionsOfCurrency cancels the open auctions of a currency, in the transaction that deletes it (contract 5.17).
// Their bidders are refunded in the background.
func CancelAuctionsOfCurrency(ctx context.Context, tx *store.Tx, scope laurel.Scope, c ledger.Currency) error {
	return cancelOpenAuctions(ctx, tx, scope, c.ID)
}

// entryMetadata returns the metadata of a bid's ledger entries.
func entryMetadata(auction, bid laurel.ID, reason string) []byte {
	return store.JSON(struct {
		AuctionID laurel.ID `json:"auctionId"`
		BidID     laurel.ID `json:"auctionBidId"`
		Reason    string    `json:"reason"`
	}{auction, bid, reason})
}

// The reasons in the metadata of a bid's entries.
const (
	reasonBid       = "bid"
	reasonOutbid    = "outbid"
	reasonLost      = "lost"
	reasonSurplus   = "surplus" // the part of a winning second_price bid above its price
	reasonCancelled = "cancelled"
)

// concealsWhileOpen reports whether the points that the auction holds are shown only to their bidders while it is open.
func (a Auction) concealsWhileOpen() bool { return a.HideBids || a.IsSealed() }

// ledgerBid identifies the bid of a member to the ledger, which keeps track of the bid's entries until the auction
// ends.
func (a *Auction) ledgerBid(user laurel.ID) ledger.Bid {
	return ledger.Bid{AuctionID: a.ID, BidderID: user, Concealed: a.concealsWhileOpen()}
}

// reveal makes the ledger show the entries of a bidder whose points are about to be refunded or spent, because the
// auction has ended.
func (a *Auction) reveal(b *store.Batch, bidder *bidderRow) {
	a.ledgerBid(bidder.UserID).Reveal(b, a.CurrencyID, bidder.Parts.BidParts())
}

// newRefund returns a refund of all that a bidder has paid; reason goes to the metadata of its entries. Nothing is paid
// back until the refund is applied.
func (a *Auction) newRefund(actor laurel.ID, bidder *bidderRow, reason string) holds.Refund {
	return holds.Refund{
		Scope:      laurel.Scope{OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID, ActorID: actor},
		CurrencyID: a.CurrencyID, Parts: bidder.Parts, Amount: bidder.Amount, Type: ledger.TypeAuctionBid,
		Description: "Refund of a bid on " + a.Name, Metadata: entryMetadata(a.ID, bidder.BidID.ID, reason),
	}
}
