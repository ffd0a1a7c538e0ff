package report

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// AuctionState sums up the bids of an auction.
type AuctionState struct {
	AuctionID laurel.ID     `db:"auction_id"`
	Bidders   int64         `db:"bidders"` // members who have bid
	Holding   int64         `db:"holding"` // those of them whose points are held
	Held      laurel.Amount `db:"held"`    // points held by all of them
}

// AuctionStates returns, by auction, how many members have bid and how many points are held for their bids. Auctions
// without bids are left out.
func (s *Service) AuctionStates(
	ctx context.Context, scope laurel.Scope, auctions []laurel.ID,
) (map[laurel.ID]AuctionState, error) {
	out := map[laurel.ID]AuctionState{}
	if len(auctions) == 0 {
		return out, nil
	}
	var w store.Where
	store.In(&w, "b.auction_id", auctions)
	w.Tenant("b.", scope)
	var rows []AuctionState
	err := s.db.Select(ctx, &rows, `SELECT b.auction_id, COUNT(*) AS bidders, COUNT(b.bid_id) AS holding,
		CAST(COALESCE(SUM(b.amount), 0) AS BIGINT) AS held FROM auction_bidders b`+w.String()+` GROUP BY b.auction_id`,
		w.Args...)
	for _, r := range rows {
		out[r.AuctionID] = r
	}
	return out, err
}

// BidSpan sums up the bids of a span of time.
type BidSpan struct {
	Nr   int64         `db:"nr"` // 0 is the first
	Bids int64         `db:"bids"`
	Best laurel.Amount `db:"best"` // the highest of the span
}

// BidSpans returns the number of bids of an auction, and the highest of them, in each of a series of equal spans of
// time, which begins at since. Spans without bids are left out.
func (s *Service) BidSpans(
	ctx context.Context, scope laurel.Scope, auction laurel.ID, since time.Time, span time.Duration,
) (out []BidSpan, err error) {
	var w store.Where
	w.Add("b.auction_id = ?", auction)
	w.Tenant(s.db.Engine().NoIndexPrefix()+"b.", scope)
	args := append([]any{store.Micros(since), span.Microseconds()}, w.Args...)
	err = s.db.Select(ctx, &out, `SELECT (b.created_at - ?) / ? AS nr, COUNT(*) AS bids, MAX(b.amount) AS best
		FROM auction_bids b`+w.String()+` GROUP BY 1 ORDER BY 1`, args...)
	return out, err
}
