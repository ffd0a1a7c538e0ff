package lots

import (
	"cmp"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// Points that come back return to the lots that they came from, and keep the day on which those expire
// (docs/decisions/0074-points-that-come-back.md). Which lots these are follows from the purposes of the account's
// entries.

// source is a lot that has paid for a purpose, and how much of that has not come back.
type source struct {
	lot    *Lot
	amount laurel.Amount
}

// addSource notes that a lot has paid for a purpose. Sources are in the order of their lots.
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

// returnToLots returns what a credit gives back to the lots that have paid for its purpose, the newest first: debits
// took the oldest first. What no lot of the present era has paid was paid before it, and lives like all points of then.
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
	if expires == 0 {
		expires = b.terms.expiry(0)
	}
	l := &Lot{ID: b.newID(), Amount: rest, EntryID: e.ID, CreatedAt: e.At}
	b.added = append(b.added, l)
	b.addUntil(l, e.Version, expires)
}

// reopen has a lot open that something came back to, at its place among the others. One that has expired meanwhile
// expires again, like any open lot that is due.
func (b *Book) reopen(l *Lot) {
	b.changed[l.ID] = l
	l.State, l.EndedAt, l.EndEntryID = Open, nil, laurel.ID{}
	at, _ := slices.BinarySearchFunc(b.open, *l.Version, func(o *Lot, v int64) int { return cmp.Compare(*o.Version, v) })
	if at == len(b.open) || b.open[at] != l {
		b.open = slices.Insert(b.open, at, l)
	}
}

// Refund is a credit that gives points back in a currency whose points expire: its account is looked at soon, since the
// lots that it returns to may have expired.
type Refund struct {
	EntryID        laurel.ID `db:"entry_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	CurrencyID     laurel.ID `db:"loyalty_currency_id"`
	UserID         laurel.ID `db:"user_id"`
}

// Enqueue stages that the account of a refund is looked at. It writes one row and locks nothing.
func (r Refund) Enqueue(b *store.Batch) { refunds.Add(b, r) }

var refunds = &store.Sink[Refund]{Name: "refunds to lots", Rank: store.RankRefunds, Write: insertRefunds}
