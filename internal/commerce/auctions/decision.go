package auctions

import (
	"time"

	"laurel"
	"laurel/internal/store"
)

func refused(format string, args ...any) error { return laurel.Errorf(laurel.Refused, format, args...) }

// checkBiddable returns why nobody may bid at a moment; nil: everybody may. It is pure, and the order is that of contract 5.18.
func (r *row) checkBiddable(now time.Time) error {
	if store.Micros(now) < r.StartsAt {
		return refused("Auction has not started yet")
	}
	return r.checkNotEnded(now)
}

// checkNotEnded returns why an auction changes no more; nil: it may, also before it starts.
func (r *row) checkNotEnded(now time.Time) error {
	switch {
	case r.Status == Completed || store.Micros(now) >= r.EndsAt:
		return refused("Auction has ended")
	case r.Status == Cancelled:
		return refused("Auction is cancelled")
	}
	return nil
}

// smallestStep is the smallest step between two amounts.
const smallestStep = laurel.Amount(1)

// minimumBid returns the lowest bid that a member may make now whose own live bid is of an amount; 0: it has none. It is
// pure.
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

// win is a bid that has won an item, and what it pays.
type win struct {
	bidder bidderRow
	item   itemRow
	price  laurel.Amount
}

// winners returns who wins what for how much. The seats are the best, one more than items where there are so many; the
// items are in their order. It is pure.
func (r *row) winners(best []bidderRow, items []itemRow) []win {
	var out []win
	for i, item := range items {
		if i >= len(best) || r.ReservePrice != nil && best[i].Amount < *r.ReservePrice {
			break
		}
		w := win{bidder: best[i], item: item, price: best[i].Amount}
		if r.Type == SecondPrice {
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
