package lots

import (
	"cmp"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Refunded points return to the lots that they came from, and still expire when those do
// (docs/decisions/0074-points-that-come-back.md). The purposes of the account's entries say which lots these are.

// transactionPurpose begins the purposes of payments that only a reversal gives back.
const transactionPurpose = "transaction "

// TransactionPurpose returns the purpose of a payment that is for nothing but its own transaction.
func TransactionPurpose(id laurel.ID) string { return transactionPurpose + id.String() }

// source is a lot that has paid for a purpose, with the amount that was not refunded yet.
type source struct {
	lot    *Lot
	amount laurel.Amount
}

// addSource records that a lot has paid an amount for a purpose. The sources of a purpose are kept in the order in
// which their lots were made.
func (b *Book) addSource(purpose string, l *Lot, amount laurel.Amount) {
	list := b.sources[purpose]
	for _, s := range list {
		if s.lot == l {
			s.amount += amount
			return
		}
	}
	b.sources[purpose] = append(list, &source{l, amount})
	byAge := func(a, b *source) int { return cmp.Compare(*a.lot.Version, *b.lot.Version) }
	slices.SortStableFunc(b.sources[purpose], byAge)
}

// returnToLots returns the amount of a refund to the lots that have paid for its purpose, the newest first, because
// debits took the oldest first. The rest, which no lot of the present era has paid, becomes a new lot. That expires
// when the first of the paying lots does, or, if there is none, like points that were credited before the era; those of
// a reversal then live like new ones.
func (b *Book) returnToLots(e Entry) {
	rest, expires := e.Amount, int64(0)
	for _, s := range slices.Backward(b.sources[e.Purpose]) {
		if expires == 0 || *s.lot.ExpiresAt < expires {
			expires = *s.lot.ExpiresAt
		}
		if part := min(rest, s.amount); part > 0 {
			rest, s.amount = rest-part, s.amount-part
			b.returns = append(b.returns, allocation{s.lot.ID, e.ID, part, e.Version, e.At, e.Purpose})
			s.lot.Remaining += part
			b.reopen(s.lot)
		}
	}
	if rest == 0 {
		return
	}
	switch {
	case expires != 0:
	case strings.HasPrefix(e.Purpose, transactionPurpose): // perhaps paid before lots knew this purpose
		expires = b.terms.expiry(e.At)
	default:
		expires = b.terms.expiry(0) // 0: before every era
	}
	l := &Lot{ID: b.newID(), Amount: rest, EntryID: e.ID, CreatedAt: e.At}
	b.added = append(b.added, l)
	b.addUntil(l, e.Version, expires)
}

// reopen makes a lot open again because points have returned to it, and puts it at its place among the open lots. If
// the lot has expired meanwhile, it expires again like any open lot that is due.
func (b *Book) reopen(l *Lot) {
	b.changed[l.ID] = l
	l.State, l.EndedAt, l.EndEntryID = StateOpen, nil, laurel.ID{}
	at, _ := slices.BinarySearchFunc(b.open, *l.Version, func(o *Lot, v int64) int { return cmp.Compare(*o.Version, v) })
	if at == len(b.open) || b.open[at] != l {
		b.open = slices.Insert(b.open, at, l)
	}
}

// Refund is a refund in a currency whose points expire. Its account's lots are updated soon, because the lots that the
// points return to may have expired.
type Refund struct {
	EntryID        laurel.ID `db:"entry_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	CurrencyID     laurel.ID `db:"loyalty_currency_id"`
	UserID         laurel.ID `db:"user_id"`
}

// Enqueue stages the refund for an update of its account's lots. It writes one row and locks nothing.
func (r Refund) Enqueue(b *store.Batch) { refunds.Add(b, r) }

var refunds = &store.Sink[Refund]{Name: "refunds to lots", Rank: store.LockRankRefunds, Write: insertRefunds}
