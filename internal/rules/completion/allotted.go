package completion

import (
	"context"

	"laurel/internal/rules/catalog"
	"laurel/internal/rules/lists"
)

// allotted: the rule is for the wallets of a list, which may say what each of them gets (contract 5.13). It is read
// ahead: a list that is exchanged at the same moment counts as exchanged afterwards, and what is paid is kept by window
// all the same.
type allotted struct {
	inert
	*Service
}

// byList reports whether completions are for those on a list.
func byList(r *catalog.Rule) bool { return r.UserAllotmentCSVURL != nil }

func (s allotted) ahead(ctx context.Context, w *completion) error {
	if w.person.Wallet == "" || w.known.Listed { // a run has read it with others
		return nil
	}
	member, listed, err := s.reads.lists.Get(ctx, lists.Key{Rule: w.rule.ID, Wallet: w.person.Wallet})
	w.known.Listed, w.known.Allotted = listed, member.Amount
	return err
}
