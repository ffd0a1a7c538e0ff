package completion

import (
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
)

// stepsOf returns the steps of a completion, in the order in which they add facts and stage effects: those that any
// rule may need, and the one of its rule type.
func (s *Service) stepsOf(w *completion) []ruletypes.Step {
	r := &w.Rule
	steps := make([]ruletypes.Step, 0, 4)
	addIf := func(applies bool, step func() ruletypes.Step) {
		if applies {
			steps = append(steps, step())
		}
	}
	steps = append(steps, requiredStep{Service: s})
	addIf(r.HasChains, func() ruletypes.Step { return chainStep{Service: s} })
	addIf(isRaisedByMultipliers(r), func() ruletypes.Step { return multiplierStep{Service: s} })
	addIf(grantsMultiplier(r), func() ruletypes.Step { return &grantMultiplierStep{Service: s} })
	if w.Kind.NewStep != nil {
		if typeStep := w.Kind.NewStep(s.deps, &w.Case); typeStep != nil {
			steps = append(steps, typeStep)
		}
	}
	addIf(hasList(r), func() ruletypes.Step { return listStep{Service: s} })
	addIf(needsProfile(r), func() ruletypes.Step { return &profileStep{Service: s} })
	addIf(paysToken(r), func() ruletypes.Step { return tokenStep{Service: s} })
	badges := &badgeStep{Service: s}
	addIf(r.GrantsBadges(r.Meta()), func() ruletypes.Step { return badges })
	asks := w.Kind.AsksProvider()
	addIf(asks, func() ruletypes.Step { return &verificationStep{Service: s, w: w, result: w.verification()} })
	addIf(asks && r.RewardType == schema.RewardBadge, func() ruletypes.Step { return functionBadgeStep{badges: badges} })
	return steps
}

// verification returns what a provider said about the member; nil: it was not asked. A completion that is prepared
// again does not ask again.
func (w *completion) verification() *verification {
	for _, s := range w.steps {
		if v, ok := s.(*verificationStep); ok {
			return v.result
		}
	}
	return nil
}

// reuseVerification sets what a provider said about the member in an earlier preparation; nil: it was not asked. It
// does nothing for rules without a provider.
func (w *completion) reuseVerification(verification *verification) {
	for _, s := range w.steps {
		if v, ok := s.(*verificationStep); ok {
			v.result = verification
		}
	}
}
