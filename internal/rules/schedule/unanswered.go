package schedule

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/store"
)

const (
	// maxUnanswered is how often a provider may give no answer about a member, while it answers about others, before a run
	// leaves the member out.
	maxUnanswered = 4
	// onlyMemberPatience is how long a run waits in addition if it has no other member: it may be an outage.
	onlyMemberPatience = 24 * time.Hour
)

// errUnanswered says that a provider gave no answer about one member and did about another. errOnlyUnanswered says that
// there is no other member.
var (
	errUnanswered     = errors.New("schedule: there is no answer about a member, and there are about others")
	errOnlyUnanswered = errors.New("schedule: there is no answer about the only member")
)

// countUnanswered counts a missing answer of a provider if err is errUnanswered or errOnlyUnanswered, and does nothing
// for other errors.
func (r *runRow) countUnanswered(err error, now time.Time) {
	switch {
	case errors.Is(err, errUnanswered):
		r.Unanswered++
		r.OnlyUnanswered, r.OnlyUnansweredSince = 0, nil
	case errors.Is(err, errOnlyUnanswered):
		r.OnlyUnanswered++
		if r.OnlyUnansweredSince == nil {
			us := store.Micros(now)
			r.OnlyUnansweredSince = &us
		}
	}
}

// payOneByOne pays members one at a time, after the provider gave no answer about a page. A missing answer may be due
// to the member or to an outage. So it counts against the member only after the provider has answered about another
// member. probeOther asks about the other member first, because the breaker of a failing host lets one request through,
// and more once the host answers. reachedAll is false if the slot ended first.
func (s *Service) payOneByOne(
	ctx context.Context,
	scope laurel.Scope,
	r *runRow,
	m memberPage,
	walk Walk,
) (reachedAll bool, err error) {
	for i := range m.list {
		if i > 0 && s.slotIsOver(r) {
			return false, nil
		}
		one, isOnly := m.slice(i, i+1), false
		if !*m.responded {
			isOnly, err = s.probeOther(ctx, scope, r, memberPage{s, m.cachedRule, m.list[i:], m.responded}, walk)
			if err != nil && !completion.IsUnanswered(err) { // without an answer about the other member, go on
				return false, err
			}
		}
		err = s.pay(ctx, scope, r, one)
		if completion.IsUnanswered(err) && (isOnly || *m.responded) {
			err = s.handleUnanswered(ctx, r, one, isOnly, err)
			*m.responded = false
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// probeOther asks the provider about a member other than the first of the page, and notes on the page whether it has
// answered. Each attempt asks about a different member. isOnly is true if there is no other member; the provider is not
// asked then.
func (s *Service) probeOther(
	ctx context.Context,
	scope laurel.Scope,
	r *runRow,
	m memberPage,
	walk Walk,
) (isOnly bool, err error) {
	firstPage, err := walk(ctx, scope, Page{Rule: m.cachedRule.Rule, At: r.at(), Limit: providerPageSize})
	if err != nil {
		return false, err
	}
	others := slices.Concat(firstPage, m.list[1:])
	others = slices.DeleteFunc(others, func(other WalkMember) bool { return other.Position == m.list[0].Position })
	if len(others) == 0 {
		return true, nil
	}
	m.list = others[len(others)-1-int(r.Attempts)%len(others):][:1] // another one with each attempt
	page, err := m.runPage(ctx, r)
	if err != nil {
		return false, err
	}
	err = s.Completions.ProbeProvider(ctx, scope, page)
	*m.responded = err == nil
	return false, err
}

// handleUnanswered leaves out a member after maxUnanswered attempts without an answer about it. Until then it returns a
// fault, so that the run tries again. isOnly says that the run has no other member.
func (s *Service) handleUnanswered(ctx context.Context, r *runRow, one payees, isOnly bool, cause error) error {
	fault, leaveOut := errUnanswered, r.Unanswered+1 >= maxUnanswered
	if isOnly {
		fault = errOnlyUnanswered
		var err error
		if leaveOut, err = s.mayLeaveOutOnly(ctx, r); err != nil {
			return err
		}
	}
	if !leaveOut {
		return fmt.Errorf("%w: %w", fault, cause)
	}
	return s.leaveOut(ctx, r, one, cause)
}

// mayLeaveOutOnly reports whether a run may leave out its only member. With one member, an outage of the provider
// cannot be distinguished from a fault of the member, and leaving it out may lose a payment. So the run leaves it out
// only after onlyMemberPatience, and only if a later run waits, which asks about the same time again.
func (s *Service) mayLeaveOutOnly(ctx context.Context, r *runRow) (bool, error) {
	if r.OnlyUnanswered+1 < maxUnanswered || r.OnlyUnansweredSince == nil {
		return false, nil
	}
	if s.DB.Now().Sub(store.Time(*r.OnlyUnansweredSince)) < onlyMemberPatience {
		return false, nil
	}
	return hasLaterRun(ctx, s.DB, r)
}

// leaveOut moves the run past a member that the provider does not answer about. The run then counts as one that has not
// reached all members, so later runs ask about the same time again.
func (s *Service) leaveOut(ctx context.Context, r *runRow, one payees, cause error) error {
	if err := s.commit(ctx, r, one, unansweredWork{}); err != nil {
		return err
	}
	s.Logger.Error(
		"a run leaves out a member: its provider gave no answer about it",
		slog.String("run", r.ID.String()),
		slog.String("position", one.position(0)),
		slog.Any("error", cause),
	)
	return nil
}

// unansweredWork is the failedWork of a member that the provider gave no answer about.
type unansweredWork struct{ failedWork }
