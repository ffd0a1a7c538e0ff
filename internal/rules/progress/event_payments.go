package progress

import (
	"cmp"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// EventKey identifies an event of a contract for a rule.
type EventKey struct {
	Rule laurel.ID
	Key  string // chainId:blockHash:txHash:logIndex
}

// EventPayment is what a rule has paid for an event of a contract. Without a subject it has paid nothing: the event was
// taken back before.
type EventPayment struct {
	RuleID         laurel.ID     `db:"loyalty_rule_id"`
	Key            string        `db:"event_key"`
	OrganizationID laurel.ID     `db:"organization_id"`
	WebsiteID      laurel.ID     `db:"website_id"`
	SubjectID      laurel.ID     `db:"subject_id"` // the member or its group
	UserID         laurel.ID     `db:"user_id"`
	Window         string        `db:"window_key"` // the window that the payment has closed
	Amount         laurel.Amount `db:"amount"`     // as caps count it
	TransactionID  laurel.ID     `db:"loyalty_transaction_id"`
	HappenedAt     int64         `db:"happened_at"`  // the moment as of which it was decided
	PublishedAt    int64         `db:"published_at"` // when the reader told of the event that was paid
	PaidAt         int64         `db:"paid_at"`
	RemovedAt      *int64        `db:"removed_at"`  // the last time that the event was taken back
	IsKept         bool          `db:"kept"`        // it was taken back, and the points stay
	ReversalID     laurel.ID     `db:"reversal_id"` // the transaction that took points back
	isNew          bool
}

// PaidTime returns when the rule has paid.
func (p *EventPayment) PaidTime() time.Time { return store.Time(p.PaidAt) }

// RemovedTime returns when the event was taken back for the last time; the zero time if it was not.
func (p *EventPayment) RemovedTime() time.Time {
	if p.RemovedAt == nil {
		return time.Time{}
	}
	return store.Time(*p.RemovedAt)
}

// IsOpen reports whether the event is paid, and not taken back since.
func (p *EventPayment) IsOpen() bool { return !p.SubjectID.IsZero() && p.RemovedAt == nil }

// IsClosed reports whether the event must not pay: it is paid, its points stay, or it was taken back at a moment or
// later.
func (p *EventPayment) IsClosed(at int64) bool {
	return p.IsOpen() || p.IsKept || p.RemovedAt != nil && *p.RemovedAt >= at
}

// EventPayments are the rows of rule_event_payments.
var EventPayments = &store.Table[EventKey, EventPayment]{
	Name: "event payments", Rank: store.LockRankEventPayments,
	Compare: func(a, b EventKey) int { return cmp.Or(a.Rule.Compare(b.Rule), cmp.Compare(a.Key, b.Key)) },
	Query:   selectEventPayment,
	Key:     store.Columns("loyalty_rule_id uuid, event_key text"),
	Args:    func(k EventKey) []any { return []any{k.Rule, k.Key} },
	KeyOf:   func(p *EventPayment) EventKey { return EventKey{p.RuleID, p.Key} },
	New:     func(k EventKey) *EventPayment { return &EventPayment{RuleID: k.Rule, Key: k.Key, isNew: true} },
	Save:    saveEventPayments,
}
