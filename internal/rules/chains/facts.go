package chains

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/progress"
)

// ChainStates returns, for each of the people in their order, the present state of each chain of the rule, or nil for a
// rule without chains. It uses the chains of the given version of the rule. So callers must check under locks that
// rule.Version is still the present one.
func (s *Service) ChainStates(
	ctx context.Context,
	scope laurel.Scope,
	rule catalog.Rule,
	people []identity.Person,
) ([][]conditions.ChainState, error) {
	out := make([][]conditions.ChainState, len(people))
	if !rule.HasChains {
		return out, nil
	}
	list, err := s.chainsOfVersion(ctx, scope, rule.ID, rule.Version)
	if err != nil {
		return nil, err
	}
	var all []conditions.Condition
	for _, c := range list {
		all = append(all, c.Conditions...)
	}
	facts, err := s.GatherFacts(ctx, scope, people, all)
	if err != nil {
		return nil, err
	}
	onLists, err := s.findOnLists(ctx, rule.ID, people, all)
	for i := range facts {
		facts[i].OnLists = onLists[i]
	}
	for i, personFacts := range facts {
		for _, c := range list {
			out[i] = append(out[i], c.stateFor(personFacts))
		}
	}
	return out, err
}

// stateFor returns the state of the chain by the facts about a member.
func (c Chain) stateFor(facts conditions.Facts) conditions.ChainState {
	out := conditions.ChainState{ChainID: c.ID, Operator: c.Operator, States: make([]conditions.State, len(c.Conditions))}
	for i, condition := range c.Conditions {
		out.States[i] = condition.Judge(facts, c.RuleID)
	}
	return out
}

// chainsOfVersion returns the chains that a rule has in a version, from the cache if they are there. They are shared;
// callers must not change them. The chains of a version never change, so they can be cached.
func (s *Service) chainsOfVersion(
	ctx context.Context, scope laurel.Scope, rule laurel.ID, version int64,
) ([]Chain, error) {
	if list, ok := s.chains.GetIfPresent(ruleVersion{rule, version}); ok {
		return list, nil
	}
	list, err := OfRules(ctx, s.db, scope, []laurel.ID{rule})
	if err == nil {
		s.chains.Set(ruleVersion{rule, version}, list)
	}
	return list, err
}

// GatherFacts returns, for each of the people in their order, the facts that the conditions need, as they are now:
// completions of the person or its group, balances of the whole group, and the ranks and badges of the person alone. It
// does not set OnLists, which findOnLists returns.
func (s *Service) GatherFacts(
	ctx context.Context,
	scope laurel.Scope,
	people []identity.Person,
	list []conditions.Condition,
) ([]conditions.Facts, error) {
	references := conditions.ReferencesOf(list)
	live, rulesByGroup, err := s.referencedRules(ctx, scope, references)
	if err != nil {
		return nil, err
	}
	subjects, users, accountUsers := make([]laurel.ID, len(people)), make([]laurel.ID, len(people)), []laurel.ID{}
	for i, p := range people {
		subjects[i], users[i], accountUsers = p.Subject(), p.UserID, append(accountUsers, groupUserIDs(p)...)
	}
	completed, err := progress.CountCompletions(ctx, s.db, subjects, live)
	if err != nil {
		return nil, err
	}
	balances, err := s.ledger.VisibleBalances(ctx, scope, laurel.Visibility{}, accountUsers, references.Balances)
	if err != nil {
		return nil, err
	}
	active, err := badges.ActiveByUser(ctx, s.db, scope, references.Badges, users)
	if err != nil {
		return nil, err
	}
	ranks, err := s.ledger.PublicRanks(ctx, scope, users, references.Ranks)
	if err != nil {
		return nil, err
	}
	facts := make([]conditions.Facts, len(people))
	for i, p := range people {
		facts[i] = conditions.Facts{
			Completions: completed[p.Subject()],
			Sections:    rulesByGroup,
			Balances:    map[laurel.ID]laurel.Amount{},
			Ranks:       map[laurel.ID]int{},
			Badges:      active[p.UserID],
		}
		for _, currency := range references.Balances {
			facts[i].Balances[currency] = balances.Sum(currency, groupUserIDs(p))
		}
		for _, currency := range references.Ranks {
			facts[i].Ranks[currency] = ranks[currency][p.UserID]
		}
	}
	return facts, nil
}

// referencedRules returns the ids of the live rules that the conditions refer to, directly or through a rule group, and
// the rules of each of these groups.
func (s *Service) referencedRules(
	ctx context.Context, scope laurel.Scope, references conditions.References,
) (live []laurel.ID, rulesByGroup map[laurel.ID][]laurel.ID, err error) {
	if rulesByGroup, err = s.rules.RulesByGroup(ctx, s.db, scope, references.Sections); err != nil {
		return nil, nil, err
	}
	ruleIDs := references.Rules
	for _, rulesOfGroup := range rulesByGroup {
		ruleIDs = append(ruleIDs, rulesOfGroup...)
	}
	live, err = s.rules.LiveAmong(ctx, s.db, scope, ruleIDs)
	return live, rulesByGroup, err
}

// groupUserIDs returns the users whose balances are summed up: all members of the person's group.
func groupUserIDs(p identity.Person) []laurel.ID {
	if len(p.Group) == 0 {
		return []laurel.ID{p.UserID}
	}
	return p.Group
}
