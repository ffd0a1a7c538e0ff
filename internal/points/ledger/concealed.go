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
	bidEntries    = &store.Sink[bidEntry]{Name: "entries of bids", Rank: store.RankBidEntries, Write: insertBidEntries}
	bidsShown     = &store.Sink[Bid]{Name: "bids that are shown", Rank: store.RankBidsRevealed, Write: deleteBidEntries}
	bidsConcealed = &store.Sink[Bid]{Name: "hiding of bids", Rank: store.RankBidsRevealed, Write: setBidsConcealed}
)

// enter remembers an entry of the bid.
func (h Bid) enter(b *store.Batch, t Transaction, e Entry) {
	if !h.AuctionID.IsZero() {
		bidEntries.Add(b, bidEntry{h, t.OrganizationID, t.WebsiteID, e})
	}
}

// conceal adds to what is concealed of the account.
func (a *account) conceal(more laurel.Amount) {
	a.Concealed += more // of one balance: it stays in range
	a.reconcealed = true
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
	bidsShown.Add(b, h)
}

// SetConcealed conceals all bids of the auction from now on, or shows them. paid is what is held of all accounts.
func (h Bid) SetConcealed(b *store.Batch, currency laurel.ID, paid []BidPart) {
	way := laurel.Amount(-1)
	if h.Concealed {
		way = 1
	}
	concealParts(b, currency, paid, way)
	bidsConcealed.Add(b, h)
}

func concealParts(b *store.Batch, currency laurel.ID, paid []BidPart, way laurel.Amount) {
	for _, part := range paid {
		accounts.Changed(b, accountKey{currency, part.UserID}).conceal(way * part.Amount)
	}
}

// Forget shows what is remembered of an auction that holds nothing any more.
func (h Bid) Forget(b *store.Batch) {
	h.BidderID = laurel.ID{}
	bidsShown.Add(b, h)
}

// seen returns the balance of the account as a reader sees it.
func (a *account) seen(visibility laurel.Visibility) laurel.Amount {
	if visibility.All || a.UserID == visibility.User {
		return a.Amount
	}
	return a.Amount + a.Concealed
}
