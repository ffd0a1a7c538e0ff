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

// Share is what one account has paid for a bid.
type Share struct {
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
	bidEntries = &store.Sink[bidEntry]{Name: "entries of bids", Rank: store.RankBidEntries, Write: insertBidEntries}
	bidsShown  = &store.Sink[Bid]{Name: "bids that are shown", Rank: store.RankBidsRevealed, Write: deleteBidEntries}
	bidsTurned = &store.Sink[Bid]{Name: "bids that are turned", Rank: store.RankBidsRevealed, Write: turnBidEntries}
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

// ShareLocks names the accounts that Reveal and Conceal change.
func ShareLocks(currency laurel.ID, paid []Share) []store.Lock {
	locks := make([]store.Lock, len(paid))
	for i, share := range paid {
		locks[i] = accounts.Lock(accountKey{currency, share.UserID})
	}
	return locks
}

// Reveal shows everybody what the bid did to the accounts that paid: its auction is over. Where bids were hidden, paid
// is what is held for it now.
func (h Bid) Reveal(b *store.Batch, currency laurel.ID, paid []Share) {
	if h.Concealed {
		turn(b, currency, paid, -1)
	}
	bidsShown.Add(b, h)
}

// Turn conceals all bids of the auction from now on, or shows them. paid is what is held of all accounts.
func (h Bid) Turn(b *store.Batch, currency laurel.ID, paid []Share) {
	way := laurel.Amount(-1)
	if h.Concealed {
		way = 1
	}
	turn(b, currency, paid, way)
	bidsTurned.Add(b, h)
}

func turn(b *store.Batch, currency laurel.ID, paid []Share, way laurel.Amount) {
	for _, share := range paid {
		accounts.Changed(b, accountKey{currency, share.UserID}).conceal(way * share.Amount)
	}
}

// Forget shows what is remembered of an auction that holds nothing any more.
func (h Bid) Forget(b *store.Batch) {
	h.BidderID = laurel.ID{}
	bidsShown.Add(b, h)
}

// seen returns the balance of the account as a reader sees it.
func (a *account) seen(sight laurel.Sight) laurel.Amount {
	if sight.All || a.UserID == sight.User {
		return a.Amount
	}
	return a.Amount + a.Concealed
}
