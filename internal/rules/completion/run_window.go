package completion

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/store"
)

// RunWindow is the window of a run for one user, for payments that are no completions: referral shares.
type RunWindow struct{ Rule, User laurel.ID }

// key returns the key of the paid window of a run.
func (c RunWindow) key(at time.Time) progress.WindowKey {
	return progress.WindowKey{Rule: c.Rule, Subject: c.User, Window: RunWindowKey(at)}
}

// Lock returns the lock of the window of a run.
func (c RunWindow) Lock(at time.Time) store.Lock { return progress.PaidWindows.Lock(c.key(at)) }

// MarkPaid stages that a transaction has paid the window.
func (c RunWindow) MarkPaid(b *store.Batch, at time.Time, t ledger.Transaction) {
	row := progress.PaidWindows.Changed(b, c.key(at))
	row.OrganizationID, row.WebsiteID, row.UserID, row.TransactionID = t.OrganizationID, t.WebsiteID, c.User, t.ID
	row.CreatedAt = store.Micros(at)
}

// IsOpen reports whether nothing was paid in the window yet. Its lock is held.
func (c RunWindow) IsOpen(b *store.Batch, at time.Time) bool {
	return progress.PaidWindows.Row(b, c.key(at)).CreatedAt == 0
}

// PaidUsers returns which of the users were paid by the run of the rule at a time, read without locks.
func (s *Service) PaidUsers(
	ctx context.Context,
	_ laurel.Scope,
	rule laurel.ID,
	users []laurel.ID,
	at time.Time,
) (map[laurel.ID]bool, error) {
	return progress.PaidSubjects(ctx, s.db, rule, RunWindowKey(at), users)
}
