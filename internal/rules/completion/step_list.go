package completion

import (
	"context"

	"laurel/internal/rules/catalog"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/ruletypes"
)

// listStep looks up the member's wallet in the rule's list, which may also set the amount (contract 5.13). It reads
// without locks: a list that is replaced meanwhile counts as replaced afterwards.
type listStep struct {
	ruletypes.BaseStep
	*Service
}

// hasList reports whether the rule is for the wallets of a list.
func hasList(r *catalog.Rule) bool { return r.UserAllotmentCSVURL != nil }

// Prepare reads whether the wallet is on the list, and the amount that the list gives it.
func (s listStep) Prepare(ctx context.Context, c *ruletypes.Case) error {
	if c.Person.Wallet == "" || c.PreparedFacts.Listed { // a run has read the list in bulk
		return nil
	}
	member, listed, err := s.deps.Loaders.ListMember(ctx, lists.Key{Owner: c.Rule.ID, Wallet: c.Person.Wallet})
	c.PreparedFacts.Listed, c.PreparedFacts.Allotted = listed, member.Amount
	return err
}
