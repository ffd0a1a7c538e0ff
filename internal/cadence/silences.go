package cadence

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"laurel"
	"laurel/internal/completions"
)

// maxSilences is how often somebody outside gives no answer about a member, while it does about others, before a run goes on without it.
const maxSilences = 4

// errSilent tells that somebody outside gave no answer about one member, and did about another.
var errSilent = errors.New("cadence: there is no answer about a member, and there are about others")

// oneByOne pays members each by itself, since there was no answer about all at once. A host that was left alone lets one question through and more after
// its answer; and what is not answered is then about the member, or about nobody: before a silence counts, the outside has answered about another.
func (s *Service) oneByOne(ctx context.Context, scope laurel.Scope, r *runRow, m members, walk Walk) error {
	for i := range m.list {
		one := m.slice(i, i+1)
		if !*m.told {
			if err := s.witness(ctx, scope, r, members{s, m.of, m.list[i:], m.told}, walk); err != nil {
				return err
			}
		}
		err := s.pay(ctx, scope, r, one)
		switch {
		case err == nil:
		case !completions.Silent(err) || !*m.told:
			return err
		case r.Silences+1 < maxSilences:
			return fmt.Errorf("%w: %w", errSilent, err)
		default:
			*m.told = false
			if err := s.leave(ctx, r, one, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// witness asks about another member than the first of the list, with each attempt about a further one. Where there is no other nobody is asked.
func (s *Service) witness(ctx context.Context, scope laurel.Scope, r *runRow, m members, walk Walk) error {
	earlier, err := walk(ctx, scope, Page{Rule: m.of.Rule, Limit: askedPage})
	if err != nil {
		return err
	}
	others := slices.Concat(earlier, m.list[1:])
	others = slices.DeleteFunc(others, func(other Step) bool { return other.Position == m.list[0].Position })
	if len(others) == 0 {
		return nil
	}
	m.list = others[len(others)-1-int(r.Attempts)%len(others):][:1]
	round, err := m.round(ctx, r)
	if err != nil {
		return err
	}
	err = s.Completions.Witness(ctx, scope, round)
	*m.told = err == nil
	return err
}

// leave goes on without a member. The run has not looked at everybody then: the next ones ask about the same time again.
func (s *Service) leave(ctx context.Context, r *runRow, one payable, why error) error {
	r.LeftOut++
	err := s.commit(ctx, r, one, failure{})
	if err != nil {
		r.LeftOut--
		return err
	}
	s.Logger.Error("a run goes on without a member: there was no answer about it", slog.String("run", r.ID.String()), slog.String("position", one.position(0)), slog.Any("error", why))
	return nil
}
