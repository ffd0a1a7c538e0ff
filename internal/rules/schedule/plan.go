package schedule

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

const (
	planBatch = 32  // rules that are planned in one transaction
	planRuns  = 200 // runs of one rule that are made in one transaction; after a long outage there may be more
)

// PlanRule plans the runs of a saved rule, in the transaction that saves it. A rule that has no runs any more gets no
// next run. It does nothing for rules that never had runs.
func PlanRule(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule catalog.Rule) error {
	plan, found, err := selectPlan(ctx, tx, rule.ID)
	if err != nil {
		return err
	}
	hasRuns := rule.DeletedAt.IsZero() && rule.HasRuns()
	if !found && !hasRuns {
		return nil
	}
	if !found {
		plan = planRow{RuleID: rule.ID, OrganizationID: scope.OrganizationID, WebsiteID: rule.WebsiteID}
		if rule.Version > 1 { // a changed rule gets its first plan: it had no runs before
			plan.Frequency = schema.FrequencyNone
		}
	}
	if err := plan.recordPause(ctx, tx, rule); err != nil {
		return err
	}
	return savePlan(ctx, tx, replan(plan, rule.Schedule(rule.CreatedAt), hasRuns, tx.Now()))
}

// replan returns the plan of a saved rule. An unchanged schedule goes on, with the runs that it has missed. A new or
// changed one begins with its latest run before now, unless that run or a later one was planned already: a rule whose
// start lies in the past runs once at once, and not for all the times before. Without runs, the plan has no next run.
func replan(p planRow, schedule schema.Schedule, hasRuns bool, now time.Time) planRow {
	unchanged := p.NextAt != nil && p.Frequency == schedule.Frequency && p.StartAt == store.Micros(schedule.Start)
	p.Frequency, p.StartAt, p.EndAt = schedule.Frequency, store.Micros(schedule.Start), nil
	if !schedule.End.IsZero() {
		end := store.Micros(schedule.End)
		p.EndAt = &end
	}
	next := time.Time{}
	switch latest, hasLatest := schedule.Latest(now); {
	case !hasRuns: // no next run
	case unchanged && (p.EndAt == nil || *p.NextAt < *p.EndAt):
		next = store.Time(*p.NextAt)
	case unchanged: // it ends before the next run
	case hasLatest && latest.After(p.lastRunAt()):
		next = latest
	default:
		next, _ = schedule.Next(laterTime(p.lastRunAt(), now))
	}
	p.NextAt = nullableTime(next)
	return p
}

// laterTime returns the later of two times.
func laterTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// nullableTime returns the time in microseconds; nil if it is zero.
func nullableTime(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	us := store.Micros(t)
	return &us
}

// lastRunAt returns the time of the last planned run; zero if there was none.
func (p planRow) lastRunAt() time.Time {
	if p.LastAt == nil {
		return time.Time{}
	}
	return store.Time(*p.LastAt)
}

// schedule returns the schedule of the plan.
func (p planRow) schedule() schema.Schedule {
	c := schema.Schedule{Frequency: p.Frequency, Start: store.Time(p.StartAt)}
	if p.EndAt != nil {
		c.End = store.Time(*p.EndAt)
	}
	return c
}

// PlanDue inserts the due runs, including missed ones, of up to planBatch rules, and returns the number of these rules.
// If none is due, it writes nothing.
func (s *Service) PlanDue(ctx context.Context) (int, error) {
	if isDue, err := hasDuePlan(ctx, s.DB, s.DB.Now()); err != nil || !isDue {
		return 0, err
	}
	n := 0
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		due, err := lockDuePlans(ctx, tx)
		if err != nil {
			return err
		}
		n = len(due)
		for _, p := range due {
			// A run that exists for the rule and time stays as it is.
			if _, err := runTable.InsertAll(ctx, tx, p.takeDueRuns(tx), store.IgnoreConflicts); err != nil {
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

// takeDueRuns returns the plan's runs that are due, at most planRuns, and moves the plan past them.
func (p *planRow) takeDueRuns(tx *store.Tx) []*runRow {
	schedule, now := p.schedule(), store.Micros(tx.Now())
	var runs []*runRow
	for p.NextAt != nil && *p.NextAt <= now && len(runs) < planRuns {
		at, since := *p.NextAt, p.StartAt
		if p.LastAt != nil {
			since = *p.LastAt
		}
		runs = append(
			runs,
			&runRow{
				ID:             tx.NewID(),
				OrganizationID: p.OrganizationID,
				WebsiteID:      p.WebsiteID,
				RuleID:         p.RuleID,
				ScheduledAt:    at,
				Since:          p.coveredSince(since, at),
				Status:         Pending,
				DueAt:          at,
				CreatedAt:      now,
				UpdatedAt:      now,
			},
		)
		p.LastAt = &at
		next, _ := schedule.Next(store.Time(at))
		p.NextAt = nullableTime(next)
	}
	return runs
}

// coveredSince returns the beginning of the time that a run at a moment covers, where from is the run before it or the
// start of the plan: not before earnings count, and not after the run itself. It is worked out again when the run
// starts, since the run also covers the time of earlier runs that ended without paying.
func (p planRow) coveredSince(from, at int64) int64 {
	if p.CountsFrom != nil {
		from = max(from, *p.CountsFrom)
	}
	return min(from, at)
}
