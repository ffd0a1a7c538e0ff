package lots

import (
	"fmt"

	"laurel.example/laurel"
)

// Bookmark says up to which entry of an account its lots are computed.
type Bookmark struct {
	AccountID      laurel.ID `db:"loyalty_account_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	CurrencyID     laurel.ID `db:"loyalty_currency_id"`
	UserID         laurel.ID `db:"user_id"`
	Era            int64     `db:"era"`
	Version        int64     `db:"version"`  // of the account after the last entry that was applied
	EntryAt        int64     `db:"entry_at"` // when that entry was made
}

// Account is an account in the ledger.
type Account struct {
	Bookmark               // Version and EntryAt are the account's own; Era is not used
	Amount   laurel.Amount // its balance
}

// Entry is an entry of the account, as far as lots need it.
type Entry struct {
	ID      laurel.ID
	Version int64
	Amount  laurel.Amount
	Debit   bool
	At      int64
	// Purpose names what a debit pays for, or a credit refunds, such as a hold or an auction. A credit without one is
	// new points.
	Purpose string
}

// purposeExpired is the purpose of debits by which lots expire.
const purposeExpired = "expired"

// allocation is the amount that a debit took from a lot, or that a credit returned to it.
type allocation struct {
	lot, entry laurel.ID
	amount     laurel.Amount
	version    int64
	at         int64
	purpose    string
}

// Book has the open lots of one account, oldest first, and the changes to them that Save writes.
type Book struct {
	Bookmark
	terms       Terms
	newID       func() laurel.ID
	open        []*Lot
	heldLots    map[laurel.ID]*Lot // by entry: held points that this credit released
	added       []*Lot
	changed     map[laurel.ID]*Lot
	allocations []allocation
	readLots    map[laurel.ID]*Lot // all lots that were read
	sources     map[string][]*source
	returns     []allocation // points that came back to lots
	account     Account
	isNew       bool // it has no bookmark yet
	restarts    bool // its bookmark is of an earlier era, whose lots are closed first
}

// IsBehind reports whether the account has entries that are not applied to the book.
func (b *Book) IsBehind() bool { return b.isNew || b.restarts || b.Version < b.account.Version }

// IsCurrent reports whether all entries are applied that the account had when it was read.
func (b *Book) IsCurrent() bool { return b.Version >= b.account.Version }

// NeedsOpening reports whether the book must be begun with an opening balance, and the moment of that balance.
func (b *Book) NeedsOpening() (bool, int64) { return b.isNew || b.restarts, b.Era }

// IsIdle reports whether the account has no entries since the era began. Then its balance is the opening balance.
func (b *Book) IsIdle() bool { return b.account.EntryAt < b.Era }

// Opening is the balance of an account when an era began, with its version and the time of its last entry then.
type Opening struct {
	Amount  laurel.Amount `db:"amount"`
	Version int64         `db:"version"`
	At      int64         `db:"created_at"`
}

// Open begins the book with one lot for the opening balance, or with none if that is zero.
func (b *Book) Open(o Opening) {
	b.Version, b.EntryAt = o.Version, o.At
	amount, version := o.Amount, o.Version
	if amount > 0 {
		l := &Lot{ID: b.newID(), Amount: amount, CreatedAt: b.Era}
		b.added = append(b.added, l)
		b.add(l, version, b.Era)
	}
}

// add appends a lot to the open ones. version is the account's after the credit, at is when its points were credited;
// from then on they live as long as the terms of the currency say.
func (b *Book) add(l *Lot, version, at int64) { b.addUntil(l, version, b.terms.expiry(at)) }

// addUntil is add for a lot that expires at a given moment.
func (b *Book) addUntil(l *Lot, version, expires int64) {
	l.OrganizationID, l.WebsiteID, l.AccountID, l.CurrencyID, l.UserID =
		b.OrganizationID, b.WebsiteID, b.AccountID, b.CurrencyID, b.UserID
	l.State, l.Remaining, l.Era, l.Version, l.ExpiresAt = StateOpen, l.Amount, b.Era, &version, &expires
	b.open = append(b.open, l)
}

// OpenIdle begins the book of an account that is idle: its balance is the opening balance.
func (b *Book) OpenIdle() {
	b.Open(Opening{b.account.Amount, b.account.Version, b.account.EntryAt})
}

// Apply applies the next entries of the account, for which ReadLotsFor must have read the lots. A credit makes a lot;
// if it released held points, it opens their lot instead. A debit takes from the oldest lots. A refund returns points
// to the lots that paid.
func (b *Book) Apply(entries []Entry) error {
	for _, e := range entries {
		if err := b.applyEntry(e); err != nil {
			return err
		}
	}
	return nil
}

// applyEntry applies one entry, which must be the next of the account: its version must follow the book's.
func (b *Book) applyEntry(e Entry) error {
	if e.Version != b.Version+1 {
		return fmt.Errorf("lots: account %s: version %d follows %d", b.AccountID, e.Version, b.Version)
	}
	b.Version, b.EntryAt = e.Version, e.At
	switch {
	case e.Amount == 0: // changes no lot
	case e.Debit:
		return b.spend(e)
	case e.Purpose != "":
		b.returnToLots(e)
	default:
		l := b.heldLots[e.ID]
		if l == nil {
			l = &Lot{ID: b.newID(), Amount: e.Amount, EntryID: e.ID, CreatedAt: e.At}
			b.added = append(b.added, l)
		} else {
			b.changed[l.ID] = l
		}
		b.add(l, e.Version, e.At)
	}
	return nil
}

// spend takes the amount of a debit from the oldest open lots. It fails if they hold less, which cannot happen while
// balances and lots agree.
func (b *Book) spend(e Entry) error {
	rest := e.Amount
	for rest > 0 {
		if len(b.open) == 0 {
			return fmt.Errorf("lots: account %s: entry %s takes %s more than the lots hold", b.AccountID, e.ID, rest)
		}
		oldest := b.open[0]
		part := min(rest, oldest.Remaining)
		rest -= part
		b.takeFrom(oldest, part, e)
		if oldest.Remaining == 0 {
			oldest.State, oldest.EndedAt = StateSpent, &e.At
			b.open = b.open[1:]
		}
	}
	return nil
}

// takeFrom takes a part of a lot for a debit. If the debit pays for something that may be refunded, it records the lot
// as a source of refunds.
func (b *Book) takeFrom(l *Lot, part laurel.Amount, e Entry) {
	l.Remaining -= part
	b.changed[l.ID] = l
	b.allocations = append(b.allocations, allocation{l.ID, e.ID, part, e.Version, e.At, e.Purpose})
	if e.Purpose != "" && e.Purpose != purposeExpired {
		b.addSource(e.Purpose, l, part)
	}
}

// ExpiredLots returns the open lots that have expired by the moment, oldest first. It knows only the lots that were
// read into the book, such as by ReadExpiredLots.
func (b *Book) ExpiredLots(now int64) []*Lot {
	var due []*Lot
	for _, l := range b.open {
		if *l.ExpiresAt <= now {
			due = append(due, l)
		}
	}
	return due
}

// Expire ends a lot as expired. e is the debit of all that was left of the lot, and must be the account's next entry.
func (b *Book) Expire(l *Lot, e Entry) error {
	if e.Version != b.Version+1 || e.Amount != l.Remaining || !e.Debit {
		return fmt.Errorf("lots: account %s: entry %s is not the end of lot %s", b.AccountID, e.ID, l.ID)
	}
	b.Version, b.EntryAt, e.Purpose = e.Version, e.At, purposeExpired
	b.takeFrom(l, e.Amount, e)
	l.State, l.EndedAt, l.EndEntryID = StateExpired, &e.At, e.ID
	for i, o := range b.open {
		if o == l {
			b.open = append(b.open[:i:i], b.open[i+1:]...)
			break
		}
	}
	return nil
}

// totalDebits returns the sum of the debits among the entries, which is the most that they take from lots.
func totalDebits(entries []Entry) laurel.Amount {
	sum := laurel.Amount(0)
	for _, e := range entries {
		if e.Debit {
			sum += e.Amount // in range: debits are covered by credits
		}
	}
	return sum
}
