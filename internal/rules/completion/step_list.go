package completion

import (
	"context"

	"laurel/internal/rules/catalog"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/ruletypes"
)

// listStep: the rule is for the wallets of a list, which may say what each of them gets (contract 5.13). It is read
// ahead: a list that is exchanged at the same moment counts as exchanged afterwards, and what is paid is kept by window
// all the same.
type listStep struct {
	ruletypes.BaseStep
	*Service
}

// hasList reports whether completions are for those on a list.
func hasList(r *catalog.Rule) bool { return r.UserAllotmentCSVURL != nil }

func (s listStep) Prepare(ctx context.Context, c *ruletypes.Case) error {
	if c.Person.Wallet == "" || c.PreparedFacts.Listed { // a run has read it with others
		return nil
	}
	member, listed, err := s.deps.Loaders.ListMember(ctx, lists.Key{Owner: c.Rule.ID, Wallet: c.Person.Wallet})
	c.PreparedFacts.Listed, c.PreparedFacts.Allotted = listed, member.Amount
	return err
}
