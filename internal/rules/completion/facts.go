package completion

import (
	"context"

	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
)

// readFacts reads every fact without locks.
func (w *completion) readFacts(ctx context.Context) (decision.Facts, error) {
	if err := w.readSteps(ctx); err != nil {
		return decision.Facts{}, err
	}
	return w.gather(ctx)
}

// gather reads without locks what Judge looks at, beside what was read ahead.
func (w *completion) gather(ctx context.Context) (decision.Facts, error) {
	db := w.service.db
	sub, err := w.service.deps.Loaders.State(ctx, w.StateKey())
	if err != nil {
		return decision.Facts{}, err
	}
	var open bool
	w.window, open = w.windowAt(&sub, w.DecisionTime(db.Now()))
	paid := !open
	if w.Trigger.HasFixedWindow || w.Rule.HasWindowPerCode() || w.functionKey() != "" { // the subject remembers only the last window of the calendar
		if paid, err = progress.IsPaid(ctx, db, w.paidWindowKey(w.window)); err != nil {
			return decision.Facts{}, err
		}
	}
	live := true
	if currency := w.Rule.Currency(); !currency.IsZero() {
		if live, err = w.service.ledger.Live(ctx, w.Scope, currency); err != nil {
			return decision.Facts{}, err
		}
	}
	facts := w.factsOf(&sub, paid, live)
	facts.Now = w.DecisionTime(db.Now())
	for _, s := range w.steps {
		if err := s.UnlockedFacts(ctx, &w.Case, &facts); err != nil {
			return decision.Facts{}, err
		}
	}
	return facts, nil
}

// readSteps has the steps read what they go by without locks.
func (w *completion) readSteps(ctx context.Context) (err error) {
	w.PreparedFacts = decision.Facts{} // of an earlier preparation
	for _, s := range w.steps {
		if err := s.Prepare(ctx, &w.Case); err != nil {
			return err
		}
	}
	if w.pendingPost == nil {
		return nil
	}
	if !w.Person.GroupID.IsZero() {
		w.pendingPost.wallets, err = w.service.people.WalletsOfGroup(ctx, w.Scope, w.Person.GroupID)
	}
	w.pendingPost.post.Guards = w.reservations()
	return err
}
