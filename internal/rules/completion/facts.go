package completion

import (
	"context"

	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
)

// readFacts returns the facts of the decision, all read without locks, for a call that pays nothing.
func (w *completion) readFacts(ctx context.Context) (decision.Facts, error) {
	if err := w.readSteps(ctx); err != nil {
		return decision.Facts{}, err
	}
	return w.gatherUnlockedFacts(ctx)
}

// gatherUnlockedFacts reads, without locks, the facts that Judge reads under locks, and returns them together with the
// prepared facts. It also sets w.window.
func (w *completion) gatherUnlockedFacts(ctx context.Context) (decision.Facts, error) {
	db := w.service.db
	state, err := w.service.deps.Loaders.State(ctx, w.StateKey())
	if err != nil {
		return decision.Facts{}, err
	}
	var open bool
	w.window, open = w.windowAt(&state, w.DecisionTime(db.Now()))
	paid := !open
	// The rule state shows only the last window of the calendar.
	if w.Trigger.HasFixedWindow || w.Rule.HasWindowPerCode() || w.functionKey() != "" {
		if paid, err = progress.IsPaid(ctx, db, w.paidWindowKey(w.window)); err != nil {
			return decision.Facts{}, err
		}
	}
	currencyLive := true
	if currency := w.Rule.Currency(); !currency.IsZero() {
		if currencyLive, err = w.service.ledger.IsLive(ctx, w.Scope, currency); err != nil {
			return decision.Facts{}, err
		}
	}
	facts := w.factsOf(&state, paid, currencyLive)
	facts.Now = w.DecisionTime(db.Now())
	for _, s := range w.steps {
		if err := s.UnlockedFacts(ctx, &w.Case, &facts); err != nil {
			return decision.Facts{}, err
		}
	}
	return facts, nil
}

// readSteps prepares all steps anew. If there is a pending post, it also sets the post's guards, the names that keep
// two open posts from paying the same.
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
