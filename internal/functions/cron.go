package functions

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	tickLeaseTime            = 2 * time.Minute
	interruptedCheckInterval = time.Minute // how often interrupted runs are looked for
)

// newTickQueue returns the queue of functions whose cron expression is due. A function is leased while it runs, so one
// node runs each tick, and runs of a function do not overlap. Functions of several websites run at the same time.
func (s *Service) newTickQueue() worker.Runner {
	return &worker.Queue[Function]{
		Items: &worker.Items[Function]{DB: s.DB, Table: tickLeases, LeaseTime: tickLeaseTime, Save: saveTick},
		Name:  "function_ticks",
		Loop: worker.Loop{
			Every: time.Second, Log: s.Logger, Fault: "functions could not be run on time; it is tried again",
		},
		Fault: "a function could not be run on time", RenewEvery: tickLeaseTime / 4, Batch: 1,
		Fairness: worker.Fairness{MaxOwners: 16, MaxLooks: 64, TimeSlice: -1}, // -1: one batch of each website in turn
		Backoff:  []time.Duration{5 * time.Second, time.Minute}, Do: s.runTick,
	}
}

// Metrics returns the metrics of the queues.
func (s *Service) Metrics() []worker.Metrics {
	return []worker.Metrics{s.tickQueue, s.transactionQueue}
}

// Run runs functions when their cron expressions are due, sends transactions to the payout driver and fails interrupted
// runs, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { s.tickQueue.Run(ctx) })
	if s.Driver != nil {
		running.Go(func() { s.transactionQueue.Run(ctx) })
	}
	loop := worker.Loop{
		Every: interruptedCheckInterval, Log: s.Logger, Fault: "interrupted runs could not be ended; it is tried again",
	}
	loop.RunEach(ctx, s.failInterrupted)
}

// RunDue does once what Run repeats: it runs due ticks, sends due transactions and fails interrupted runs.
func (s *Service) RunDue(ctx context.Context) error {
	if err := s.tickQueue.RunRound(ctx); err != nil {
		return err
	}
	if s.Driver != nil {
		if err := s.transactionQueue.RunRound(ctx); err != nil {
			return err
		}
	}
	return s.failInterrupted(ctx)
}

// runTick runs a leased function for the tick that is due, unless it has run for that tick before, and schedules the
// next tick. A run that fails, or could not be stored, is not repeated.
func (s *Service) runTick(ctx context.Context, item *worker.Item[Function]) error {
	f := item.Row
	if !f.TickAt.IsZero() && !f.TickAt.After(s.DB.Now()) {
		_, err := findTickRun(ctx, s.DB, f)
		switch {
		case laurel.CodeOf(err) == laurel.NotFound:
			if _, err := s.execute(ctx, pendingRun{
				function: f,
				run:      Run{Trigger: triggerCron, ScheduledAt: f.TickAt},
				input:    map[string]any{"scheduledAt": f.TickAt},
			}); err != nil {
				s.Logger.Warn("a function could not be run on time", slog.String("function", f.ID.String()),
					slog.Any("error", err))
			}
		case err != nil:
			return err
		}
	}
	f.scheduleNextTick(s.DB.Now())
	return item.Reschedule(ctx, f.DueAt.Time, func(*store.Tx) error {
		item.Row.TickAt = f.TickAt
		return nil
	})
}
