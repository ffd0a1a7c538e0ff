package auctions

import (
	"time"

	"laurel"
	"laurel/internal/store"
)

func refused(format string, args ...any) error { return laurel.Errorf(laurel.Refused, format, args...) }

// checkBiddable returns the refusal of all bids at a moment (not started, ended or cancelled), or nil. It checks in the
// order of contract 5.18.
func (r *row) checkBiddable(now time.Time) error {
	if store.Micros(now) < r.StartsAt {
		return refused("Auction has not started yet")
	}
	return r.checkNotEnded(now)
}

// checkNotEnded returns nil for an open auction, and a refusal for one that has ended or is cancelled. An auction whose
// end has passed has ended, even if it is not closed yet.
func (r *row) checkNotEnded(now time.Time) error {
	switch {
	case r.Status == Completed || store.Micros(now) >= r.EndsAt:
		return refused("Auction has ended")
	case r.Status == Cancelled:
		return refused("Auction is cancelled")
	}
	return nil
}

// smallestStep is the smallest difference of two amounts.
const smallestStep = laurel.Amount(1)

// minimumBid returns the lowest amount that a member may bid now. ownBid is the amount of the member's live bid, or 0.
func (r *row) minimumBid(ownBid laurel.Amount) laurel.Amount {
	minimum := r.MinBid
	if r.Type == English && !r.BestUserID.IsZero() {
		step := smallestStep
		if r.MinIncrement != nil {
			step = max(step, *r.MinIncrement)
		}
		minimum = max(minimum, r.BestAmount+step) // both are below laurel.MaxAmount, so that the sum is no overflow
	}
	if ownBid > 0 {
		minimum = max(minimum, ownBid+smallestStep)
	}
	return minimum
}

// win is a bidder that has won an item, and the price that it pays.
type win struct {
	bidder bidderRow
	item   Item
	price  laurel.Amount
}

// winners returns the winning bidders with their items and prices. best are the highest bids, highest first, one more
// than there are items if possible: the first bidder wins the first item, and so on. Bids below the reserve price win
// nothing.
func (r *row) winners(best []bidderRow, items []Item) []win {
	var out []win
	for i, item := range items {
		if i >= len(best) || r.ReservePrice != nil && best[i].Amount < *r.ReservePrice {
			break
		}
		w := win{bidder: best[i], item: item, price: best[i].Amount}
		if r.Type == SecondPrice {
			// the next lower bid, else the minimum bid, but at least the reserve price
			w.price = r.MinBid
			if i+1 < len(best) {
				w.price = best[i+1].Amount
			} else if r.ReservePrice != nil {
				w.price = *r.ReservePrice
			}
			if r.ReservePrice != nil {
				w.price = max(w.price, *r.ReservePrice)
			}
			w.price = min(w.price, best[i].Amount) // minBidAmount may have been raised since
		}
		out = append(out, w)
	}
	return out
}
