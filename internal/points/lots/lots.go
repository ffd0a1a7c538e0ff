// Package lots owns what an account's points are made of: lots, each given by one credit, the debits that took from
// them, oldest first, and held points before they are given. Lots follow from the account's entries and are worked
// out after them; a balance never depends on them. It does not own entries and balances (ledger), nor when lots end
// (expiry).
package lots

import (
	"time"

	"laurel"
	"laurel/internal/store"
)

// State says what has become of a lot.
type State string

// The states. Pending lots become released or cancelled; where points expire, released and new ones are open until they
// are spent or expired. Closed: the currency stopped to let points expire while the lot was open.
const (
	Pending   State = "pending"
	Released  State = "released"
	Cancelled State = "cancelled"
	Open      State = "open"
	Spent     State = "spent"
	Expired   State = "expired"
	Closed    State = "closed"
)

// States lists every state.
var States = []string{
	string(Pending),
	string(Released),
	string(Cancelled),
	string(Open),
	string(Spent),
	string(Expired),
	string(Closed),
}

// Lot is what one credit gave to an account. Times are microseconds.
type Lot struct {
	ID             laurel.ID     `db:"id"`
	OrganizationID laurel.ID     `db:"organization_id"`
	WebsiteID      laurel.ID     `db:"website_id"`
	AccountID      laurel.ID     `db:"loyalty_account_id"`
	CurrencyID     laurel.ID     `db:"loyalty_currency_id"`
	UserID         laurel.ID     `db:"user_id"`
	State          State         `db:"state"`
	Amount         laurel.Amount `db:"amount"`
	Remaining      laurel.Amount `db:"remaining"` // what is left of an open lot; of a pending one all
	Era            int64         `db:"era"`       // since when points of the currency expire, as of the lot
	// of the account after the credit; nil where no lots are kept, or not yet
	Version       *int64    `db:"version"`
	RuleID        laurel.ID `db:"loyalty_rule_id"`
	RuleType      *string   `db:"loyalty_rule_type"`
	TransactionID laurel.ID `db:"loyalty_transaction_id"` // by which a lot was granted that waited
	// the credit; zero while it waits, and of what was there before lots were kept
	EntryID     laurel.ID `db:"entry_id"`
	EndEntryID  laurel.ID `db:"end_entry_id"` // the debit by which it expired
	Reason      *string   `db:"reason"`       // of a cancellation
	Description string    `db:"description"`  // of the transaction that granted a lot that waited
	CreatedAt   int64     `db:"created_at"`
	WaitsUntil  *int64    `db:"waits_until"`
	ExpiresAt   *int64    `db:"expires_at"`
	EndedAt     *int64    `db:"ended_at"`
}

// Term is how many days points live that are given from a moment on; 0: they do not expire.
type Term struct {
	Since int64 `db:"since"`
	Days  int64 `db:"expire_after_days"`
}

// Terms are those of a currency, oldest first.
type Terms []Term

// Era returns since when points of the currency expire without interruption; 0 where they do not.
func (t Terms) Era() int64 {
	era := int64(0)
	for _, term := range t {
		switch {
		case term.Days == 0:
			era = 0
		case era == 0:
			era = term.Since
		}
	}
	return era
}

// expiry returns when points expire that were given at a moment: those of before the present era live as long as if
// they had been given when it began.
func (t Terms) expiry(at int64) int64 {
	at = max(at, t.Era())
	days := int64(0)
	for _, term := range t {
		if term.Since <= at {
			days = term.Days
		}
	}
	return at + days*int64(24*time.Hour/time.Microsecond)
}

// Hold stages a lot that is not given yet. It writes one row and locks nothing.
func Hold(b *store.Batch, l Lot) {
	l.State, l.Remaining = Pending, l.Amount
	heldLots.Add(b, l)
}

// heldLots stands in the lock order behind the entries: lots are only inserted by it.
var heldLots = &store.Sink[Lot]{Name: "lots that wait", Rank: store.RankHeldLots, Write: insertLots}

// TimeOrZero returns a stored time; the zero time for none.
func TimeOrZero(micros *int64) time.Time {
	if micros == nil {
		return time.Time{}
	}
	return store.Time(*micros)
}
