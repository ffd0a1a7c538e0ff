package completion

import (
	"context"

	"laurel/internal/identity"
	"laurel/internal/rules/ruletypes"
)

// chainStep looks up the conditions that lock the rule (contract 5.8). It reads them without locks: a change before the
// commit counts as later than the completion.
type chainStep struct {
	ruletypes.BaseStep
	*Service
}

// Prepare reads how far the member is with each chain, unless the call skips required rules and chains.
func (s chainStep) Prepare(ctx context.Context, c *ruletypes.Case) error {
	if c.In.SkipRequired {
		return nil
	}
	states, err := s.chains.ChainStates(ctx, c.Scope, c.Rule, []identity.Person{c.Person})
	if err == nil {
		c.PreparedFacts.Chains = states[0]
	}
	return err
}
