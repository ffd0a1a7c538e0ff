package completion

import (
	"context"

	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/ruletypes"
)

// listStep returns the step that looks up the member's wallet in the rule's list (contract 5.13).
func listStep(s *Service) *ruletypes.Step {
	return &ruletypes.Step{IsRequirement: true, Prepare: s.prepareListMember}
}

// hasList reports whether the rule is for the wallets of a list.
func hasList(r *catalog.Rule) bool { return r.UserAllotmentCSVURL != nil }

// prepareListMember reads whether the wallet is on the list, and the amount that the list gives it. It reads without
// locks: a list that is replaced meanwhile counts as replaced afterwards.
func (s *Service) prepareListMember(ctx context.Context, c *ruletypes.Case) error {
	if c.Person.Wallet == "" || c.PreparedFacts.Listed { // a run has read the list in bulk
		return nil
	}
	member, listed, err := s.deps.Loaders.ListMember(ctx, lists.Key{Owner: c.Rule.ID, Wallet: c.Person.Wallet})
	c.PreparedFacts.Listed, c.PreparedFacts.Allotted = listed, member.Amount
	return err
}
