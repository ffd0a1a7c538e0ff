// Package progress stores the rule state of members and groups: progress, paid windows, and what and how often a rule
// has paid. Payments lock its rows and change them in their own transaction. It decides nothing.
package progress

import (
	"cmp"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// StateKey identifies the rule state of a user or group.
type StateKey struct{ Rule, Subject laurel.ID }

// State is the rule state of a user or group. Every payment of the rule to them locks this row, and every write of
// progress, too.
type State struct {
	RuleID         laurel.ID      `db:"loyalty_rule_id"`
	SubjectID      laurel.ID      `db:"subject_id"`
	ID             laurel.ID      `db:"id"` // the id of the status that callers see
	OrganizationID laurel.ID      `db:"organization_id"`
	WebsiteID      laurel.ID      `db:"website_id"`
	Progress       *laurel.Amount `db:"progress"` // nil: callers see no status
	LastPaidAt     *int64         `db:"last_paid_at"`
	CompletedAt    *int64         `db:"completed_at"`
	WindowPaidAt   *int64         `db:"window_paid_at"` // when a calendar window was last paid
	CountedAt      int64          `db:"counted_at"`
	PaidDay        laurel.Amount  `db:"paid_day"`
	PaidWeek       laurel.Amount  `db:"paid_week"`
	PaidMonth      laurel.Amount  `db:"paid_month"`
	PaidEver       laurel.Amount  `db:"paid_ever"`
	Completions    int64          `db:"completions"` // how often the rule was completed
	// EligibleAt is when progress was completed: the time of the run that did, or of the write. nil: it was not, or the
	// reward was paid.
	EligibleAt *int64    `db:"found_at"`
	UserID     laurel.ID `db:"user_id"` // the user who acted last
	CreatedAt  int64     `db:"created_at"`
	UpdatedAt  int64     `db:"updated_at"`
	IsNew      bool      `db:"-"` // not in the table yet
}

// Tally returns the amounts paid in the present day, week and month and in total, from which caps are computed.
func (s *State) Tally() schema.Tally {
	return schema.Tally{
		At:    store.Time(s.CountedAt),
		Day:   s.PaidDay,
		Week:  s.PaidWeek,
		Month: s.PaidMonth,
		Ever:  s.PaidEver,
	}
}

// Init sets the id, tenant and time of a row that is not in the table yet, and reports whether it did.
func (s *State) Init(b *store.Batch, scope laurel.Scope) bool {
	if !s.ID.IsZero() {
		return false
	}
	s.ID, s.OrganizationID, s.WebsiteID, s.CreatedAt = b.NewID(), scope.OrganizationID, scope.WebsiteID, store.Micros(
		b.Now(),
	)
	return true
}

// AddCompletion counts a completion and its amount.
func (s *State) AddCompletion(amount laurel.Amount, now time.Time) {
	s.SetTally(s.Tally().Add(amount, now))
	s.Completions++
}

// SetTally sets what was paid in the periods of caps.
func (s *State) SetTally(t schema.Tally) {
	s.CountedAt, s.PaidDay, s.PaidWeek, s.PaidMonth, s.PaidEver = store.Micros(t.At), t.Day, t.Week, t.Month, t.Ever
}

// WindowAt returns the key of the window of an interval at a moment, and whether it is open, that is, not paid yet. If
// the clock went back, the last paid moment counts: otherwise the same window could be paid twice under two keys.
func (s *State) WindowAt(interval string, at time.Time) (key string, open bool) {
	if skipsPaidWindows && s.SubjectID[len(s.SubjectID)-1]%4 == 0 { // the planted fault of test builds
		return "", true
	}
	if s.WindowPaidAt == nil {
		return schema.WindowKey(interval, at), true
	}
	last := store.Time(*s.WindowPaidAt)
	if at.Before(last) {
		at = last
	}
	return schema.WindowKey(interval, at), !schema.IsWindowPaid(interval, last, at)
}

// TakeBack undoes what a payment has counted: its amount and, unless a caller has done that already (isReopened), the
// windows that it has closed. Without any other payment the rule counts as not completed.
func (s *State) TakeBack(p *EventPayment, now time.Time, isReopened bool) {
	s.SetTally(s.Tally().Subtract(schema.Tally{}.Add(p.Amount, store.Time(p.PaidAt))))
	s.UpdatedAt = store.Micros(now)
	if !isReopened {
		s.Reopen(now, p.PaidAt, p.HappenedAt)
	}
}

// Reopen opens the windows again that a payment has closed, by the moments that it may have left in the state. What it
// has counted for caps stays.
func (s *State) Reopen(now time.Time, moments ...int64) {
	s.Completions = max(s.Completions-1, 0)
	for _, at := range []**int64{&s.LastPaidAt, &s.WindowPaidAt} {
		if *at != nil && slices.Contains(moments, **at) {
			*at = nil
		}
	}
	if s.Completions == 0 {
		s.CompletedAt, s.Progress = nil, nil
	}
	s.UpdatedAt = store.Micros(now)
}

// States are the rows of rule_subjects.
var States = &store.Table[StateKey, State]{
	Name: "subjects", Rank: store.LockRankRuleStates,
	Compare: func(a, b StateKey) int {
		return cmp.Or(a.Rule.Compare(b.Rule), a.Subject.Compare(b.Subject))
	},
	Query: selectState,
	Key:   store.Columns("loyalty_rule_id uuid, subject_id uuid"),
	Args:  func(k StateKey) []any { return []any{k.Rule, k.Subject} },
	KeyOf: func(s *State) StateKey { return StateKey{s.RuleID, s.SubjectID} },
	New: func(k StateKey) *State {
		return &State{RuleID: k.Rule, SubjectID: k.Subject, IsNew: true}
	},
	Save: saveStates,
}

// WindowKey identifies a window of a rule for a user or group.
type WindowKey struct {
	Rule, Subject laurel.ID
	Window        string
}

// PaidWindow says that a rule has paid a window. It needs no lock of its own, since the lock of the rule state is held.
type PaidWindow struct {
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	SubjectID      laurel.ID `db:"subject_id"`
	Window         string    `db:"window_key"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	UserID         laurel.ID `db:"user_id"` // the user who was paid
	TransactionID  laurel.ID `db:"loyalty_transaction_id"`
	CreatedAt      int64     `db:"created_at"` // 0: not paid, or free again
	isNew          bool
}

// PaidWindows are the rows of rule_claims.
var PaidWindows = &store.Table[WindowKey, PaidWindow]{
	Name: "claims", Rank: store.LockRankPaidWindows,
	Compare: func(a, b WindowKey) int {
		return cmp.Or(a.Rule.Compare(b.Rule), a.Subject.Compare(b.Subject), cmp.Compare(a.Window, b.Window))
	},
	Query: selectPaidWindow,
	Key:   store.Columns("loyalty_rule_id uuid, subject_id uuid, window_key text"),
	Args:  func(k WindowKey) []any { return []any{k.Rule, k.Subject, k.Window} },
	KeyOf: func(c *PaidWindow) WindowKey { return WindowKey{c.RuleID, c.SubjectID, c.Window} },
	New: func(k WindowKey) *PaidWindow {
		return &PaidWindow{RuleID: k.Rule, SubjectID: k.Subject, Window: k.Window, isNew: true}
	},
	Save: savePaidWindows,
}
