package schedule

import (
	"context"
	"errors"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	tickEvery           = time.Second      // between two looks for rules to plan, and for runs that ask a provider
	leaseTime           = 30 * time.Second // after which another node takes the run of a node that died
	pollEvery           = 200 * time.Millisecond
	maxDatabaseRuns     = 8               // database runs of different rules that a node executes at once
	maxProviderWebsites = 16              // websites whose runs ask providers at once
	notReadyWait        = 5 * time.Second // wait after NotReady
	pagesPerSlot        = 32              // pages after which other runs come first
	slotTime            = 5 * time.Second // the same in time; the page that is under way is still paid
)

// faultPauses are the waits after the faults of a run. The last one repeats: a run is completed however long a provider
// is away.
var faultPauses = [...]time.Duration{time.Second, 15 * time.Second, time.Minute, 5 * time.Minute}

// newQueue returns a queue that executes each run for a slot of time. A lease covers many pages, each of which moves
// the run's position with what it pays. Runs that ask a provider have a queue of their own, with one run per website at
// a time: slow providers delay neither other websites nor runs whose facts are in the database.
func (s *Service) newQueue(
	name string, table worker.QueueTable, every time.Duration, fairness worker.Fairness,
) worker.Runner {
	return &worker.Queue[runRow]{
		Items: &worker.Items[runRow]{
			DB:        s.DB,
			Table:     table,
			LeaseTime: leaseTime,
			OnLease:   startRun,
			Save:      saveRun,
		},
		Name:     name,
		Loop:     s.loop(every),
		Fault:    "a run met a fault",
		Batch:    1,
		Fairness: fairness,
		Do:       s.workSlot,
		OnFault:  recordFault,
	}
}

// loop returns the loop of a queue.
func (s *Service) loop(every time.Duration) worker.Loop {
	return worker.Loop{Every: every, Log: s.Logger, Fault: "runs of rules met a fault; they are tried again"}
}

// Metrics returns the metrics of both queues.
func (s *Service) Metrics() []worker.Metrics {
	return []worker.Metrics{s.databaseQueue, s.providerQueue}
}

// Run plans and executes runs until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var working sync.WaitGroup
	defer working.Wait()
	working.Go(func() {
		planning := s.loop(tickEvery)
		planning.Run(ctx, func(ctx context.Context) (more bool, err error) {
			planned, err := s.PlanDue(ctx)
			return planned > 0 && err == nil, err
		})
	})
	working.Go(func() { s.databaseQueue.Run(ctx) })
	s.providerQueue.Run(ctx)
}

// RunOnce plans what is due, and executes one database run and one provider run of each website, each until its slot of
// time ends. It reports whether there was anything to do.
func (s *Service) RunOnce(ctx context.Context) (bool, error) {
	busy, err := s.runDatabaseOnce(ctx)
	if err != nil {
		return busy, err
	}
	if isDue, err := s.providerQueue.HasDue(ctx); err != nil || !isDue {
		return busy, err
	}
	return true, s.providerQueue.RunRound(ctx)
}

// runDatabaseOnce plans what is due and executes one database run until its slot of time ends. It reports whether there
// was anything to do.
func (s *Service) runDatabaseOnce(ctx context.Context) (bool, error) {
	planned, err := s.PlanDue(ctx)
	if err != nil {
		return false, err
	}
	worked, err := s.databaseQueue.RunOnce(ctx)
	return worked+planned > 0, err
}

// workSlot executes a run until its slot ends, and releases it unless it has finished.
func (s *Service) workSlot(ctx context.Context, item *worker.Item[runRow]) error {
	r := &item.Row
	r.item, r.slotEnds = item, s.DB.Now().Add(slotTime)
	wait, err := s.advance(ctx, r)
	if err != nil || r.FinishedAt != nil {
		return err
	}
	return item.Reschedule(ctx, s.DB.Now().Add(wait), nil)
}

// recordFault counts a fault of a run, sets the message of the run if a provider gave no answer, and returns how long
// the run waits: longer with each fault since the run last moved.
func recordFault(item *worker.Item[runRow], fault error, now time.Time) time.Duration {
	r := &item.Row
	wait := faultPauses[min(int(r.Attempts), len(faultPauses)-1)]
	r.Attempts++
	r.countUnanswered(fault, now)
	var unanswered *laurel.Error
	if errors.As(fault, &unanswered) && unanswered.Code == laurel.Unanswered {
		r.Message = unanswered.Message
	}
	return wait
}

// finishRun ends a run with a status and a message. If the run is complete, it also informs the Follower, in the same
// transaction.
func (s *Service) finishRun(ctx context.Context, r *runRow, status, message string) error {
	return r.item.Finish(ctx, func(tx *store.Tx) error {
		now := store.Micros(tx.Now())
		r.Status, r.Message, r.FinishedAt = status, message, &now
		if status != Complete {
			return nil
		}
		return s.Follower.RunCompleted(ctx, tx, r.scope(), r.RuleID)
	})
}

// advance executes pages of a run until the run ends, its slot of time ends, pagesPerSlot pages are done, or it meets a
// fault. It ends a run whose rule has no runs any more, or cannot pay anyone. It returns how long the run must wait
// before the next slot; 0 if it need not.
func (s *Service) advance(ctx context.Context, r *runRow) (time.Duration, error) {
	scope := r.scope()
	for page := range pagesPerSlot {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if page > 0 && s.slotIsOver(r) {
			return 0, nil
		}
		rule, err := s.Rules.GetCached(ctx, scope, r.RuleID, true)
		if err != nil {
			return 0, err
		}
		if !rule.Rule.HasRuns() && rule.Rule.DeletedAt.IsZero() {
			return 0, s.finishRun(ctx, r, Cancelled, "The rule has no runs any more")
		}
		if err := s.Completions.CheckRunnable(ctx, scope, rule.Rule, r.at()); err != nil {
			return 0, s.failRun(ctx, r, err)
		}
		executePage := s.pageFuncOf(rule)
		if executePage == nil {
			return 0, s.failRun(ctx, r, decision.Refuse(decision.MsgNotSetUp))
		}
		if asks := asksProvider(rule); asks != r.AsksProvider {
			r.AsksProvider = asks // the other queue takes it
			return 0, nil
		}
		waitsFor, err := s.Completions.PrepareRun(ctx, scope, rule.Rule, r.at())
		if err != nil {
			return 0, s.failRun(ctx, r, err)
		}
		if waitsFor != "" {
			r.Message = waitsFor
			return notReadyWait, nil
		}
		wait, isLast, err := s.whenReady(executePage, rule)(ctx, scope, r)
		if errors.Is(err, errRuleChanged) {
			continue
		}
		if reason := NotReady(""); errors.As(err, &reason) {
			r.Message = string(reason)
			return notReadyWait, nil
		}
		if err != nil || wait > 0 {
			return wait, err
		}
		if isLast {
			return 0, s.finishRun(ctx, r, Complete, "")
		}
	}
	return 0, nil
}

// slotIsOver reports whether the slot of a run has ended.
func (s *Service) slotIsOver(r *runRow) bool { return !s.DB.Now().Before(r.slotEnds) }

// whenReady returns a pageFunc that first checks whether the conditions of the rule's chains can be judged, and returns
// NotReady if not.
func (s *Service) whenReady(next pageFunc, rule catalog.CachedRule) pageFunc {
	if !rule.Rule.HasChains {
		return next
	}
	return func(ctx context.Context, scope laurel.Scope, r *runRow) (time.Duration, bool, error) {
		if err := s.Follower.CheckReady(ctx, scope, r.RuleID); err != nil {
			return 0, false, err
		}
		return next(ctx, scope, r)
	}
}

// failRun ends a run that can pay nobody, with the refusal as its message. Other errors are returned.
func (s *Service) failRun(ctx context.Context, r *runRow, err error) error {
	var refusal *laurel.Error
	if errors.As(err, &refusal) && (refusal.Code == laurel.Refused || refusal.Code == laurel.NotFound) {
		return s.finishRun(ctx, r, Failed, refusal.Message)
	}
	return err
}
