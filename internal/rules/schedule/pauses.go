package schedule

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// recordPause records, in the transaction that saves a rule with a plan, that the rule loses its frequency or gets one
// again. Referral shares are never paid for the time in between; the next run pays those of the time before. If a rule
// never had a frequency before, nothing from before counts (contract 5.12).
func (p *planRow) recordPause(ctx context.Context, tx *store.Tx, rule catalog.Rule) error {
	hadRuns, hasRuns := schema.IsRecurring(p.Frequency), schema.IsRecurring(rule.Frequency)
	now := store.Micros(tx.Now())
	switch {
	case p.Frequency == "" || hadRuns == hasRuns: // the rule is new, or nothing changes
		return nil
	case hadRuns:
		return insertPause(ctx, tx, *p, now)
	}
	ended, err := endPause(ctx, tx, p.RuleID, now)
	if err == nil && !ended {
		p.CountsFrom = &now
	}
	return err
}

// earningSpan is a time in which referees' earnings are shared: after From, up to To.
type earningSpan struct{ From, To time.Time }

// earningSpans returns the time that a run covers as spans between the pauses of its rule, oldest first.
func earningSpans(ctx context.Context, q store.Queryer, r *runRow) ([]earningSpan, error) {
	pauses, err := pausesWithin(ctx, q, r)
	var out []earningSpan
	from := r.Since
	for _, p := range pauses {
		out = append(out, earningSpan{store.Time(from), store.Time(max(from, p.PausedAt))})
		from = p.ResumedAt
	}
	return append(out, earningSpan{store.Time(from), r.at()}), err
}

// clip limits the earning time of each referee to the span. It leaves out referees whose earning time begins after the
// span.
func (s earningSpan) clip(earners []ledger.EarningUser) []ledger.EarningUser {
	var out []ledger.EarningUser
	for _, earner := range earners {
		if earner.From.Before(s.From) {
			earner.From = s.From
		}
		if earner.From.Before(s.To) {
			out = append(out, earner)
		}
	}
	return out
}

// addCapped returns the sum of two amounts, cut to what an account can hold.
func addCapped(a, b laurel.Amount) laurel.Amount { return a + min(b, laurel.MaxAmount-1-a) }
