package schedule

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

const (
	planBatch = 32  // rules in one transaction
	planRuns  = 200 // runs of one rule in one transaction: after a long outage there may be more
)

// Planned is called in the transaction that saves a rule: it says when the rule runs from now on.
func Planned(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule catalog.Rule) error {
	plan, known, err := selectPlan(ctx, tx, rule.ID)
	if err != nil {
		return err
	}
	runs := rule.DeletedAt.IsZero() && rule.HasRuns()
	if !known && !runs {
		return nil
	}
	if !known {
		plan = planRow{RuleID: rule.ID, OrganizationID: scope.OrganizationID, WebsiteID: rule.WebsiteID}
		if rule.Version > 1 {
			plan.Frequency = schema.FrequencyNone
		}
	}
	if err := plan.paused(ctx, tx, rule); err != nil {
		return err
	}
	return savePlan(ctx, tx, replanned(plan, rule.Schedule(rule.CreatedAt), runs, tx.Now()))
}

// replanned returns the plan of a rule that was saved. A cadence that stays the same goes on, with what it has missed.
// A new one begins with its run that is due now, if it has not been made: a rule whose start lies in the past runs once
// at once, and not for all the times before it was there.
func replanned(p planRow, c schema.Schedule, runs bool, now time.Time) planRow {
	same := p.NextAt != nil && p.Frequency == c.Frequency && p.StartAt == store.Micros(c.Start)
	p.Frequency, p.StartAt, p.EndAt = c.Frequency, store.Micros(c.Start), nil
	if !c.End.IsZero() {
		end := store.Micros(c.End)
		p.EndAt = &end
	}
	next := time.Time{}
	switch latest, ran := c.Latest(now); {
	case !runs:
	case same && (p.EndAt == nil || *p.NextAt < *p.EndAt):
		next = store.Time(*p.NextAt)
	case same: // it ends before the next run
	case ran && latest.After(p.last()):
		next = latest
	default:
		next, _ = c.Next(later(p.last(), now))
	}
	p.NextAt = orNil(next)
	return p
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func orNil(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	us := store.Micros(t)
	return &us
}

func (p planRow) last() time.Time {
	if p.LastAt == nil {
		return time.Time{}
	}
	return store.Time(*p.LastAt)
}

func (p planRow) cadence() schema.Schedule {
	c := schema.Schedule{Frequency: p.Frequency, Start: store.Time(p.StartAt)}
	if p.EndAt != nil {
		c.End = store.Time(*p.EndAt)
	}
	return c
}

// PlanDue makes the runs whose time has come, those that were missed included, and returns how many rules it looked at.
// Where none has come it writes nothing.
func (s *Service) PlanDue(ctx context.Context) (int, error) {
	if waits, err := planWaits(ctx, s.DB, s.DB.Now()); err != nil || !waits {
		return 0, err
	}
	n := 0
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		due, err := takePlans(ctx, tx)
		if err != nil {
			return err
		}
		n = len(due)
		for _, p := range due {
			if err := insertRuns(ctx, tx, p.due(tx)); err != nil {
				return err
			}
			if err := savePlan(ctx, tx, p); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// due returns the runs that are due, and moves the plan behind them.
func (p *planRow) due(tx *store.Tx) []runRow {
	c, now := p.cadence(), store.Micros(tx.Now())
	var made []runRow
	for p.NextAt != nil && *p.NextAt <= now && len(made) < planRuns {
		at, since := *p.NextAt, p.StartAt
		if p.LastAt != nil {
			since = *p.LastAt
		}
		made = append(
			made,
			runRow{
				ID:             tx.NewID(),
				OrganizationID: p.OrganizationID,
				WebsiteID:      p.WebsiteID,
				RuleID:         p.RuleID,
				ScheduledAt:    at,
				Since:          p.since(since, at),
				Status:         Pending,
				DueAt:          at,
				CreatedAt:      now,
				UpdatedAt:      now,
			},
		)
		p.LastAt = &at
		next, _ := c.Next(store.Time(at))
		p.NextAt = orNil(next)
	}
	return made
}

// since returns since when the time counts that a run at a time covers, if not before a moment. When the run begins it
// is asked again: it covers also the time of runs before it that ended without having paid.
func (p planRow) since(from, at int64) int64 {
	if p.CountsFrom != nil {
		from = max(from, *p.CountsFrom)
	}
	return min(from, at)
}
