package cadence

import (
	"context"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/completions"
	"laurel/internal/rulebook"
	"laurel/internal/rules"
	"laurel/internal/store"
)

const (
	pageSize = 4000 // members that are read and judged without locks at once
	// askedPage is the same where somebody outside is asked about each of them: its answers come within a lease of the run, however slow they are.
	askedPage = 24
	// askedTries is how often a page is tried before it goes on without the members that nobody answers for.
	askedTries = 5
)

func pageOf(rule rules.Current) int {
	if rule.Rule.Type.Driver() != rulebook.NoDriver {
		return askedPage
	}
	return pageSize
}

// step carries a run on by a page. It answers how long the run waits for something, and whether it is over.
type step func(ctx context.Context, scope laurel.Scope, r *runRow) (wait time.Duration, over bool, err error)

// stepOf answers how runs of the rule are carried on; nil: nobody knows its members.
func (s *Service) stepOf(rule rules.Current) step {
	if rule.Rule.Type == rulebook.TypeReferredUser {
		return s.shares(rule)
	}
	walk := s.Walks[rule.Rule.Type]
	if ofEverybody[rule.Rule.Type] {
		walk = s.everybody
	}
	if walk == nil {
		return nil
	}
	size := pageOf(rule)
	return func(ctx context.Context, scope laurel.Scope, r *runRow) (time.Duration, bool, error) {
		found, err := walk(ctx, scope, Page{Rule: rule.Rule, After: r.Position, Limit: size})
		if err != nil {
			return 0, false, err
		}
		return 0, len(found) < size, s.pay(ctx, scope, r, members{s, rule, found})
	}
}

// members are what a walk answered.
type members struct {
	*Service
	of   rules.Current
	list []Step
}

func (m members) rule() rules.Current        { return m.of }
func (m members) size() int                  { return len(m.list) }
func (m members) position(i int) string      { return m.list[i].Position }
func (m members) slice(from, to int) payable { return members{m.Service, m.of, m.list[from:to]} }

func (m members) prepare(ctx context.Context, scope laurel.Scope, r *runRow, again bool) (ready, error) {
	round := completions.Round{Rule: m.of, At: r.at(), Again: again, Candidates: make([]completions.Candidate, len(m.list))}
	if m.of.Rule.Type.Driver() != rulebook.NoDriver { // what the run covers for them does not hang on the plan, which may have changed or paused
		before, known, err := completeBefore(ctx, m.DB, r)
		if err != nil {
			return nil, err
		}
		if known {
			round.Since = store.Time(before)
		}
		round.Leaves = r.Attempts+1 >= askedTries
	}
	for i, member := range m.list {
		round.Candidates[i] = member.Candidate
	}
	p, err := m.Completions.Prepare(ctx, scope, round)
	if err != nil {
		return nil, err
	}
	for i, member := range m.list {
		if left := p.Left(i); left != nil {
			m.Logger.Error("a run goes on without a member: there was no answer about it", slog.String("run", r.ID.String()), slog.String("position", member.Position), slog.Any("error", left))
		}
	}
	return judged{p}, nil
}

// judged are members of whom is known who may be paid.
type judged struct{ *completions.Prepared }

func (j judged) may(i int) bool         { return j.May(i) }
func (j judged) work(from, to int) pays { return j.Share(from, to) }
