package completion

import (
	"context"

	"laurel/internal/identity"
	"laurel/internal/rules/ruletypes"
)

// chainStep: conditions must hold before the rule can be completed (contract 5.8). They are looked at without locks:
// what changes before the commit happened at once with the completion, which counts as the earlier one.
type chainStep struct {
	ruletypes.BaseStep
	*Service
}

func (s chainStep) Prepare(ctx context.Context, c *ruletypes.Case) error {
	if c.In.SkipRequired {
		return nil
	}
	of, err := s.chains.Standings(ctx, c.Scope, c.Rule, []identity.Person{c.Person})
	if err == nil {
		c.PreparedFacts.Chains = of[0]
	}
	return err
}
