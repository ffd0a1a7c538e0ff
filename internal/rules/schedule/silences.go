package schedule

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"laurel"
	"laurel/internal/rules/completion"
	"laurel/internal/store"
)

const (
	// maxSilences is how often a provider gives no answer about a member, while it does about others, before a run
	// goes on without it.
	maxSilences = 4
	// aloneFor is for how long besides where there are no others: it may be an outage.
	aloneFor = 24 * time.Hour
)

// errSilent tells that a provider gave no answer about one member, and did about another; errUnheard, that there
// is no other.
var (
	errSilent  = errors.New("schedule: there is no answer about a member, and there are about others")
	errUnheard = errors.New("schedule: there is no answer about the only member")
)

// silent counts a fault that is a silence.
func (r *runRow) silent(err error, now time.Time) {
	switch {
	case errors.Is(err, errSilent):
		r.Silences++
		r.Unheard, r.UnheardSince = 0, nil
	case errors.Is(err, errUnheard):
		r.Unheard++
		if r.UnheardSince == nil {
			us := store.Micros(now)
			r.UnheardSince = &us
		}
	}
}

// oneByOne pays members each by itself, since there was no answer about all at once. A host that was left alone lets
// one question through and more after its answer; and what is not answered is then about the member, or about nobody:
// before a silence counts, the outside has answered about another. It reports whether it came to all before the turn
// was over.
func (s *Service) oneByOne(
	ctx context.Context,
	scope laurel.Scope,
	r *runRow,
	m members,
	walk Walk,
) (all bool, err error) {
	for i := range m.list {
		if i > 0 && s.over(r) {
			return false, nil
		}
		one, alone := m.slice(i, i+1), false
		if !*m.told {
			alone, err = s.witness(ctx, scope, r, members{s, m.of, m.list[i:], m.told}, walk)
			if err != nil && !completion.IsUnanswered(err) { // the silence may be the witness's own
				return false, err
			}
		}
		err = s.pay(ctx, scope, r, one)
		if completion.IsUnanswered(err) && (alone || *m.told) {
			err = s.unanswered(ctx, r, one, alone, err)
			*m.told = false
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// witness asks about another member than the first of the list, with each attempt about a further one. alone: there is
// no other, and nobody was asked.
func (s *Service) witness(
	ctx context.Context,
	scope laurel.Scope,
	r *runRow,
	m members,
	walk Walk,
) (alone bool, err error) {
	earlier, err := walk(ctx, scope, Page{Rule: m.of.Rule, Limit: askedPage})
	if err != nil {
		return false, err
	}
	others := slices.Concat(earlier, m.list[1:])
	others = slices.DeleteFunc(others, func(other Step) bool { return other.Position == m.list[0].Position })
	if len(others) == 0 {
		return true, nil
	}
	m.list = others[len(others)-1-int(r.Attempts)%len(others):][:1]
	round, err := m.round(ctx, r)
	if err != nil {
		return false, err
	}
	err = s.Completions.ProbeProvider(ctx, scope, round)
	*m.told = err == nil
	return false, err
}

// unanswered goes on without a member about whom there was no answer often enough; until then that is a fault. There
// was one about another, unless the member is alone.
func (s *Service) unanswered(ctx context.Context, r *runRow, one payable, alone bool, why error) error {
	fault, enough := errSilent, r.Silences+1 >= maxSilences
	if alone {
		fault = errUnheard
		var err error
		if enough, err = s.unheard(ctx, r); err != nil {
			return err
		}
	}
	if !enough {
		return fmt.Errorf("%w: %w", fault, why)
	}
	return s.leave(ctx, r, one, why)
}

// unheard reports whether a run goes on without the only member. Who is left out may lose what an outage hides, so that
// is for the sake of later runs, which ask about the same time again: where none waits, nobody is kept waiting.
func (s *Service) unheard(ctx context.Context, r *runRow) (bool, error) {
	if r.Unheard+1 < maxSilences || r.UnheardSince == nil || s.DB.Now().Sub(store.Time(*r.UnheardSince)) < aloneFor {
		return false, nil
	}
	return laterWaits(ctx, s.DB, r)
}

// leave goes on without a member. The run has not looked at everybody then: the next ones ask about the same time
// again.
func (s *Service) leave(ctx context.Context, r *runRow, one payable, why error) error {
	if err := s.commit(ctx, r, one, absence{}); err != nil {
		return err
	}
	s.Logger.Error(
		"a run goes on without a member: there was no answer about it",
		slog.String("run", r.ID.String()),
		slog.String("position", one.position(0)),
		slog.Any("error", why),
	)
	return nil
}

// absence is the failure of a member about whom there was no answer.
type absence struct{ failure }
