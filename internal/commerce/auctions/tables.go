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
	New:        func(laurel.ID) *row { return &row{fresh: true} },
	Save:       saveAuctions,
	HasHotRows: true,
}

// of reports whether the auction is one of the scope.
func (r *row) of(scope laurel.Scope) bool {
	return r.OrganizationID == scope.OrganizationID && (scope.WebsiteID.IsZero() || r.WebsiteID == scope.WebsiteID)
}

// seatKey names what an auction holds of a member.
type seatKey struct{ Auction, User laurel.ID }

// seats are whose points auctions hold. Who looks at one holds its auction.
var seats = &store.Table[seatKey, seatRow]{
	Name: "bidders", Rank: store.RankBidders,
	Compare: func(a, b seatKey) int { return cmp.Or(a.Auction.Compare(b.Auction), a.User.Compare(b.User)) },
	Query:   selectSeat,
	Key:     store.Columns("auction_id uuid, user_id uuid"),
	Args:    func(k seatKey) []any { return []any{k.Auction, k.User} },
	KeyOf:   func(r *seatRow) seatKey { return seatKey{r.AuctionID, r.UserID} },
	New: func(k seatKey) *seatRow {
		return &seatRow{AuctionID: k.Auction, UserID: k.User, Parts: "[]", fresh: true}
	},
	Save: saveSeats,
}

func (r *seatRow) key() seatKey { return seatKey{r.AuctionID, r.UserID} }

// held reports whether the auction holds points of the member.
func (r *seatRow) held() bool { return !r.BidID.IsZero() }

// paid is what accounts have paid for the bid. The text is the service's own.
func (r *seatRow) paid() holds.Parts {
	var parts holds.Parts
	if err := json.Unmarshal([]byte(r.Parts), &parts); err != nil {
		panic(fmt.Errorf("what was paid for bid %s: %w", r.BidID, err))
	}
	return parts
}

// clear says that nothing is held any more.
func (r *seatRow) clear() { r.BidID, r.Amount, r.Parts = laurel.ID{}, 0, "[]" }

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

// end ends a bid of an auction that is held.
func (r *row) end(b *store.Batch, bid laurel.ID, status string, item laurel.ID) {
	endedBids.Add(b, endedBid{bid, status, item, store.Micros(b.Now())})
	feed.Changes.Add(b, r.change(bid, feed.Updated, status))
}

// change is what the feed tells of a bid.
func (r *row) change(bid laurel.ID, action feed.Action, status string) feed.Change {
	return feed.Change{
		OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, EntityID: bid, Table: feed.AuctionBid, Action: action,
		Data: store.JSON(Moved{status}),
	}
}

// Moved is what a change of a bid tells of it: what it was at that moment.
type Moved struct {
	Status string `json:"status"`
}
