package schedule

import (
	"context"
	"errors"
	"log/slog"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	maxPaidPerTx       = 1000 // members paid in one transaction: others wait for the rows that it locks
	maxPaidPerTxSQLite = 250  // the same on SQLite, where every other write waits
	maxRetriesOfOne    = 50   // how often one member is prepared again because data has changed
	maxRetriesOfMany   = 2    // the same for several: paying one may change what another was prepared on
)

// payees are the next members of a run, in order: a memberPage, or the referees of a refereePage.
type payees interface {
	rule() catalog.CachedRule
	size() int
	position(i int) string
	slice(from, to int) payees
	// prepare reads what the payment needs, as it is now. earlier is a preparation of the same members, and maybe of
	// others; nil: there was none.
	prepare(ctx context.Context, scope laurel.Scope, r *runRow, before preparedPayees) (preparedPayees, error)
}

// preparedPayees are payees that were prepared.
type preparedPayees interface {
	mayBePaid(i int) bool      // reports whether anything may be paid for a member
	work(from, to int) payWork // the Work that pays the members from one index to before another
}

// payWork is a Work that returns its outcome.
type payWork interface {
	store.Work
	Result() completion.Outcome
}

// pay prepares members and pays them in order, in transactions of a bounded size. A transaction that fails is retried
// with retryPayment.
func (s *Service) pay(ctx context.Context, scope laurel.Scope, r *runRow, members payees) error {
	prepared, err := members.prepare(ctx, scope, r, nil)
	if err != nil {
		return err
	}
	for from := 0; from < members.size(); {
		to := s.transactionEnd(prepared, from, members.size())
		err := s.commit(ctx, r, members.slice(from, to), prepared.work(from, to))
		if err != nil {
			err = s.retryPayment(ctx, scope, r, failedPayment{members.slice(from, to), prepared, err})
		}
		if err != nil {
			return err
		}
		from = to
	}
	return nil
}

// transactionEnd returns the index after the last member of the transaction that begins with the member at from. A
// transaction pays at most maxPaidPerTx members, on SQLite at most maxPaidPerTxSQLite. Members that are sure to be
// refused do not count.
func (s *Service) transactionEnd(prepared preparedPayees, from, end int) int {
	left := maxPaidPerTx
	if s.DB.Engine() == store.SQLite {
		left = maxPaidPerTxSQLite
	}
	for to := from; to < end; to++ {
		if prepared.mayBePaid(to) {
			if left == 0 {
				return to
			}
			left--
		}
	}
	return end
}

// commit runs the work on some members of a run. In the same transaction it moves the run's position past them and
// counts them. It returns store.ErrStale if the members must be prepared again.
func (s *Service) commit(ctx context.Context, r *runRow, members payees, work payWork) error {
	return r.item.Extend(ctx, func(tx *store.Tx) error {
		if err := store.Run(ctx, tx, work); err != nil {
			return err
		}
		done := work.Result()
		r.Position, r.Message = members.position(members.size()-1), ""
		r.Attempts, r.Unanswered, r.OnlyUnanswered = 0, 0, 0
		r.Evaluated += int64(members.size())
		r.Rewarded += int64(done.Rewarded)
		r.Refused += int64(done.Refused)
		r.Failed += int64(done.Failed)
		if _, leavesOut := work.(unansweredWork); leavesOut {
			r.LeftOut++
		} else {
			r.OnlyUnansweredSince = nil
		}
		return nil
	})
}

// errRuleChanged says that the rule has changed while members were paid. The run goes on with the new rule.
var errRuleChanged = errors.New("schedule: the rule has changed")

// failedPayment is a transaction that failed.
type failedPayment struct {
	payees
	prepared preparedPayees // the preparation, maybe of others, too
	fault    error
}

// part returns some of the members, to be prepared again.
func (p failedPayment) part(from, to int) failedPayment {
	return failedPayment{p.slice(from, to), p.prepared, store.ErrStale}
}

// retryPayment pays members whose transaction failed. They are prepared again if data has changed, and paid in halves
// if the database refused the transaction or the transaction took too long. In the end only the member that causes the
// failure is counted as failed, and the others are paid. Errors that a later attempt may not meet are returned;
// errRuleChanged means that the members are to be listed again by the changed rule.
func (s *Service) retryPayment(ctx context.Context, scope laurel.Scope, r *runRow, failed failedPayment) error {
	maxTries := maxRetriesOfMany
	if failed.size() == 1 {
		maxTries = maxRetriesOfOne
	}
	for tries := 0; tries < maxTries && errors.Is(failed.fault, store.ErrStale); tries++ {
		current, err := s.Rules.GetCached(ctx, scope, r.RuleID, true)
		if err != nil {
			return err
		}
		if current.Rule.Version != failed.rule().Rule.Version || current.HasRequired != failed.rule().HasRequired {
			return errRuleChanged
		}
		if failed.prepared, err = failed.prepare(ctx, scope, r, failed.prepared); err != nil {
			return err
		}
		if failed.fault = s.commit(ctx, r, failed, failed.prepared.work(0, failed.size())); failed.fault == nil {
			return nil
		}
	}
	tooSlow := store.TookTooLong(failed.fault)
	isTransient := errors.Is(failed.fault, worker.ErrLost) || ctx.Err() != nil ||
		laurel.CodeOf(failed.fault) == laurel.Unavailable && !tooSlow
	switch size := failed.size(); {
	case isTransient || size == 1 && (tooSlow || errors.Is(failed.fault, store.ErrStale)):
		return failed.fault
	case size > 1:
		if err := s.retryPayment(ctx, scope, r, failed.part(0, size/2)); err != nil {
			return err
		}
		return s.retryPayment(ctx, scope, r, failed.part(size/2, size))
	}
	s.Logger.Error(
		"a member could not be paid by a run",
		slog.String("run", r.ID.String()),
		slog.String("position", failed.position(0)),
		slog.Any("error", failed.fault),
	)
	return s.commit(ctx, r, failed, failedWork{})
}

// failedWork is the Work that counts a member as failed and pays nothing.
type failedWork struct{}

// Locks returns none.
func (failedWork) Locks() []store.Lock { return nil }

// Judge pays nothing.
func (failedWork) Judge(*store.Batch) error { return nil }

// Result counts one failed member.
func (failedWork) Result() completion.Outcome { return completion.Outcome{Failed: 1} }
