package completion

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/schema"
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
	page := &PreparedPage{plans: make([]*plan, len(people))}
	qualify, index := make([]bool, len(people)), make(map[*plan]int, len(people))
	// A run and not a call, because a call would need something to claim if the rule's rewards are claimed.
	run := &request{scope: scope, trigger: (&EventOrRun{Kind: decision.TriggerRun, At: s.db.Now()}).trigger()}
	for i, person := range people {
		p := s.newPlan(s.resolveFor(run, rule, person), 1)
		p.PreparedFacts.Chains = chainStates[i]
		page.plans[i], index[p] = p, i
	}
	err = page.forEach(func(p *plan) (err error) {
		qualify[index[p]], err = s.stillQualifies(ctx, p)
		return err
	})
	return qualify, err
}

// stillQualifies reads the requirements that may cease to hold, and reports whether the rule's requirements hold.
func (s *Service) stillQualifies(ctx context.Context, p *plan) (bool, error) {
	for _, step := range p.steps {
		if step.IsRequirement {
			if err := step.Prepare(ctx, &p.Case); err != nil {
				return false, err
			}
		}
	}
	if p.Kind.Provider == schema.ChainProvider && p.Kind.Decision.ChecksState {
		if err := s.askIfStillHeld(ctx, p); err != nil {
			return false, err
		}
	}
	state := progress.State{}
	if p.Rule.TrackProgress {
		var err error
		if state, err = s.deps.Loaders.State(ctx, p.StateKey()); err != nil {
			return false, err
		}
	}
	const isPaid, isCurrencyLive = false, true // neither is a requirement that may end
	return decision.StillQualifies(p.factsOf(&state, isPaid, isCurrencyLive)), nil
}

// askIfStillHeld asks what the member holds now. A network that is not read, and a rule that names what cannot be read,
// say nothing about the member, so its reward stays.
func (s *Service) askIfStillHeld(ctx context.Context, p *plan) error {
	canAsk, err := s.verifiers.IsAvailable(ctx, p.Scope, &p.Rule.Properties)
	if err != nil || !canAsk {
		return err
	}
	q, err := s.questionAbout(ctx, p)
	if err != nil {
		return err
	}
	q.RunAt = time.Time{} // as it is now
	var v *verification
	if v, err = s.sendQuestion(ctx, p, q); err == nil && v.answer.Refusal == "" {
		p.PreparedFacts.Verdict = v.verdict
	}
	return err
}
