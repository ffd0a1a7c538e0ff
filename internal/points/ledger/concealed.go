package ledger

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Bid names the bid that a posting pays for or refunds. Until the auction ends its entries are recorded in bid_entries,
// and while bids are hidden they are concealed (docs/decisions/0081-sealed-bids.md).
type Bid struct {
	AuctionID laurel.ID
	BidderID  laurel.ID
	Concealed bool
}

// BidPart is the amount that one account has paid for a bid.
type BidPart struct {
	UserID laurel.ID
	Amount laurel.Amount
}

// bidEntry is an entry of a bid.
type bidEntry struct {
	Bid
	OrganizationID, WebsiteID laurel.ID
	Entry
}

var (
	bidEntries = &store.Sink[bidEntry]{
		Name: "entries of bids", Rank: store.LockRankBidEntries, Write: insertBidEntries,
	}
	revealedBids       = &store.Sink[Bid]{Name: "revealed bids", Rank: store.LockRankBidsRevealed, Write: deleteBidEntries}
	concealmentChanges = &store.Sink[Bid]{Name: "concealment of bids", Rank: store.LockRankBidsRevealed, Write: setBidsConcealed}
)

// recordEntry stages a row of bid_entries for an entry of the bid. It does nothing for the zero Bid, which stands for a
// posting without one.
func (h Bid) recordEntry(b *store.Batch, t Transaction, e Entry) {
	if !h.AuctionID.IsZero() {
		bidEntries.Add(b, bidEntry{h, t.OrganizationID, t.WebsiteID, e})
	}
}

// conceal adds more, which may be negative, to the concealed amount of the account.
func (a *account) conceal(more laurel.Amount) {
	a.Concealed += more // of one balance: it stays in range
	a.concealedChanged = true
}

// BidPartLocks returns the locks of the accounts that Reveal and SetConcealed change.
func BidPartLocks(currency laurel.ID, paid []BidPart) []store.Lock {
	locks := make([]store.Lock, len(paid))
	for i, part := range paid {
		locks[i] = accounts.Lock(AccountKey{currency, part.UserID})
	}
	return locks
}

// Reveal shows the bid's entries to everybody, because its auction has ended. paid are the amounts that accounts have
// paid for the bid and not got back; they are not concealed any more.
func (h Bid) Reveal(b *store.Batch, currency laurel.ID, paid []BidPart) {
	if h.Concealed {
		concealParts(b, currency, paid, -1)
	}
	revealedBids.Add(b, h)
}

// SetConcealed conceals all bids of an open auction from now on if h.Concealed is set, and shows them otherwise. paid
// are the amounts that accounts have paid for these bids and not got back; they are added to the accounts' concealed
// amounts, or taken from them.
func (h Bid) SetConcealed(b *store.Batch, currency laurel.ID, paid []BidPart) {
	sign := laurel.Amount(-1)
	if h.Concealed {
		sign = 1
	}
	concealParts(b, currency, paid, sign)
	concealmentChanges.Add(b, h)
}

// concealParts adds the parts, times sign (1 or -1), to the concealed amounts of their accounts.
func concealParts(b *store.Batch, currency laurel.ID, paid []BidPart, sign laurel.Amount) {
	for _, part := range paid {
		accounts.Changed(b, AccountKey{currency, part.UserID}).conceal(sign * part.Amount)
	}
}

// RevealAll deletes the bid_entries of all bidders of an auction that holds no points any more.
func (h Bid) RevealAll(b *store.Batch) {
	h.BidderID = laurel.ID{}
	revealedBids.Add(b, h)
}

// visibleAmount returns the balance of the account as a reader may see it: without what concealed bids have taken.
func (a *account) visibleAmount(visibility laurel.Visibility) laurel.Amount {
	if visibility.All || a.UserID == visibility.User {
		return a.Amount
	}
	return a.Amount + a.Concealed
}
