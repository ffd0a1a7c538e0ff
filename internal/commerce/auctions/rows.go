package auctions

import (
	"cmp"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// auctions is the table of auctions for Works.
var auctions = &store.Table[laurel.ID, Auction]{
	Name: "auctions", Rank: store.LockRankAuctions,
	Compare:    laurel.ID.Compare,
	Query:      table.As("t").Query(),
	Key:        store.Columns("id uuid"),
	Args:       func(id laurel.ID) []any { return []any{id} },
	KeyOf:      func(a *Auction) laurel.ID { return a.ID },
	New:        func(laurel.ID) *Auction { return &Auction{isNew: true} },
	Save:       table.Saver(func(a *Auction) bool { return a.isNew }),
	HasHotRows: true,
}

// isInScope reports whether the auction belongs to the scope.
func (a *Auction) isInScope(scope laurel.Scope) bool {
	return a.OrganizationID == scope.OrganizationID && (scope.WebsiteID.IsZero() || a.WebsiteID == scope.WebsiteID)
}

// bidderKey names a bidder of an auction.
type bidderKey struct{ Auction, User laurel.ID }

// bidders is the table of bidders for Works. A Work that reads one must lock the auction too.
var bidders = &store.Table[bidderKey, bidderRow]{
	Name: "bidders", Rank: store.LockRankBidders,
	Compare: func(a, b bidderKey) int { return cmp.Or(a.Auction.Compare(b.Auction), a.User.Compare(b.User)) },
	Query:   bidderTable.Query(),
	Key:     store.Columns("auction_id uuid, user_id uuid"),
	Args:    func(k bidderKey) []any { return []any{k.Auction, k.User} },
	KeyOf:   func(r *bidderRow) bidderKey { return bidderKey{r.AuctionID, r.UserID} },
	New: func(k bidderKey) *bidderRow {
		return &bidderRow{AuctionID: k.Auction, UserID: k.User, isNew: true}
	},
	Save: bidderTable.Saver(func(r *bidderRow) bool { return r.isNew }),
}

func (r *bidderRow) key() bidderKey { return bidderKey{r.AuctionID, r.UserID} }

// hasLiveBid reports whether the auction holds points of the bidder.
func (r *bidderRow) hasLiveBid() bool { return !r.BidID.IsZero() }

// clear removes the live bid: its points are refunded or spent.
func (r *bidderRow) clear() { r.BidID, r.Amount, r.Parts = laurel.NullID{}, 0, nil }

var (
	newItems  = &store.Sink[*Item]{Name: "auction items", Rank: store.LockRankItems, Write: insertItems}
	newBids   = &store.Sink[*Bid]{Name: "bids", Rank: store.LockRankBids, Write: insertBids}
	endedBids = &store.Sink[endedBid]{Name: "ended bids", Rank: store.LockRankEndedBids, Write: updateBids}
)

// endedBid is the final status of a bid.
type endedBid struct {
	BidID  laurel.ID
	Status string
	ItemID laurel.ID // the item that it won; zero: none
	At     int64
}

// endBid stages the final status of a bid and the change of it for the feed; item is what it has won, or zero. The
// auction is locked.
func (a *Auction) endBid(b *store.Batch, bid laurel.ID, status string, item laurel.ID) {
	endedBids.Add(b, endedBid{bid, status, item, store.Micros(b.Now())})
	feed.Changes.Add(b, a.bidChange(bid, feed.Updated, status))
}

// bidChange returns the change of a bid for the feed.
func (a *Auction) bidChange(bid laurel.ID, action feed.Action, status string) feed.Change {
	return feed.Change{
		OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID, EntityID: bid, Table: feed.TableAuctionBid, Action: action,
		Data: store.JSON(BidChange{status}),
	}
}

// BidChange is the data of a bid's change in the feed: its status at that moment.
type BidChange struct {
	Status string `json:"status"`
}
