package chains

import (
	"context"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/engagement/conditions"
	"laurel/internal/identity"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/progress"
)

// Standings returns how far each of the people is with each chain of the rule, as it is now. The chains are those of
// the version in which the rule was read: good for whoever compares it under locks.
func (s *Service) Standings(
	ctx context.Context,
	scope laurel.Scope,
	rule catalog.Rule,
	people []identity.Person,
) ([][]conditions.ChainState, error) {
	out := make([][]conditions.ChainState, len(people))
	if !rule.HasChains {
		return out, nil
	}
	list, err := s.of(ctx, scope, rule.ID, rule.Version)
	if err != nil {
		return nil, err
	}
	var all []conditions.Condition
	for _, c := range list {
		all = append(all, c.Conditions...)
	}
	known, err := s.Facts(ctx, scope, people, all)
	if err != nil {
		return nil, err
	}
	listed, err := s.listedIn(ctx, rule.ID, people, all)
	for i := range known {
		known[i].OnLists = listed[i]
	}
	for i, k := range known {
		for _, c := range list {
			out[i] = append(out[i], c.standing(k))
		}
	}
	return out, err
}

// standing returns how far a member is with the chain, by what is known of it.
func (c Chain) standing(k conditions.Facts) conditions.ChainState {
	out := conditions.ChainState{ChainID: c.ID, Operator: c.Operator, States: make([]conditions.State, len(c.Conditions))}
	for i, condition := range c.Conditions {
		out.States[i] = condition.Judge(k, c.RuleID)
	}
	return out
}

// of returns the chains of a rule in one of its versions; shared, not to be changed. What is remembered of a version
// never changes.
func (s *Service) of(ctx context.Context, scope laurel.Scope, rule laurel.ID, number int64) ([]Chain, error) {
	if list, ok := s.known.GetIfPresent(version{rule, number}); ok {
		return list, nil
	}
	list, err := chainsOf(ctx, s.db, scope, []laurel.ID{rule})
	if err == nil {
		s.known.Set(version{rule, number}, list)
	}
	return list, err
}

// Facts gathers what conditions are judged by, as it is now, of each of the people: what it, or its group, completed,
// what it and its group hold, and its own rank and badges.
func (s *Service) Facts(
	ctx context.Context,
	scope laurel.Scope,
	people []identity.Person,
	list []conditions.Condition,
) ([]conditions.Facts, error) {
	names := conditions.ReferencesOf(list)
	inside, err := s.rules.RulesByGroup(ctx, s.db, scope, names.Sections)
	if err != nil {
		return nil, err
	}
	asked := names.Rules
	for _, of := range inside {
		asked = append(asked, of...)
	}
	live, err := s.rules.LiveAmong(ctx, s.db, scope, asked)
	if err != nil {
		return nil, err
	}
	subjects, users, holders := make([]laurel.ID, len(people)), make([]laurel.ID, len(people)), []laurel.ID{}
	for i, p := range people {
		subjects[i], users[i], holders = p.Subject(), p.UserID, append(holders, together(p)...)
	}
	completed, err := progress.CountCompletions(ctx, s.db, subjects, live)
	if err != nil {
		return nil, err
	}
	held, err := s.ledger.Holdings(ctx, scope, laurel.Sight{}, holders, names.Balances)
	if err != nil {
		return nil, err
	}
	active, err := badges.ActiveByUser(ctx, s.db, scope, names.Badges, users)
	if err != nil {
		return nil, err
	}
	places, err := s.ledger.Places(ctx, scope, users, names.Ranks)
	if err != nil {
		return nil, err
	}
	known := make([]conditions.Facts, len(people))
	for i, p := range people {
		known[i] = conditions.Facts{
			Completions: completed[p.Subject()],
			Sections:    inside,
			Balances:    map[laurel.ID]laurel.Amount{},
			Ranks:       map[laurel.ID]int{},
			Badges:      active[p.UserID],
		}
		for _, currency := range names.Balances {
			known[i].Balances[currency] = held.Sum(currency, together(p))
		}
		for _, currency := range names.Ranks {
			known[i].Ranks[currency] = places[currency][p.UserID]
		}
	}
	return known, nil
}

// together are the members whose balances add up: a spend may use them all.
func together(p identity.Person) []laurel.ID {
	if len(p.Group) == 0 {
		return []laurel.ID{p.UserID}
	}
	return p.Group
}
