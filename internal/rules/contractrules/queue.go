package contractrules

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	concurrency = 32
	// The least and the most that an event waits for those before it.
	minWait, maxWait = 200 * time.Millisecond, 30 * time.Second
)

// waitFor returns how long an event waits for those before it: the longer it has waited, the longer.
func waitFor(age time.Duration) time.Duration { return min(max(age/4, minWait), maxWait) }

// newQueue makes the queue of events that rules have to decide on. Events are never abandoned: a member may have earned
// points by each.
func (s *Service) newQueue() worker.Runner {
	return &worker.Queue[eventRow]{
		Items: &worker.Items[eventRow]{DB: s.DB, Table: leasedEvents, LeaseTime: time.Minute},
		Name:  "contract_events",
		Loop: worker.Loop{
			Every: 500 * time.Millisecond, Log: s.Logger, Fault: "events of contracts could not be decided; they are tried again",
		},
		Fault: "a rule could not decide on an event of a contract", Batch: 4 * concurrency, Concurrency: concurrency,
		Fairness: worker.Fairness{MaxOwners: 8, MaxLooks: 256, TimeSlice: 5 * time.Second},
		Backoff:  []time.Duration{2 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute},
		Do:       s.decide,
	}
}

// decide lets the rule decide on an event, after those that must come before: an event waits until what was taken back
// before frees its windows, and what is taken back until it is paid.
func (s *Service) decide(ctx context.Context, item *worker.Item[eventRow]) error {
	e := item.Row
	mustWait, err := hasEarlier(ctx, s.DB, e)
	if err != nil {
		return err
	}
	if mustWait {
		now := s.DB.Now()
		return item.Reschedule(ctx, now.Add(waitFor(now.Sub(store.Time(e.CreatedAt)))), nil)
	}
	scope := laurel.Scope{OrganizationID: e.OrganizationID, WebsiteID: e.WebsiteID, Role: laurel.RoleWebsite}
	if err := s.Decide(ctx, scope, e.RuleID, json.RawMessage(e.Data), store.Time(e.CreatedAt)); err != nil {
		return err
	}
	return item.Finish(ctx, func(tx *store.Tx) error { return deleteEvent(ctx, tx, e.ID) })
}

// Run lets rules decide on events until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	if err := s.CatchUp(ctx); err != nil && ctx.Err() == nil {
		s.Logger.Error("rules of an earlier version do not watch their contracts until they are saved, or the next start",
			"error", err)
	}
	s.queue.Run(ctx)
}

// RunDue lets rules decide on the events that are due now.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		if n, err := s.queue.RunOnce(ctx); err != nil || n == 0 {
			return err
		}
	}
}

// Metrics returns the metrics of the queue.
func (s *Service) Metrics() worker.Metrics { return s.queue }
