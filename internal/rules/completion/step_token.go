package completion

import (
	"context"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// tokenStep: the rule pays a token (contract 5.5). What is booked in its hidden currency is owed to the member's
// wallet, and written down with the entries.
type tokenStep struct {
	ruletypes.BaseStep
	*Service
}

func paysToken(r *catalog.Rule) bool { return r.RewardType == schema.RewardToken }

func (tokenStep) Prepare(_ context.Context, c *ruletypes.Case) error {
	c.PreparedFacts.NoWallet = c.Person.Wallet == ""
	return nil
}

func (tokenStep) EditPosting(c *ruletypes.Case, p *ledger.Posting) {
	p.Tokens = []laurel.ID{c.Rule.TokenCurrencyID}
}

func (s tokenStep) Apply(b *store.Batch, c *ruletypes.Case, _ decision.Reward) error {
	s.owePayouts(b, &c.Rule, c.Person.Wallet, c.PostedTransaction.Entries)
	return nil
}
