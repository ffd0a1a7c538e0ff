package completion

import "laurel.example/laurel/internal/rules/ruletypes"

// sharedSteps are the steps that keep nothing between the phases, so that all completions share them.
type sharedSteps struct {
	required, chains, multipliers, list, token, event *ruletypes.Step
}

// newSharedSteps returns the shared steps of a service.
func newSharedSteps(s *Service) sharedSteps {
	return sharedSteps{
		required:    requiredStep(s),
		chains:      chainStep(s),
		multipliers: multiplierStep(s),
		list:        listStep(s),
		token:       tokenStep(s),
		event:       eventStep(),
	}
}

// stepsOf returns the steps of a completion, in the order in which they add facts and stage effects: those that any
// rule may need, and the one of its rule type.
func (s *Service) stepsOf(c *ruletypes.Case) []*ruletypes.Step {
	r := &c.Rule
	steps := append(make([]*ruletypes.Step, 0, 4), s.steps.required)
	if r.HasChains {
		steps = append(steps, s.steps.chains)
	}
	if isRaisedByMultipliers(r) {
		steps = append(steps, s.steps.multipliers)
	}
	if grantsMultiplier(r) {
		steps = append(steps, newGrantMultiplierStep(s))
	}
	if c.Kind.NewStep != nil {
		if typeStep := c.Kind.NewStep(s.deps, c); typeStep != nil {
			steps = append(steps, typeStep)
		}
	}
	if c.Trigger.Event != nil {
		steps = append(steps, s.steps.event)
	}
	if hasList(r) {
		steps = append(steps, s.steps.list)
	}
	if needsProfile(r) {
		steps = append(steps, newProfileStep(s))
	}
	if paysToken(r) {
		steps = append(steps, s.steps.token)
	}
	if r.GrantsBadges(r.Meta()) {
		steps = append(steps, newBadgeStep(s))
	}
	return steps
}
