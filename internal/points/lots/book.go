package lots

import (
	"fmt"

	"laurel"
)

// Bookmark tells up to which of its entries the lots of an account are worked out.
type Bookmark struct {
	AccountID      laurel.ID `db:"loyalty_account_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	CurrencyID     laurel.ID `db:"loyalty_currency_id"`
	UserID         laurel.ID `db:"user_id"`
	Era            int64     `db:"era"`
	Version        int64     `db:"version"`  // of the account after the last entry that is worked in
	EntryAt        int64     `db:"entry_at"` // when that was made
}

// Account is an account as the ledger has it.
type Account struct {
	Bookmark               // Version and EntryAt are the account's own; Era is not used
	Amount   laurel.Amount // its balance
}

// Entry is one change of an account as lots see it.
type Entry struct {
	ID      laurel.ID
	Version int64
	Amount  laurel.Amount
	Debit   bool
	At      int64
	// Purpose is what a debit pays for, such as a hold or an auction, and what a credit gives back for. Empty: a credit
	// is new points.
	Purpose string
}

// purposeExpired is the purpose of debits by which lots expire.
const purposeExpired = "expired"

// allocation is how much of a lot a debit took, or a credit gave back.
type allocation struct {
	lot, entry laurel.ID
	amount     laurel.Amount
	version    int64
	at         int64
	purpose    string
}

// Book is the open lots of one account, oldest first, with what was done to them since they were read.
type Book struct {
	Bookmark
	terms       Terms
	newID       func() laurel.ID
	open        []*Lot
	heldLots    map[laurel.ID]*Lot // by entry: lots that waited until that credit
	added       []*Lot
	changed     map[laurel.ID]*Lot
	allocations []allocation
	readLots    map[laurel.ID]*Lot // that were read
	sources     map[string][]*source
	returns     []allocation // back
	account     Account
	isNew       bool // has no keeper yet
	restarts    bool // its keeper is of an earlier era, whose lots are closed first
}

// IsBehind reports whether entries of the account are not worked in.
func (b *Book) IsBehind() bool { return b.isNew || b.restarts || b.Version < b.account.Version }

// IsCurrent reports whether the book ends where the account was when it was read.
func (b *Book) IsCurrent() bool { return b.Version >= b.account.Version }

// NeedsOpening reports whether the book is to be begun, and since when: with what the account had then.
func (b *Book) NeedsOpening() (bool, int64) { return b.isNew || b.restarts, b.Era }

// IsIdle reports whether nothing has happened to the account since the era began: then its balance is the opening.
func (b *Book) IsIdle() bool { return b.account.EntryAt < b.Era }

// Opening is what an account had when an era began: its balance and version, and when it had come to them.
type Opening struct {
	Amount  laurel.Amount `db:"amount"`
	Version int64         `db:"version"`
	At      int64         `db:"created_at"`
}

// Open begins the book with what the account had: one lot.
func (b *Book) Open(o Opening) {
	b.Version, b.EntryAt = o.Version, o.At
	amount, version := o.Amount, o.Version
	if amount > 0 {
		l := &Lot{ID: b.newID(), Amount: amount, CreatedAt: b.Era}
		b.added = append(b.added, l)
		b.add(l, version, b.Era)
	}
}

// add puts a lot behind all others. at is when its points were given.
func (b *Book) add(l *Lot, version, at int64) { b.addUntil(l, version, b.terms.expiry(at)) }

// addUntil puts a lot behind all others that expires at a moment.
func (b *Book) addUntil(l *Lot, version, expires int64) {
	l.OrganizationID, l.WebsiteID, l.AccountID, l.CurrencyID, l.UserID =
		b.OrganizationID, b.WebsiteID, b.AccountID, b.CurrencyID, b.UserID
	l.State, l.Remaining, l.Era, l.Version, l.ExpiresAt = Open, l.Amount, b.Era, &version, &expires
	b.open = append(b.open, l)
}

// OpenIdle begins the book of an account to which nothing has happened since.
func (b *Book) OpenIdle() {
	b.Open(Opening{b.account.Amount, b.account.Version, b.account.EntryAt})
}

// Apply works the next entries in: a credit is a new lot, a debit takes from the oldest. They must have been read for
// (Prepare).
func (b *Book) Apply(entries []Entry) error {
	for _, e := range entries {
		if err := b.applyEntry(e); err != nil {
			return err
		}
	}
	return nil
}

func (b *Book) applyEntry(e Entry) error {
	if e.Version != b.Version+1 {
		return fmt.Errorf("lots: account %s: version %d follows %d", b.AccountID, e.Version, b.Version)
	}
	b.Version, b.EntryAt = e.Version, e.At
	switch {
	case e.Amount == 0:
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

// spend spends from the oldest lots.
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
			oldest.State, oldest.EndedAt = Spent, &e.At
			b.open = b.open[1:]
		}
	}
	return nil
}

func (b *Book) takeFrom(l *Lot, part laurel.Amount, e Entry) {
	l.Remaining -= part
	b.changed[l.ID] = l
	b.allocations = append(b.allocations, allocation{l.ID, e.ID, part, e.Version, e.At, e.Purpose})
	if e.Purpose != "" && e.Purpose != purposeExpired {
		b.addSource(e.Purpose, l, part)
	}
}

// Due returns those of the lots that were read which have expired by the moment, oldest first.
func (b *Book) Due(now int64) []*Lot {
	var due []*Lot
	for _, l := range b.open {
		if *l.ExpiresAt <= now {
			due = append(due, l)
		}
	}
	return due
}

// Expire ends a lot by the debit that took what was left of it, which is the account's next entry.
func (b *Book) Expire(l *Lot, e Entry) error {
	if e.Version != b.Version+1 || e.Amount != l.Remaining || !e.Debit {
		return fmt.Errorf("lots: account %s: entry %s is not the end of lot %s", b.AccountID, e.ID, l.ID)
	}
	b.Version, b.EntryAt, e.Purpose = e.Version, e.At, purposeExpired
	b.takeFrom(l, e.Amount, e)
	l.State, l.EndedAt, l.EndEntryID = Expired, &e.At, e.ID
	for i, o := range b.open {
		if o == l {
			b.open = append(b.open[:i:i], b.open[i+1:]...)
			break
		}
	}
	return nil
}

// totalDebits returns how much the entries take from lots, at most.
func totalDebits(entries []Entry) laurel.Amount {
	need := laurel.Amount(0)
	for _, e := range entries {
		if e.Debit {
			need += e.Amount // in range: debits are covered by credits
		}
	}
	return need
}
