package auctions

import (
	"time"

	"laurel.example/laurel"
)

func refused(format string, args ...any) error { return laurel.Errorf(laurel.Refused, format, args...) }

// checkBiddable returns the refusal of all bids at a moment (not started, ended or cancelled), or nil. It checks in the
// order of contract 5.18.
func (a *Auction) checkBiddable(now time.Time) error {
	if now.Before(a.StartsAt.Time) {
		return refused("Auction has not started yet")
	}
	return a.checkNotEnded(now)
}

// checkNotEnded returns nil for an open auction, and a refusal for one that has ended or is cancelled. An auction whose
// end has passed has ended, even if it is not closed yet.
func (a *Auction) checkNotEnded(now time.Time) error {
	switch {
	case a.Status == Completed || !now.Before(a.EndsAt.Time):
		return refused("Auction has ended")
	case a.Status == Cancelled:
		return refused("Auction is cancelled")
	}
	return nil
}

// smallestStep is the smallest difference of two amounts.
const smallestStep = laurel.Amount(1)

// minimumBid returns the lowest amount that a member may bid now. ownBid is the amount of the member's live bid, or 0.
func (a *Auction) minimumBid(ownBid laurel.Amount) laurel.Amount {
	minimum := a.MinBid
	if a.Type == English && !a.BestUserID.IsZero() {
		step := smallestStep
		if a.MinIncrement != nil {
			step = max(step, *a.MinIncrement)
		}
		minimum = max(minimum, a.BestAmount+step) // both are below laurel.MaxAmount, so that the sum is no overflow
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
func (a *Auction) winners(best []bidderRow, items []Item) []win {
	var out []win
	for i, item := range items {
		if i >= len(best) || a.ReservePrice != nil && best[i].Amount < *a.ReservePrice {
			break
		}
		w := win{bidder: best[i], item: item, price: best[i].Amount}
		if a.Type == SecondPrice {
			// the next lower bid, else the minimum bid, but at least the reserve price
			w.price = a.MinBid
			if i+1 < len(best) {
				w.price = best[i+1].Amount
			} else if a.ReservePrice != nil {
				w.price = *a.ReservePrice
			}
			if a.ReservePrice != nil {
				w.price = max(w.price, *a.ReservePrice)
			}
			w.price = min(w.price, best[i].Amount) // minBidAmount may have been raised since
		}
		out = append(out, w)
	}
	return out
}
