package completion

import (
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
)

// stepsOf returns what completions of the rule have to do with beside what all share, in the order in which facts are
// gathered and effects are staged: what any rule may ask for, and what its type has of its own.
func (s *Service) stepsOf(w *completion) []ruletypes.Step {
	r := &w.Rule
	steps := make([]ruletypes.Step, 0, 4)
	add := func(concerned bool, step func() ruletypes.Step) {
		if concerned {
			steps = append(steps, step())
		}
	}
	steps = append(steps, requiredStep{Service: s})
	add(r.HasChains, func() ruletypes.Step { return chainStep{Service: s} })
	add(isRaisedByMultipliers(r), func() ruletypes.Step { return multiplierStep{Service: s} })
	add(grantsMultiplier(r), func() ruletypes.Step { return &grantMultiplierStep{Service: s} })
	if w.Kind.NewStep != nil {
		if own := w.Kind.NewStep(s.deps, &w.Case); own != nil {
			steps = append(steps, own)
		}
	}
	add(hasList(r), func() ruletypes.Step { return listStep{Service: s} })
	add(needsProfile(r), func() ruletypes.Step { return &profileStep{Service: s} })
	add(paysToken(r), func() ruletypes.Step { return tokenStep{Service: s} })
	gives := &badgeStep{Service: s}
	add(r.GrantsBadges(r.Meta()), func() ruletypes.Step { return gives })
	asks := w.Kind.AsksProvider()
	add(asks, func() ruletypes.Step { return &verificationStep{Service: s, w: w, result: w.verification()} })
	add(asks && r.RewardType == schema.RewardBadge, func() ruletypes.Step { return functionBadgeStep{award: gives} })
	return steps
}

// verification is what a provider has said about the member so far: who is prepared again does not ask again.
func (w *completion) verification() *verification {
	for _, s := range w.steps {
		if v, ok := s.(*verificationStep); ok {
			return v.result
		}
	}
	return nil
}

// reuseVerification keeps what a provider has said about the member before, nil for nothing.
func (w *completion) reuseVerification(verification *verification) {
	for _, s := range w.steps {
		if v, ok := s.(*verificationStep); ok {
			v.result = verification
		}
	}
}
