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

// token: the rule pays a token (contract 5.5). What is booked in its hidden currency is owed to the member's wallet,
// and written down with the entries.
type token struct {
	ruletypes.Inert
	*Service
}

func paysToken(r *catalog.Rule) bool { return r.RewardType == schema.RewardToken }

func (token) Read(_ context.Context, c *ruletypes.Case) error {
	c.Known.NoWallet = c.Person.Wallet == ""
	return nil
}

func (token) Pays(c *ruletypes.Case, p *ledger.Posting) {
	p.Tokens = []laurel.ID{c.Rule.TokenCurrencyID}
}

func (s token) Paid(b *store.Batch, c *ruletypes.Case, _ decision.Reward) error {
	s.owes(b, &c.Rule, c.Person.Wallet, c.Made.Entries)
	return nil
}
