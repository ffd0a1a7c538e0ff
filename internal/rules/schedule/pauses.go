package schedule

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// paused notes, in the transaction that saves a rule with a plan, that its frequency goes or comes back: what was
// earned in between is never shared, and what was earned before it is, by the next run. Of a rule that was there
// without a frequency all that was counts for nothing (contract 5.12).
func (p *planRow) paused(ctx context.Context, tx *store.Tx, rule catalog.Rule) error {
	ran, runs := schema.IsRecurring(p.Frequency), schema.IsRecurring(rule.Frequency)
	now := store.Micros(tx.Now())
	switch {
	case p.Frequency == "" || ran == runs:
		return nil
	case ran:
		return insertPause(ctx, tx, *p, now)
	}
	ended, err := endPause(ctx, tx, p.RuleID, now)
	if err == nil && !ended {
		p.CountsFrom = &now
	}
	return err
}

// span is a time in which what referees earn is shared: after From, up to To.
type span struct{ From, To time.Time }

// spansOf returns the times that count of those that a run covers: all but those without a frequency.
func spansOf(ctx context.Context, q store.Queryer, r *runRow) ([]span, error) {
	pauses, err := pausesWithin(ctx, q, r)
	var out []span
	from := r.Since
	for _, p := range pauses {
		out = append(out, span{store.Time(from), store.Time(max(from, p.PausedAt))})
		from = p.ResumedAt
	}
	return append(out, span{store.Time(from), r.at()}), err
}

// within returns the part of the times of earners that lies in the span. Who was brought later earned nothing in it.
func (s span) within(who []ledger.Earning) []ledger.Earning {
	var out []ledger.Earning
	for _, w := range who {
		if w.From.Before(s.From) {
			w.From = s.From
		}
		if w.From.Before(s.To) {
			out = append(out, w)
		}
	}
	return out
}

// plus adds two amounts, which together are none that an account could not hold.
func plus(a, b laurel.Amount) laurel.Amount { return a + min(b, laurel.MaxAmount-1-a) }
