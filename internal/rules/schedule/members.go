package schedule

import (
	"context"
	"errors"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

const (
	pageSize = 4000 // members that are read and checked without locks at once
	// providerPageSize is the same for rules with a provider: however slow it is, it must answer about all of them within
	// the lease of the run.
	providerPageSize = 24
	chainPageSize    = 128 // the same for rules that read blockchains, where many questions share a call
)

// pageSizeOf returns how many members a page of a run of the rule has.
func pageSizeOf(rule catalog.CachedRule) int {
	switch kind := ruletypes.KindOf(rule.Rule.Type); {
	case kind.AsksProviderOneByOne():
		return providerPageSize
	case kind.AsksProvider():
		return chainPageSize
	}
	return pageSize
}

// asksProvider reports whether the rule has a provider that is asked about each member.
func asksProvider(rule catalog.CachedRule) bool {
	return ruletypes.KindOf(rule.Rule.Type).AsksProvider()
}

// pageFunc executes the next page of a run. It returns how long the run must wait, if at all, and whether the page was
// the last one.
type pageFunc func(ctx context.Context, scope laurel.Scope, r *runRow) (wait time.Duration, isLast bool, err error)

// pageFuncOf returns the function that executes the next page of a run of the rule, or nil if no members can be listed
// for its type. If a rule asks a provider about each member and the run met a fault since it last moved, the members of
// a page are paid one by one. Blockchains answer about all of a page or about none.
func (s *Service) pageFuncOf(rule catalog.CachedRule) pageFunc {
	if rule.Rule.Type == schema.TypeReferredUser {
		return s.referralSharePage(rule)
	}
	walk := s.Walks[rule.Rule.Type]
	if ruletypes.KindOf(rule.Rule.Type).RunsOverAllMembers {
		walk = s.walkAllMembers
	}
	if walk == nil {
		return nil
	}
	size := pageSizeOf(rule)
	return func(ctx context.Context, scope laurel.Scope, r *runRow) (time.Duration, bool, error) {
		page, err := walk(ctx, scope, Page{Rule: rule.Rule, At: r.at(), After: r.Position, Limit: size})
		if err != nil {
			return 0, false, err
		}
		m := memberPage{Service: s, cachedRule: rule, list: page, responded: new(bool)}
		if ruletypes.KindOf(rule.Rule.Type).AsksProviderOneByOne() && r.Attempts > 0 {
			reachedAll, err := s.payOneByOne(ctx, scope, r, m, walk)
			return 0, reachedAll && len(page) < size, err
		}
		return 0, len(page) < size, s.pay(ctx, scope, r, m)
	}
}

// memberPage is a page of a walk. It implements payees.
type memberPage struct {
	*Service
	cachedRule catalog.CachedRule
	list       []WalkMember
	responded  *bool // set once the provider has answered about a member; shared by slices of the page
}

func (m memberPage) rule() catalog.CachedRule { return m.cachedRule }
func (m memberPage) size() int                { return len(m.list) }
func (m memberPage) position(i int) string    { return m.list[i].Position }
func (m memberPage) slice(from, to int) payees {
	return memberPage{m.Service, m.cachedRule, m.list[from:to], m.responded}
}

// prepare prepares the completions of the members. If earlier is set, it takes over the results of a provider from that
// preparation, so that the provider is not asked again.
func (m memberPage) prepare(
	ctx context.Context,
	scope laurel.Scope,
	r *runRow,
	earlier preparedPayees,
) (preparedPayees, error) {
	page, err := m.runPage(ctx, r)
	if err != nil {
		return nil, err
	}
	if earlier, ok := earlier.(preparedMembers); ok {
		page.Verifications = earlier.Verifications()
	}
	p, err := m.Completions.PreparePage(ctx, scope, page)
	if reason := completion.NotReady(""); errors.As(err, &reason) {
		return nil, NotReady(reason)
	}
	if err != nil {
		return nil, err
	}
	*m.responded = *m.responded || len(p.Verifications()) > 0
	return preparedMembers{p}, nil
}

// runPage returns the members as the page of candidates that completion prepares. If the rule asks a provider, the page
// also has the time of the last complete run.
func (m memberPage) runPage(ctx context.Context, r *runRow) (completion.RunPage, error) {
	page := completion.RunPage{Rule: m.cachedRule, At: r.at(), Candidates: make([]completion.Candidate, len(m.list))}
	for i, member := range m.list {
		page.Candidates[i] = member.Candidate
	}
	if !asksProvider(m.cachedRule) {
		return page, nil
	}
	// The last complete run counts here, not the plan, which may have changed or paused since.
	at, found, err := lastCompleteBefore(ctx, m.DB, r)
	if found {
		page.PreviousRunAt = store.Time(at)
	}
	return page, err
}

// preparedMembers are the members of a page after the checks without locks. It implements preparedPayees.
type preparedMembers struct{ *completion.PreparedPage }

func (j preparedMembers) mayBePaid(i int) bool      { return j.MayBePaid(i) }
func (j preparedMembers) work(from, to int) payWork { return j.Chunk(from, to) }
