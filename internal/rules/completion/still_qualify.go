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

// StillQualify returns for each user whether what the rule asks of members holds for it as of now (contract 5.5). It
// reads without locks: what changes meanwhile happened afterwards.
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
	standings, err := s.chains.Standings(ctx, scope, *rule.Rule, people)
	if err != nil {
		return nil, err
	}
	// nobody calls: what a run found is not asked for again
	now := (&EventOrRun{By: decision.ByRun, At: s.db.Now()}).mode()
	p := &PreparedPage{works: make([]*completion, len(people))}
	for i, person := range people {
		w := s.newCompletion(now, scope, CompleteInput{})
		w.Person = person
		w.setRule(rule)
		w.steps = slices.DeleteFunc(w.steps, func(s ruletypes.Step) bool {
			switch s.(type) {
			case *profileStep, listStep, *badgeStep:
				return false
			}
			return true
		})
		w.PreparedFacts.Chains = standings[i]
		p.works[i] = w
	}
	holds, at := make([]bool, len(people)), make(map[*completion]int, len(people))
	for i, w := range p.works {
		at[w] = i
	}
	err = p.forEach(func(w *completion) (err error) {
		holds[at[w]], err = w.stillQualifies(ctx)
		return err
	})
	return holds, err
}

func (w *completion) stillQualifies(ctx context.Context) (bool, error) {
	for _, s := range w.steps {
		if err := s.Prepare(ctx, &w.Case); err != nil {
			return false, err
		}
	}
	sub := progress.State{}
	if w.Rule.TrackProgress {
		var err error
		if sub, err = w.service.deps.Loaders.State(ctx, w.StateKey()); err != nil {
			return false, err
		}
	}
	return decision.StillQualifies(w.factsOf(&sub, false, true)), nil
}
