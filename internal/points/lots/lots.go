// Package lots owns the lots that an account's points consist of: each lot is made by one credit, debits take points
// from the oldest ones, and held points are lots that are not credited yet. Lots are computed from the account's
// entries after these are posted; a balance never depends on them. It does not own entries and balances (ledger), nor
// the work that expires and releases lots (expiry).
//
// The lots of an account and how far they are computed are its Book. Lots are computed only while points of the
// currency expire. An era is a time in which they do so without interruption, named by the moment at which it began;
// the balance at that moment becomes the first lot of the era.
package lots

import (
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// State is the state of a lot.
type State string

// The states. Pending lots are held points; they become released or cancelled. Where points expire, released and new
// lots are open until they are spent or expired. Closed lots were open when points of the currency stopped expiring.
const (
	StatePending   State = "pending"
	StateReleased  State = "released"
	StateCancelled State = "cancelled"
	StateOpen      State = "open"
	StateSpent     State = "spent"
	StateExpired   State = "expired"
	StateClosed    State = "closed"
)

// States lists every state.
var States = []string{
	string(StatePending),
	string(StateReleased),
	string(StateCancelled),
	string(StateOpen),
	string(StateSpent),
	string(StateExpired),
	string(StateClosed),
}

// Lot is the points of one credit to an account. Times are microseconds.
type Lot struct {
	ID             laurel.ID     `db:"id"`
	OrganizationID laurel.ID     `db:"organization_id"`
	WebsiteID      laurel.ID     `db:"website_id"`
	AccountID      laurel.ID     `db:"loyalty_account_id"`
	CurrencyID     laurel.ID     `db:"loyalty_currency_id"`
	UserID         laurel.ID     `db:"user_id"`
	State          State         `db:"state"`
	Amount         laurel.Amount `db:"amount"`
	Remaining      laurel.Amount `db:"remaining"` // the part of an open lot that is not spent; all of a pending one
	Era            int64         `db:"era"`       // since when points of the currency expired when the lot was made
	// the account's version after the credit; nil for pending lots, and if points do not expire
	Version       *int64    `db:"version"`
	RuleID        laurel.ID `db:"loyalty_rule_id"`
	RuleType      *string   `db:"loyalty_rule_type"`
	TransactionID laurel.ID `db:"loyalty_transaction_id"` // that granted held points
	// the credit; zero while pending, and for an opening balance
	EntryID     laurel.ID `db:"entry_id"`
	EndEntryID  laurel.ID `db:"end_entry_id"` // the debit by which it expired
	Reason      *string   `db:"reason"`       // of a cancellation
	Description string    `db:"description"`  // of the transaction that granted held points
	CreatedAt   int64     `db:"created_at"`
	WaitsUntil  *int64    `db:"waits_until"`
	ExpiresAt   *int64    `db:"expires_at"`
	EndedAt     *int64    `db:"ended_at"`
}

// Term says how many days points live that are credited since a moment; 0: they do not expire.
type Term struct {
	Since int64 `db:"since"`
	Days  int64 `db:"expire_after_days"`
}

// Terms are the terms of a currency, oldest first.
type Terms []Term

// Era returns the moment since when points of the currency expire without interruption, in microseconds, or 0 if they
// do not expire now.
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

// expiry returns when points expire that were credited at a moment, by the term that applied then. Points from before
// the present era, when they did not expire, live as if they had been credited when it began.
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

// Hold stages a lot of held points. It writes one row and locks nothing.
func Hold(b *store.Batch, l Lot) {
	l.State, l.Remaining = StatePending, l.Amount
	heldLots.Add(b, l)
}

// heldLots inserts lots of held points. It comes after the entries in the lock order.
var heldLots = &store.Sink[Lot]{Name: "held lots", Rank: store.LockRankHeldLots, Write: insertLots}

// Held is the table of held points for Works that cancel some, together with what else they change. The lock of the
// account comes first.
var Held = &store.Table[laurel.ID, Lot]{
	Name: "held points", Rank: store.LockRankEndedLots,
	Compare: laurel.ID.Compare,
	Query:   selectHeld,
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(l *Lot) laurel.ID { return l.ID },
	New:     func(id laurel.ID) *Lot { return &Lot{ID: id} },
	Save:    saveCancelled,
}

// CancelHeld stages the end of held points, which are then never credited. The caller has found them pending, under
// their lock.
func CancelHeld(b *store.Batch, id laurel.ID, reason string) {
	ended := store.Micros(b.Now())
	l := Held.Changed(b, id)
	l.State, l.Remaining, l.Reason, l.EndedAt = StateCancelled, 0, &reason, &ended
}

// TimeOrZero returns a stored time, or the zero time for nil.
func TimeOrZero(micros *int64) time.Time {
	if micros == nil {
		return time.Time{}
	}
	return store.Time(*micros)
}
