package progress

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Reopening frees the windows that a payment of a rule has closed, so that it can be paid again. What the payment has
// counted for caps and streaks stays. It is a ledger.SideEffect.
type Reopening struct {
	payment  Payment
	windows  []PaidWindow
	subjects []laurel.ID
}

// Payment is a payment of a rule.
type Payment struct {
	Rule, Transaction laurel.ID
	At                time.Time
}

// FindReopening reads the windows that a payment to one of the subjects, which are a member and its group, has closed.
func FindReopening(
	ctx context.Context, q store.Queryer, payment Payment, subjects []laurel.ID,
) (*Reopening, error) {
	windows, err := windowsOfTransaction(ctx, q, payment.Rule, subjects, payment.Transaction)
	return &Reopening{payment, windows, subjects}, err
}

func windowKeyOf(w PaidWindow) WindowKey { return WindowKey{w.RuleID, w.SubjectID, w.Window} }

// Locks returns the locks of the rule states of the subjects, and of the windows.
func (r *Reopening) Locks() []store.Lock {
	var locks []store.Lock
	for _, subject := range r.subjects {
		locks = append(locks, States.Lock(StateKey{r.payment.Rule, subject}))
	}
	for _, w := range r.windows {
		locks = append(locks, PaidWindows.Lock(windowKeyOf(w)))
	}
	return locks
}

// CheckCurrent returns nil: a window that was freed meanwhile is left as it is.
func (r *Reopening) CheckCurrent(*store.Batch) error { return nil }

// Stage frees the windows and undoes the count of the completion. A window that another payment has closed since stays.
func (r *Reopening) Stage(b *store.Batch) {
	moments := []int64{store.Micros(r.payment.At)}
	for _, w := range r.windows {
		moments = append(moments, w.CreatedAt)
		if row := PaidWindows.Row(b, windowKeyOf(w)); row.CreatedAt != 0 && row.TransactionID == r.payment.Transaction {
			PaidWindows.Changed(b, windowKeyOf(w)).CreatedAt = 0
		}
	}
	for _, subject := range r.subjects {
		key := StateKey{r.payment.Rule, subject}
		if state := States.Row(b, key); !state.ID.IsZero() && state.Completions > 0 {
			States.Changed(b, key).Reopen(b.Now(), moments...)
		}
	}
}
