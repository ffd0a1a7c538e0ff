package schedule

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

const (
	pageSize = 4000 // members that are read and judged without locks at once
	// askedPage is the same where a provider is asked about each of them: its answers come within a lease of the
	// run, however slow they are.
	askedPage = 24
)

func pageOf(rule catalog.CachedRule) int {
	if asks(rule) {
		return askedPage
	}
	return pageSize
}

// asks reports whether a provider is asked about the members of the rule.
func asks(rule catalog.CachedRule) bool { return ruletypes.KindOf(rule.Rule.Type).AsksProvider() }

// step carries a run on by a page. It returns how long the run waits for something, and whether it is over.
type step func(ctx context.Context, scope laurel.Scope, r *runRow) (wait time.Duration, over bool, err error)

// stepOf returns how runs of the rule are carried on; nil: nobody knows its members.
func (s *Service) stepOf(rule catalog.CachedRule) step {
	if rule.Rule.Type == schema.TypeReferredUser {
		return s.shares(rule)
	}
	walk := s.Walks[rule.Rule.Type]
	if ruletypes.KindOf(rule.Rule.Type).RunsOverAllMembers {
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
		m := members{Service: s, of: rule, list: found, told: new(bool)}
		if asks(rule) && r.Attempts > 0 {
			all, err := s.oneByOne(ctx, scope, r, m, walk)
			return 0, all && len(found) < size, err
		}
		return 0, len(found) < size, s.pay(ctx, scope, r, m)
	}
}

// members are what a walk answered.
type members struct {
	*Service
	of   catalog.CachedRule
	list []Step
	told *bool // set where a provider has answered about one of them
}

func (m members) rule() catalog.CachedRule { return m.of }
func (m members) size() int                { return len(m.list) }
func (m members) position(i int) string    { return m.list[i].Position }
func (m members) slice(from, to int) payable {
	return members{m.Service, m.of, m.list[from:to], m.told}
}

func (m members) prepare(ctx context.Context, scope laurel.Scope, r *runRow, before ready) (ready, error) {
	round, err := m.round(ctx, r)
	if err != nil {
		return nil, err
	}
	if earlier, again := before.(judged); again {
		round.Verifications = earlier.Verifications()
	}
	p, err := m.Completions.PreparePage(ctx, scope, round)
	if err != nil {
		return nil, err
	}
	*m.told = *m.told || len(p.Verifications()) > 0
	return judged{p}, nil
}

func (m members) round(ctx context.Context, r *runRow) (completion.RunPage, error) {
	round := completion.RunPage{Rule: m.of, At: r.at(), Candidates: make([]completion.Candidate, len(m.list))}
	for i, member := range m.list {
		round.Candidates[i] = member.Candidate
	}
	if !asks(m.of) {
		return round, nil
	}
	// what the run covers for them does not hang on the plan, which may have changed or paused
	before, known, err := completeBefore(ctx, m.DB, r)
	if known {
		round.PreviousRunAt = store.Time(before)
	}
	return round, err
}

// judged are members of whom is known who may be paid.
type judged struct{ *completion.PreparedPage }

func (j judged) may(i int) bool         { return j.MayBePaid(i) }
func (j judged) work(from, to int) pays { return j.Chunk(from, to) }
