package completion

import (
	"laurel/internal/rules/kinds"
	"laurel/internal/rules/schema"
)

// stepsOf returns what completions of the rule have to do with beside what all share, in the order in which facts are
// gathered and effects are staged: what any rule may ask for, and what its type has of its own.
func (s *Service) stepsOf(w *completion) []kinds.Step {
	r := &w.Rule
	steps := make([]kinds.Step, 0, 4)
	add := func(concerned bool, step func() kinds.Step) {
		if concerned {
			steps = append(steps, step())
		}
	}
	steps = append(steps, required{Service: s})
	add(r.Chained, func() kinds.Step { return chained{Service: s} })
	add(raises(r), func() kinds.Step { return multiplied{Service: s} })
	add(gives(r), func() kinds.Step { return &gift{Service: s} })
	if w.Kind.Begin != nil {
		if own := w.Kind.Begin(s.deps, &w.Case); own != nil {
			steps = append(steps, own)
		}
	}
	add(byList(r), func() kinds.Step { return allotted{Service: s} })
	add(asksStanding(r), func() kinds.Step { return &standing{Service: s} })
	add(paysToken(r), func() kinds.Step { return token{Service: s} })
	gives := &award{Service: s}
	add(r.GivesBadges(r.Meta()), func() kinds.Step { return gives })
	add(w.Kind.Asks(), func() kinds.Step { return &verdict{Service: s, w: w, told: w.said()} }) // goes by what others find
	add(w.Kind.Asks() && r.RewardType == schema.RewardBadge, func() kinds.Step { return named{award: gives} })
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
