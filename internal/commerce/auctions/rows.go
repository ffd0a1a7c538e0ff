package auctions

import (
	"cmp"
	"encoding/json"
	"fmt"

	"laurel"
	"laurel/internal/commerce/holds"
	"laurel/internal/feed"
	"laurel/internal/store"
)

// auctions are auctions as Works see and change them.
var auctions = &store.Table[laurel.ID, row]{
	Name: "auctions", Rank: store.RankAuctions,
	Compare:    laurel.ID.Compare,
	Query:      selectAuction,
	Key:        store.Columns("id uuid"),
	Args:       func(id laurel.ID) []any { return []any{id} },
	KeyOf:      func(r *row) laurel.ID { return r.ID },
	New:        func(laurel.ID) *row { return &row{isNew: true} },
	Save:       saveAuctions,
	HasHotRows: true,
}

// isInScope reports whether the auction is one of the scope.
func (r *row) isInScope(scope laurel.Scope) bool {
	return r.OrganizationID == scope.OrganizationID && (scope.WebsiteID.IsZero() || r.WebsiteID == scope.WebsiteID)
}

// bidderKey names what an auction holds of a member.
type bidderKey struct{ Auction, User laurel.ID }

// bidders are whose points auctions hold. Who looks at one holds its auction.
var bidders = &store.Table[bidderKey, bidderRow]{
	Name: "bidders", Rank: store.RankBidders,
	Compare: func(a, b bidderKey) int { return cmp.Or(a.Auction.Compare(b.Auction), a.User.Compare(b.User)) },
	Query:   selectBidder,
	Key:     store.Columns("auction_id uuid, user_id uuid"),
	Args:    func(k bidderKey) []any { return []any{k.Auction, k.User} },
	KeyOf:   func(r *bidderRow) bidderKey { return bidderKey{r.AuctionID, r.UserID} },
	New: func(k bidderKey) *bidderRow {
		return &bidderRow{AuctionID: k.Auction, UserID: k.User, Parts: "[]", isNew: true}
	},
	Save: saveBidders,
}

func (r *bidderRow) key() bidderKey { return bidderKey{r.AuctionID, r.UserID} }

// hasLiveBid reports whether the auction holds points of the member.
func (r *bidderRow) hasLiveBid() bool { return !r.BidID.IsZero() }

// parts is what accounts have paid for the bid. The text is the service's own.
func (r *bidderRow) parts() holds.Parts {
	var parts holds.Parts
	if err := json.Unmarshal([]byte(r.Parts), &parts); err != nil {
		panic(fmt.Errorf("what was paid for bid %s: %w", r.BidID, err))
	}
	return parts
}

// clear says that nothing is held any more.
func (r *bidderRow) clear() { r.BidID, r.Amount, r.Parts = laurel.ID{}, 0, "[]" }

var (
	newItems  = &store.Sink[itemRow]{Name: "auction items", Rank: store.RankItems, Write: insertItems}
	newBids   = &store.Sink[bidRow]{Name: "bids", Rank: store.RankBids, Write: insertBids}
	endedBids = &store.Sink[endedBid]{Name: "bids that end", Rank: store.RankEndedBids, Write: updateBids}
)

// endedBid is what becomes of a bid.
type endedBid struct {
	BidID  laurel.ID
	Status string
	ItemID laurel.ID // that it won; zero: none
	At     int64
}

// endBid ends a bid of an auction that is held.
func (r *row) endBid(b *store.Batch, bid laurel.ID, status string, item laurel.ID) {
	endedBids.Add(b, endedBid{bid, status, item, store.Micros(b.Now())})
	feed.Changes.Add(b, r.bidChange(bid, feed.Updated, status))
}

// bidChange is what the feed tells of a bid.
func (r *row) bidChange(bid laurel.ID, action feed.Action, status string) feed.Change {
	return feed.Change{
		OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, EntityID: bid, Table: feed.AuctionBid, Action: action,
		Data: store.JSON(BidChange{status}),
	}
}

// BidChange is what a change of a bid tells of it: what it was at that moment.
type BidChange struct {
	Status string `json:"status"`
}
