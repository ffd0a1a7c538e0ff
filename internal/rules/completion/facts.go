package completion

import (
	"context"

	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
)

// readFacts reads every fact without locks.
func (w *completion) readFacts(ctx context.Context) (decision.Facts, error) {
	if err := w.partsAhead(ctx); err != nil {
		return decision.Facts{}, err
	}
	return w.gather(ctx)
}

// gather reads without locks what Judge looks at, beside what was read ahead.
func (w *completion) gather(ctx context.Context) (decision.Facts, error) {
	db := w.service.db
	sub, err := w.service.reads.subject(ctx, w.subjectKey())
	if err != nil {
		return decision.Facts{}, err
	}
	var open bool
	w.window, open = w.windowAt(&sub, w.at(db.Now()))
	paid := !open
	if w.rule.ByCode() || w.fed != nil { // the subject remembers only the last window of the calendar
		if paid, err = progress.Claimed(ctx, db, w.claimKey(w.window)); err != nil {
			return decision.Facts{}, err
		}
	}
	live := true
	if currency := w.rule.Currency(); !currency.IsZero() {
		if live, err = w.service.ledger.Live(ctx, w.scope, currency); err != nil {
			return decision.Facts{}, err
		}
	}
	facts := w.facts(&sub, paid, live)
	facts.Now = w.at(db.Now())
	for _, p := range w.parts {
		if err := p.asked(ctx, w, &facts); err != nil {
			return decision.Facts{}, err
		}
	}
	return facts, nil
}

// partsAhead reads what the parts go by that is read without locks.
func (w *completion) partsAhead(ctx context.Context) (err error) {
	w.known = decision.Facts{} // of an earlier preparation
	for _, p := range w.parts {
		if err := p.ahead(ctx, w); err != nil {
			return err
		}
	}
	if w.asking != nil && !w.person.GroupID.IsZero() {
		w.asking.wallets, err = w.service.people.WalletsOfGroup(ctx, w.scope, w.person.GroupID)
	}
	return err
}
