// Package reset owns jobs that concern all members and do not fit into one transaction: the reset of a currency, and
// the debit of the payments of a deleted rule. It owns the steps and progress of the jobs. It does not own what they
// clear: balances (ledger), and the rule states of packages that app wires.
package reset

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/rewardhistory"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// RuleData is data of members about rules in another package, which a reset with data deletes.
type RuleData interface {
	// DeleteRuleData deletes the data of the subjects about the rules. Subjects are users and groups of users. The rows of
	// all these people are locked, so none of them is paid, joins or leaves meanwhile.
	DeleteRuleData(ctx context.Context, tx *store.Tx, scope laurel.Scope, rules, subjects []laurel.ID) error
	// SubjectsUnchangedSince returns some subjects with data about the rule that has not changed since a moment
	// (microseconds). DeleteRuleData takes them off the result.
	SubjectsUnchangedSince(
		ctx context.Context, q store.Queryer, scope laurel.Scope, rule laurel.ID, before int64,
	) ([]laurel.ID, error)
}

// Service executes resets and debits.
type Service struct {
	Config
	history *rewardhistory.Service
}

// Config holds what New needs.
type Config struct {
	DB       *store.DB
	People   *identity.Service
	Ledger   *ledger.Service
	Rules    *catalog.Service
	RuleData []RuleData
	Logger   *slog.Logger
}

// New returns the service. Run must be started for jobs to be resumed.
func New(c Config) *Service { return &Service{c, rewardhistory.New(c.DB)} }

const (
	tickEvery = time.Second
	// maxRequestWait is how long a request waits for its job. The workers of all nodes do the rest.
	maxRequestWait  = 20 * time.Second
	pollEvery       = 20 * time.Millisecond
	faultPause      = 10 * time.Second // the wait after a fault
	maxStepAccounts = 256              // the most accounts per step; fewer if that takes too long
)

// Run executes jobs until ctx ends, also those that other nodes have started. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	worker.Loop{Every: tickEvery, Log: s.Logger, Fault: "a reset job failed; it is tried again"}.RunEach(ctx, s.RunDue)
}

// RunDue executes all due jobs until they have ended, one step of each at a time.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		ids, err := listDueJobs(ctx, s.DB, s.DB.Now())
		if err != nil || len(ids) == 0 {
			return errors.Join(err, ctx.Err())
		}
		moved := false
		for _, id := range ids {
			state, err := s.runStep(ctx, id)
			if err != nil {
				return err
			}
			moved = moved || state != stepBusy
		}
		if !moved {
			return nil // other nodes work on all of them
		}
	}
}

// stepResult is the result of a step of a job.
type stepResult int

const (
	stepBusy stepResult = iota // another node works on the job, or it waits after a fault
	stepAdvanced
	stepJobDone
)

// runStep executes one step of a job in a transaction. If the transaction takes too long, it tries again with fewer
// accounts. A refusal of the ledger cancels the job. After a fault the job is rescheduled, and the fault is returned.
func (s *Service) runStep(ctx context.Context, id laurel.ID) (stepResult, error) {
	size := maxStepAccounts
	for {
		result, err := panics.Try(func() (stepResult, error) { return s.tryStep(ctx, id, size) })
		switch {
		case err == nil || ctx.Err() != nil:
			return result, err
		case store.TookTooLong(err) && size >= 4:
			size /= 4
		case laurel.CodeOf(err) == laurel.Refused: // the currency was deleted, and nothing can be posted in it
			return stepJobDone, s.DB.InTx(ctx, func(tx *store.Tx) error { return cancelJob(ctx, tx, id, err.Error()) })
		default:
			return stepBusy, errors.Join(
				err,
				s.DB.InTx(ctx, func(tx *store.Tx) error { return rescheduleJob(ctx, tx, id, tx.Now().Add(faultPause)) }),
			)
		}
	}
}

// tryStep executes one step, for at most size accounts. Deleting rules, which has transactions of its own, and finding
// leftovers, which reads much, happen before the step's transaction.
func (s *Service) tryStep(ctx context.Context, id laurel.ID, size int) (stepResult, error) {
	j, err := readJob(ctx, s.DB, id)
	if err != nil {
		return stepBusy, err
	}
	if deleted, err := s.deleteRules(ctx, j); err != nil || deleted {
		return stepAdvanced, err
	}
	leftovers, reached, err := s.findLeftovers(ctx, j)
	if err != nil {
		return stepBusy, err
	}
	var result stepResult
	err = s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		c := &jobStep{Service: s, tx: tx, size: size, leftovers: leftovers, reached: reached}
		result, err = c.run(ctx, j)
		return err
	})
	return result, err
}

// run locks the job, executes its next step and saves its new position: stepAdvanced, or stepJobDone if that was the
// last step. It does nothing if another node holds the lock (stepBusy), has ended the job (stepJobDone) or has advanced
// it since before was read (stepAdvanced). With an error the result has no meaning.
func (c *jobStep) run(ctx context.Context, before Job) (stepResult, error) {
	j, locked, err := lockJob(ctx, c.tx, before.ID)
	switch {
	case err != nil || !locked:
		return stepBusy, err
	case j.Status != Processing:
		return stepJobDone, nil
	case j.position != before.position:
		return stepAdvanced, nil
	}
	c.job, c.scope = &j, j.scope()
	if err := c.execute(ctx); err != nil {
		return stepBusy, err
	}
	if err := saveJob(ctx, c.tx, j); err != nil {
		return stepBusy, err
	}
	if j.Status != Processing {
		return stepJobDone, nil
	}
	return stepAdvanced, nil
}

// runUntilDone executes the steps of a job until it has ended or the request has waited long enough, and reports
// whether it has ended. Otherwise the background workers do the rest and retry what failed. If the request is
// cancelled, runUntilDone goes on.
func (s *Service) runUntilDone(ctx context.Context, id laurel.ID) bool {
	deadline, hasDeadline := ctx.Deadline()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxRequestWait)
	defer cancel()
	if hasDeadline { // the request has waited for another job before
		ctx, cancel = context.WithDeadline(ctx, deadline)
		defer cancel()
	}
	for ctx.Err() == nil {
		result, err := s.runStep(ctx, id)
		switch {
		case err != nil: // the step may not be committed, whatever its result says
			if ctx.Err() == nil {
				s.Logger.LogAttrs(
					ctx,
					worker.LogLevel(err, slog.LevelWarn),
					"a reset job failed; it is tried again",
					slog.Any("error", err),
				)
			}
			return false
		case result == stepJobDone:
			return true
		case result == stepBusy:
			if status, err := selectJobStatus(ctx, s.DB, id); err != nil || status != Processing {
				return err == nil
			}
			pauseFor(ctx, pollEvery)
		}
	}
	return false
}

// pauseFor waits for a duration, or until ctx ends.
func pauseFor(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
