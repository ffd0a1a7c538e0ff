package completion

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/ruletypes"
)

// StillQualify returns, for each user in their order, whether the rule's requirements hold now; the caller takes back
// the rewards of those who do not meet them (contract 5.5). It reads without locks: a change meanwhile counts as one
// made afterwards.
func (s *Service) StillQualify(
	ctx context.Context,
	scope laurel.Scope,
	rule catalog.CachedRule,
	users []laurel.ID,
) ([]bool, error) {
	refs := make([]identity.Ref, len(users))
	for i, u := range users {
		refs[i] = identity.Ref{UserID: u}
	}
	people, err := s.people.ResolveMany(ctx, s.db, scope, refs)
	if err != nil {
		return nil, err
	}
	chainStates, err := s.chains.ChainStates(ctx, scope, *rule.Rule, people)
	if err != nil {
		return nil, err
	}
	page := &PreparedPage{completions: make([]*completion, len(people))}
	qualify, index := make([]bool, len(people)), make(map[*completion]int, len(people))
	for i, person := range people {
		w := s.newRequirementCheck(scope, rule, person)
		w.PreparedFacts.Chains = chainStates[i]
		page.completions[i], index[w] = w, i
	}
	err = page.forEach(func(w *completion) (err error) {
		qualify[index[w]], err = w.stillQualifies(ctx)
		return err
	})
	return qualify, err
}

// newRequirementCheck returns a completion that only serves to check whether a person still meets the requirements of a
// rule. It is a completion by a run and not by a call, because a call would need something to claim if the rule's
// rewards are claimed. It keeps only the steps whose requirements may cease to hold.
func (s *Service) newRequirementCheck(scope laurel.Scope, rule catalog.CachedRule, person identity.Person) *completion {
	run := (&EventOrRun{Kind: decision.TriggerRun, At: s.db.Now()}).mode()
	w := s.newCompletion(run, scope, CompleteInput{})
	w.Person = person
	w.setRule(rule)
	w.steps = slices.DeleteFunc(w.steps, func(s ruletypes.Step) bool {
		switch s.(type) {
		case *profileStep, listStep, *badgeStep:
			return false
		}
		return true
	})
	return w
}

// stillQualifies reads the member's facts and reports whether the rule's requirements hold.
func (w *completion) stillQualifies(ctx context.Context) (bool, error) {
	for _, s := range w.steps {
		if err := s.Prepare(ctx, &w.Case); err != nil {
			return false, err
		}
	}
	state := progress.State{}
	if w.Rule.TrackProgress {
		var err error
		if state, err = w.service.deps.Loaders.State(ctx, w.StateKey()); err != nil {
			return false, err
		}
	}
	const isPaid, isCurrencyLive = false, true // neither is a requirement that may end
	return decision.StillQualifies(w.factsOf(&state, isPaid, isCurrencyLive)), nil
}
