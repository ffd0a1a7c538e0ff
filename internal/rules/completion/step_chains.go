package completion

import (
	"context"

	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/ruletypes"
)

// chainStep returns the step that looks up the conditions which lock the rule (contract 5.8).
func chainStep(s *Service) *ruletypes.Step { return &ruletypes.Step{Prepare: s.prepareChains} }

// prepareChains reads how far the member is with each chain, unless the call skips required rules and chains. It reads
// without locks: a change before the commit counts as later than the completion.
func (s *Service) prepareChains(ctx context.Context, c *ruletypes.Case) error {
	if c.In.SkipRequired {
		return nil
	}
	states, err := s.chains.ChainStates(ctx, c.Scope, c.Rule, []identity.Person{c.Person})
	if err == nil {
		c.PreparedFacts.Chains = states[0]
	}
	return err
}
