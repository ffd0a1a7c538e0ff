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
	steps = append(steps, required{Service: s})
	add(r.HasChains, func() ruletypes.Step { return chained{Service: s} })
	add(raises(r), func() ruletypes.Step { return multiplied{Service: s} })
	add(gives(r), func() ruletypes.Step { return &gift{Service: s} })
	if w.Kind.Begin != nil {
		if own := w.Kind.Begin(s.deps, &w.Case); own != nil {
			steps = append(steps, own)
		}
	}
	add(byList(r), func() ruletypes.Step { return allotted{Service: s} })
	add(asksStanding(r), func() ruletypes.Step { return &standing{Service: s} })
	add(paysToken(r), func() ruletypes.Step { return token{Service: s} })
	gives := &award{Service: s}
	add(r.GrantsBadges(r.Meta()), func() ruletypes.Step { return gives })
	add(w.Kind.Asks(), func() ruletypes.Step { return &verdict{Service: s, w: w, told: w.said()} })
	add(w.Kind.Asks() && r.RewardType == schema.RewardBadge, func() ruletypes.Step { return named{award: gives} })
	return steps
}

// said is what a provider has said about the member so far: who is prepared again does not ask again.
func (w *completion) said() *told {
	for _, s := range w.steps {
		if v, ok := s.(*verdict); ok {
			return v.told
		}
	}
	return nil
}

// recall keeps what a provider has said about the member before, nil for nothing.
func (w *completion) recall(said *told) {
	for _, s := range w.steps {
		if v, ok := s.(*verdict); ok {
			v.told = said
		}
	}
}
