package schedule

import (
	"context"
	"errors"
	"log/slog"

	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/completion"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	paidAtOnce     = 1000 // members that may be paid in one transaction: what it locks keeps others waiting
	paidAtOnceFile = 250  // the same on SQLite, where every other write waits
	maxStale       = 50   // how often a member is prepared again because something changed
	maxStaleMany   = 2    // how often several are: one may change what another was prepared on
)

// payable are members that come next in a run, in order.
type payable interface {
	rule() catalog.CachedRule
	size() int
	position(i int) string
	slice(from, to int) payable
	// prepare reads what the payment is prepared on, as it is now; before is an earlier preparation of them and maybe of
	// others, nil for none.
	prepare(ctx context.Context, scope laurel.Scope, r *runRow, before ready) (ready, error)
}

// ready are members that are prepared.
type ready interface {
	may(i int) bool         // whether anything may be paid for a member
	work(from, to int) pays // for some of them
}

// pays is a Work that tells what it has done.
type pays interface {
	store.Work
	Result() completion.Outcome
}

// pay pays members in transactions of a bounded size.
func (s *Service) pay(ctx context.Context, scope laurel.Scope, r *runRow, m payable) error {
	prepared, err := m.prepare(ctx, scope, r, nil)
	if err != nil {
		return err
	}
	for from := 0; from < m.size(); {
		to := s.bound(prepared, from, m.size())
		err := s.commit(ctx, r, m.slice(from, to), prepared.work(from, to))
		if err != nil {
			err = s.payAgain(ctx, scope, r, unpaid{m.slice(from, to), prepared, err})
		}
		if err != nil {
			return err
		}
		from = to
	}
	return nil
}

// bound returns how far a transaction goes that begins with a member.
func (s *Service) bound(prepared ready, from, end int) int {
	most := paidAtOnce
	if s.DB.Engine() == store.SQLite {
		most = paidAtOnceFile
	}
	for to := from; to < end; to++ {
		if prepared.may(to) {
			if most == 0 {
				return to
			}
			most--
		}
	}
	return end
}

// commit carries members out and moves the run behind them, in one transaction. store.ErrStale: they are to be prepared
// anew.
func (s *Service) commit(ctx context.Context, r *runRow, m payable, work pays) error {
	return r.held.Extend(ctx, func(tx *store.Tx) error {
		if err := store.Run(ctx, tx, work); err != nil {
			return err
		}
		done := work.Result()
		r.Position, r.Attempts, r.Silences, r.Unheard, r.Message = m.position(m.size()-1), 0, 0, 0, ""
		r.Evaluated += int64(m.size())
		r.Rewarded += int64(done.Rewarded)
		r.Refused += int64(done.Refused)
		r.Failed += int64(done.Failed)
		if _, left := work.(absence); left {
			r.LeftOut++
		} else {
			r.UnheardSince = nil
		}
		return nil
	})
}

// errChanged tells that the rule has changed while members were paid: the run goes on with what it says now.
var errChanged = errors.New("schedule: the rule has changed")

// unpaid are members whose transaction failed.
type unpaid struct {
	payable
	prepared ready // maybe with others
	fault    error
}

// half returns some of the members, to be prepared anew.
func (u unpaid) half(from, to int) unpaid {
	return unpaid{u.slice(from, to), u.prepared, store.ErrStale}
}

// payAgain pays members whose transaction failed: prepared anew where something has changed, in halves where the
// database refused or it took too long. So in the end one member alone is to blame, is counted as failed and holds up
// no other.
func (s *Service) payAgain(ctx context.Context, scope laurel.Scope, r *runRow, u unpaid) error {
	most := maxStaleMany
	if u.size() == 1 {
		most = maxStale
	}
	for tries := 0; tries < most && errors.Is(u.fault, store.ErrStale); tries++ {
		now, err := s.Rules.GetCached(ctx, scope, r.RuleID, true)
		if err != nil {
			return err
		}
		if now.Rule.Version != u.rule().Rule.Version || now.HasRequired != u.rule().HasRequired {
			return errChanged
		}
		if u.prepared, err = u.prepare(ctx, scope, r, u.prepared); err != nil {
			return err
		}
		if u.fault = s.commit(ctx, r, u, u.prepared.work(0, u.size())); u.fault == nil {
			return nil
		}
	}
	slow := store.TookTooLong(u.fault)
	passing := errors.Is(u.fault, worker.ErrLost) || ctx.Err() != nil ||
		laurel.CodeOf(u.fault) == laurel.Unavailable && !slow
	switch n := u.size(); {
	case passing || n == 1 && (slow || errors.Is(u.fault, store.ErrStale)):
		return u.fault
	case n > 1:
		if err := s.payAgain(ctx, scope, r, u.half(0, n/2)); err != nil {
			return err
		}
		return s.payAgain(ctx, scope, r, u.half(n/2, n))
	}
	s.Logger.Error(
		"a member could not be paid by a run",
		slog.String("run", r.ID.String()),
		slog.String("position", u.position(0)),
		slog.Any("error", u.fault),
	)
	return s.commit(ctx, r, u, failure{})
}

// failure is the Work of a member that cannot be paid.
type failure struct{}

// Locks needs nothing.
func (failure) Locks() []store.Lock { return nil }

// Judge pays nothing.
func (failure) Judge(*store.Batch) error { return nil }

// Result counts the member.
func (failure) Result() completion.Outcome { return completion.Outcome{Failed: 1} }
