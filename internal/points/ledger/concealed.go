package ledger

import (
	"laurel"
	"laurel/internal/store"
)

// Bid names whose bid of which auction a posting is for. Until the auction is over its entries are remembered, and
// while bids are hidden they are concealed (docs/decisions/0081-sealed-bids.md).
type Bid struct {
	AuctionID laurel.ID
	BidderID  laurel.ID
	Concealed bool
}

// BidPart is what one account has paid for a bid.
type BidPart struct {
	UserID laurel.ID
	Amount laurel.Amount
}

// bidEntry is an entry that is for a bid.
type bidEntry struct {
	Bid
	OrganizationID, WebsiteID laurel.ID
	Entry
}

var (
	bidEntries         = &store.Sink[bidEntry]{Name: "entries of bids", Rank: store.RankBidEntries, Write: insertBidEntries}
	revealedBids       = &store.Sink[Bid]{Name: "bids that are shown", Rank: store.RankBidsRevealed, Write: deleteBidEntries}
	concealmentChanges = &store.Sink[Bid]{Name: "hiding of bids", Rank: store.RankBidsRevealed, Write: setBidsConcealed}
)

// recordEntry remembers an entry of the bid.
func (h Bid) recordEntry(b *store.Batch, t Transaction, e Entry) {
	if !h.AuctionID.IsZero() {
		bidEntries.Add(b, bidEntry{h, t.OrganizationID, t.WebsiteID, e})
	}
}

// conceal adds to what is concealed of the account.
func (a *account) conceal(more laurel.Amount) {
	a.Concealed += more // of one balance: it stays in range
	a.concealedChanged = true
}

// BidPartLocks names the accounts that Reveal and SetConcealed change.
func BidPartLocks(currency laurel.ID, paid []BidPart) []store.Lock {
	locks := make([]store.Lock, len(paid))
	for i, part := range paid {
		locks[i] = accounts.Lock(accountKey{currency, part.UserID})
	}
	return locks
}

// Reveal shows everybody what the bid did to the accounts that paid: its auction is over. Where bids were hidden, paid
// is what is held for it now.
func (h Bid) Reveal(b *store.Batch, currency laurel.ID, paid []BidPart) {
	if h.Concealed {
		concealParts(b, currency, paid, -1)
	}
	revealedBids.Add(b, h)
}

// SetConcealed conceals all bids of the auction from now on, or shows them. paid is what is held of all accounts.
func (h Bid) SetConcealed(b *store.Batch, currency laurel.ID, paid []BidPart) {
	sign := laurel.Amount(-1)
	if h.Concealed {
		sign = 1
	}
	concealParts(b, currency, paid, sign)
	concealmentChanges.Add(b, h)
}

func concealParts(b *store.Batch, currency laurel.ID, paid []BidPart, sign laurel.Amount) {
	for _, part := range paid {
		accounts.Changed(b, accountKey{currency, part.UserID}).conceal(sign * part.Amount)
	}
}

// RevealAll shows what is remembered of an auction that holds nothing any more.
func (h Bid) RevealAll(b *store.Batch) {
	h.BidderID = laurel.ID{}
	revealedBids.Add(b, h)
}

// visibleAmount returns the balance of the account as a reader sees it.
func (a *account) visibleAmount(visibility laurel.Visibility) laurel.Amount {
	if visibility.All || a.UserID == visibility.User {
		return a.Amount
	}
	return a.Amount + a.Concealed
}
