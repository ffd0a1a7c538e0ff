// Package reset carries out what concerns all members at once and cannot be one transaction: the reset of a
// currency, and the debit of what a deleted rule has paid. It owns the jobs that remember how far this has come. What
// is cleared belongs to others: balances to ledger, what rules remember of members to the packages that app wires as
// RuleData.
package reset

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/panics"
	"laurel/internal/points/ledger"
	"laurel/internal/points/rewardhistory"
	"laurel/internal/rules/catalog"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// RuleData is data of members about rules in another package, which a reset with data deletes.
type RuleData interface {
	// DeleteRuleData deletes the data of the subjects about the rules. Subjects are users and groups of users. The rows of
	// all these people are locked, so none of them is paid, joins or leaves meanwhile.
	DeleteRuleData(ctx context.Context, tx *store.Tx, scope laurel.Scope, rules, subjects []laurel.ID) error
	// IdleSubjects returns some subjects with data about the rule that has not changed since a moment (microseconds).
	// DeleteRuleData takes them off the result.
	IdleSubjects(
		ctx context.Context, q store.Queryer, scope laurel.Scope, rule laurel.ID, before int64,
	) ([]laurel.ID, error)
}

// Service carries out clearing jobs.
type Service struct {
	Config
	paid *rewardhistory.Service
}

// Config is what a Service is made of.
type Config struct {
	DB       *store.DB
	People   *identity.Service
	Ledger   *ledger.Service
	Rules    *catalog.Service
	RuleData []RuleData
	Logger   *slog.Logger
}

// New makes the service.
func New(c Config) *Service { return &Service{c, rewardhistory.New(c.DB)} }

const (
	tickEvery = time.Second
	// waitAtMost is how long a request waits for its job; what is left is done by the workers of all nodes.
	waitAtMost = 20 * time.Second
	pollEvery  = 20 * time.Millisecond
	pause      = 10 * time.Second // after a fault
	stepsIn    = 256              // accounts that a step clears at first; fewer where that takes too long
)

// Run carries jobs on until ctx ends, also those that another node began. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	worker.Loop{Every: tickEvery, Log: s.Logger, Fault: "clearing failed; it is tried again"}.RunEach(ctx, s.RunDue)
}

// RunDue carries all jobs on that are due, until they are over, in turns.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		ids, err := dueJobs(ctx, s.DB, s.DB.Now())
		if err != nil || len(ids) == 0 {
			return errors.Join(err, ctx.Err())
		}
		moved := false
		for _, id := range ids {
			state, err := s.step(ctx, id)
			if err != nil {
				return err
			}
			moved = moved || state != busy
		}
		if !moved {
			return nil // other nodes are at all of them
		}
	}
}

// outcome is what a step has come to.
type outcome int

const (
	busy outcome = iota // another node is at the job, or it is put off after a fault
	moved
	over
)

// step carries a job on by one transaction, a smaller one where it takes too long. A fault puts the job off.
func (s *Service) step(ctx context.Context, id laurel.ID) (outcome, error) {
	size := stepsIn
	for {
		state, err := panics.Try(func() (outcome, error) { return s.tryStep(ctx, id, size) })
		switch {
		case err == nil || ctx.Err() != nil:
			return state, err
		case store.TookTooLong(err) && size >= 4:
			size /= 4
		case laurel.CodeOf(err) == laurel.Refused: // the currency was deleted: nothing is posted in it any more
			return over, s.DB.InTx(ctx, func(tx *store.Tx) error { return cancelJob(ctx, tx, id, err.Error()) })
		default:
			return busy, errors.Join(
				err,
				s.DB.InTx(ctx, func(tx *store.Tx) error { return putOff(ctx, tx, id, tx.Now().Add(pause)) }),
			)
		}
	}
}

// tryStep does outside of the step's transaction what has transactions of its own or may read much.
func (s *Service) tryStep(ctx context.Context, id laurel.ID, size int) (outcome, error) {
	j, err := readJob(ctx, s.DB, id)
	if err != nil {
		return busy, err
	}
	if deleted, err := s.deleteRules(ctx, j); err != nil || deleted {
		return moved, err
	}
	rest, reached, err := s.findRest(ctx, j)
	if err != nil {
		return busy, err
	}
	var state outcome
	err = s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		c := &clearance{Service: s, tx: tx, size: size, rest: rest, reached: reached}
		state, err = c.step(ctx, j)
		return err
	})
	return state, err
}

// step carries the job on where nobody else has since it was read.
func (c *clearance) step(ctx context.Context, read Job) (outcome, error) {
	j, held, err := lockJob(ctx, c.tx, read.ID)
	switch {
	case err != nil || !held:
		return busy, err
	case j.Status != Processing:
		return over, nil
	case j.at != read.at:
		return moved, nil
	}
	c.job, c.scope = &j, j.scope()
	if err := c.carryOn(ctx); err != nil {
		return busy, err
	}
	if err := saveJob(ctx, c.tx, j); err != nil || j.Status != Processing {
		return over, err
	}
	return moved, nil
}

// finish carries a job on until it is over or the request has waited long enough, and reports whether it is over. What
// fails is left to the workers, and so is what is not done; a caller that goes away ends nothing half-way.
func (s *Service) finish(ctx context.Context, id laurel.ID) bool {
	until, bounded := ctx.Deadline()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), waitAtMost)
	defer cancel()
	if bounded { // it has waited for others before
		ctx, cancel = context.WithDeadline(ctx, until)
		defer cancel()
	}
	for ctx.Err() == nil {
		state, err := s.step(ctx, id)
		switch {
		case err != nil && ctx.Err() == nil:
			s.Logger.LogAttrs(
				ctx,
				worker.LogLevel(err, slog.LevelWarn),
				"clearing failed; it is tried again",
				slog.Any("error", err),
			)
			return false
		case state == over:
			return true
		case state == busy:
			if status, err := statusOf(ctx, s.DB, id); err != nil || status != Processing {
				return err == nil
			}
			pauseFor(ctx, pollEvery)
		}
	}
	return false
}

func pauseFor(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
