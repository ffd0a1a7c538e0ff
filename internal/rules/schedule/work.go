package schedule

import (
	"context"
	"errors"
	"sync"
	"time"

	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	tickEvery    = time.Second      // until runs are planned, and those that ask outside are looked for
	lease        = 30 * time.Second // a run of a node that died is taken again afterwards
	lookEvery    = 200 * time.Millisecond
	runsAtOnce   = 8               // runs of different rules that a node works on at once, beside those that ask outside
	askingAtOnce = 16              // websites whose runs ask outside at once
	waiting      = 5 * time.Second // until a walk is asked again that could not tell its members
	turn         = 32              // pages, after which other runs come first
	turnWithin   = 5 * time.Second // the same where pages take their time: the one that is under way is still paid
)

// pauses follow faults; the last one is repeated: a run is made up for however long the outside is gone.
var pauses = [...]time.Duration{time.Second, 15 * time.Second, time.Minute, 5 * time.Minute}

// queue works on runs for a turn each: a lease is held over many pages, each of which moves the run's position with
// what it pays. Runs that ask a provider have a queue of their own, a run of a website at a time: they keep neither
// other websites waiting nor runs whose facts are in the database, however slow the answers are.
func (s *Service) queue(name string, table worker.Leased, every time.Duration, crowd worker.Fairness) worker.Runner {
	return &worker.Queue[runRow]{
		Items: &worker.Items[runRow]{
			DB:        s.DB,
			Table:     table,
			LeaseTime: lease,
			OnLease:   begin,
			Save:      save,
		},
		Name:     name,
		Loop:     s.loop(every),
		Fault:    "a run met a fault",
		Batch:    1,
		Fairness: crowd,
		Do:       s.turn,
		OnFault:  failed,
	}
}

func (s *Service) loop(every time.Duration) worker.Loop {
	return worker.Loop{Every: every, Log: s.Logger, Fault: "runs of rules met a fault; they are tried again"}
}

// Metrics are those of the queues of runs.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.runs, s.asking} }

// Run plans runs and carries them out until ctx ends. Any number of nodes may run it.
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
	working.Go(func() { s.runs.Run(ctx) })
	s.asking.Run(ctx)
}

// Once plans what is due and works for a turn on one run whose facts are in the database, and on one of each website
// whose runs ask outside. It reports whether there was anything to do.
func (s *Service) Once(ctx context.Context) (bool, error) {
	busy, err := s.planned(ctx)
	if err != nil {
		return busy, err
	}
	if waits, err := s.asking.HasDue(ctx); err != nil || !waits {
		return busy, err
	}
	return true, s.asking.RunRound(ctx)
}

// planned plans what is due and works for a turn on one run whose facts are in the database.
func (s *Service) planned(ctx context.Context) (bool, error) {
	planned, err := s.PlanDue(ctx)
	if err != nil {
		return false, err
	}
	taken, err := s.runs.RunOnce(ctx)
	return taken+planned > 0, err
}

// turn works on a run and gives it back, unless it is over: to go on at once where there is more to do.
func (s *Service) turn(ctx context.Context, h *worker.Item[runRow]) error {
	r := &h.Row
	r.held, r.until = h, s.DB.Now().Add(turnWithin)
	wait, err := s.advance(ctx, r)
	if err != nil || r.FinishedAt != nil {
		return err
	}
	return h.Reschedule(ctx, s.DB.Now().Add(wait), nil)
}

// failed counts a fault of a run, and returns how long the run waits.
func failed(h *worker.Item[runRow], fault error, now time.Time) time.Duration {
	r := &h.Row
	wait := pauses[min(int(r.Attempts), len(pauses)-1)]
	r.Attempts++
	r.silent(fault, now)
	var outside *laurel.Error
	if errors.As(fault, &outside) && outside.Code == laurel.Unanswered {
		r.Message = outside.Message
	}
	return wait
}

// end ends a run.
func (s *Service) end(ctx context.Context, r *runRow, status, message string) error {
	return r.held.Finish(ctx, func(tx *store.Tx) error {
		now := store.Micros(tx.Now())
		r.Status, r.Message, r.FinishedAt = status, message, &now
		if status != Complete || s.Ran == nil {
			return nil
		}
		return s.Ran(ctx, tx, r.scope(), r.RuleID)
	})
}

// advance carries a run on until it ends, its turn is over or a fault comes, and returns how long it waits for
// something.
func (s *Service) advance(ctx context.Context, r *runRow) (time.Duration, error) {
	scope := r.scope()
	for page := range turn {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if page > 0 && s.over(r) {
			return 0, nil
		}
		rule, err := s.Rules.GetCached(ctx, scope, r.RuleID, true)
		if err != nil {
			return 0, err
		}
		if !rule.Rule.HasRuns() && rule.Rule.DeletedAt.IsZero() {
			return 0, s.end(ctx, r, Cancelled, "The rule has no runs any more")
		}
		if err := s.Completions.CheckRunnable(ctx, scope, rule.Rule, r.at()); err != nil {
			return 0, s.refuse(ctx, r, err)
		}
		step := s.stepOf(rule)
		if step == nil {
			return 0, s.refuse(ctx, r, decision.Refuse(decision.MsgNotSetUp))
		}
		if outside := asks(rule); outside != r.Asks {
			r.Asks = outside // it is another worker's
			return 0, nil
		}
		wait, over, err := s.readied(step, rule)(ctx, scope, r)
		if errors.Is(err, errChanged) {
			continue
		}
		if reason := NotYet(""); errors.As(err, &reason) {
			r.Message = string(reason)
			return waiting, nil
		}
		if err != nil || wait > 0 {
			return wait, err
		}
		if over {
			return 0, s.end(ctx, r, Complete, "")
		}
	}
	return 0, nil
}

// over reports whether the turn of a run is over.
func (s *Service) over(r *runRow) bool { return !s.DB.Now().Before(r.until) }

// readied is the step of a rule whose conditions can be judged.
func (s *Service) readied(next step, rule catalog.CachedRule) step {
	if !rule.Rule.HasChains || s.Ready == nil {
		return next
	}
	return func(ctx context.Context, scope laurel.Scope, r *runRow) (time.Duration, bool, error) {
		if err := s.Ready(ctx, scope, r.RuleID); err != nil {
			return 0, false, err
		}
		return next(ctx, scope, r)
	}
}

// refuse ends a run that could pay nobody.
func (s *Service) refuse(ctx context.Context, r *runRow, err error) error {
	var refusal *laurel.Error
	if errors.As(err, &refusal) && (refusal.Code == laurel.Refused || refusal.Code == laurel.NotFound) {
		return s.end(ctx, r, Failed, refusal.Message)
	}
	return err
}
