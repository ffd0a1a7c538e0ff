package schedule

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/store"
)

// The statuses of a run.
const (
	Pending    = "pending"
	Processing = "processing"
	Complete   = "complete"
	Failed     = "failed" // the rule could pay nobody; the message says why
	Cancelled  = "cancelled"
)

// States lists the statuses of a run.
var States = []string{Pending, Processing, Complete, Failed, Cancelled}

// Run is one run of a rule and its progress.
type Run struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	RuleID         laurel.ID
	ScheduledAt    time.Time
	Since          time.Time // the beginning of the time that the run covers
	Status         string
	Message        string // why it failed, or what it waits for
	Evaluated      int64  // members that it has considered
	completion.Outcome
	StartedAt  time.Time // zero: not yet
	FinishedAt time.Time // zero: not yet
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// run returns the row as callers see it.
func (r runRow) run() Run {
	at := func(us *int64) time.Time {
		if us == nil {
			return time.Time{}
		}
		return store.Time(*us)
	}
	return Run{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		RuleID:         r.RuleID,
		ScheduledAt:    store.Time(r.ScheduledAt),
		Since:          store.Time(r.Since),
		Status:         r.Status,
		Message:        r.Message,
		Evaluated:      r.Evaluated,
		Outcome:        completion.Outcome{Rewarded: int(r.Rewarded), Refused: int(r.Refused), Failed: int(r.Failed)},
		StartedAt:      at(r.StartedAt),
		FinishedAt:     at(r.FinishedAt),
		CreatedAt:      store.Time(r.CreatedAt),
		UpdatedAt:      store.Time(r.UpdatedAt),
	}
}

// Filter narrows List.
type Filter struct {
	RuleID   laurel.ID
	ID       laurel.ID // of one run
	Statuses []string
}

// List returns the runs of a rule, or with a zero RuleID of all rules of the scope, the latest scheduled first.
// NotFound "Loyalty rule" if the rule is not in the scope. A deleted rule keeps its runs.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Run], error) {
	if !f.RuleID.IsZero() {
		if _, err := s.Rules.Rule(ctx, scope, f.RuleID); err != nil {
			return laurel.Page[Run]{}, err
		}
	}
	rows, err := listRuns(ctx, s.DB, scope, f, page)
	return laurel.MapPage(rows, runRow.run), err
}
