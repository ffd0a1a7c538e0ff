package functions

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	tickLease  = 2 * time.Minute
	cutOffPace = time.Minute
)

// cron carries out what cron expressions say, websites side by side. A function is leased while it runs, so that one
// node runs each tick and no run meets the next.
func (s *Service) cron() worker.Runner {
	return &worker.Queue[functionRow]{
		Items: &worker.Items[functionRow]{DB: s.DB, Table: ticking, LeaseTime: tickLease, Save: saveTick},
		Name:  "function_ticks",
		Loop: worker.Loop{
			Every: time.Second, Log: s.Logger, Fault: "functions could not be run on time; it is tried again",
		},
		Fault: "a function could not be run on time", RenewEvery: tickLease / 4, Batch: 1,
		Fairness: worker.Fairness{MaxOwners: 16, MaxLooks: 64, TimeSlice: -1},
		Backoff:  []time.Duration{5 * time.Second, time.Minute}, Do: s.tick,
	}
}

// Metrics are those of the queues.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.ticks, s.payments} }

// Run runs functions on time, hands transactions over and ends runs that were cut off, until ctx ends. Any number of
// nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { s.ticks.Run(ctx) })
	if s.Driver != nil {
		running.Go(func() { s.payments.Run(ctx) })
	}
	loop := worker.Loop{Every: cutOffPace, Log: s.Logger, Fault: "runs that were cut off could not be ended; it is tried again"}
	loop.RunEach(ctx, s.cutOff)
}

// RunDue carries out what is due now: a run of each website, its transactions, and the end of runs that were cut off.
func (s *Service) RunDue(ctx context.Context) error {
	if err := s.ticks.RunRound(ctx); err != nil {
		return err
	}
	if s.Driver != nil {
		if err := s.payments.RunRound(ctx); err != nil {
			return err
		}
	}
	return s.cutOff(ctx)
}

// tick runs a function for the moment that is due, unless another node has begun that, and plans the next one.
func (s *Service) tick(ctx context.Context, h *worker.Item[functionRow]) error {
	row := h.Row
	if row.TickAt != nil && !store.Time(*row.TickAt).After(s.DB.Now()) {
		_, err := tickRan(ctx, s.DB, row)
		switch {
		case store.NoRows(err):
			if _, err := s.carry(ctx, start{
				function: row.function(),
				row:      runRow{Trigger: triggerCron, ScheduledAt: row.TickAt},
				input:    map[string]any{"scheduledAt": laurel.Timestamp{Time: store.Time(*row.TickAt)}},
			}); err != nil {
				s.Logger.Warn("a function could not be run on time", slog.String("function", row.ID.String()),
					slog.Any("error", err))
			}
		case err != nil:
			return err
		}
	}
	planned := row
	planned.plan(s.DB.Now())
	return h.Reschedule(ctx, store.Time(*planned.DueAt), func(*store.Tx) error {
		h.Row.TickAt = planned.TickAt
		return nil
	})
}
