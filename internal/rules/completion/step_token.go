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

// tokenStep handles rules that pay a token (contract 5.5). The entry stands in the hidden currency of the token, and
// the payout to the member's wallet is staged with it.
type tokenStep struct {
	ruletypes.BaseStep
	*Service
}

// paysToken reports whether the reward of the rule is a token.
func paysToken(r *catalog.Rule) bool { return r.RewardType == schema.RewardToken }

// Prepare notes whether the member has a wallet.
func (tokenStep) Prepare(_ context.Context, c *ruletypes.Case) error {
	c.PreparedFacts.NoWallet = c.Person.Wallet == ""
	return nil
}

// EditPosting marks the currency as that of a token.
func (tokenStep) EditPosting(c *ruletypes.Case, p *ledger.Posting) {
	p.Tokens = []laurel.ID{c.Rule.TokenCurrencyID}
}

// Apply stages the payout.
func (s tokenStep) Apply(b *store.Batch, c *ruletypes.Case, _ decision.Reward) error {
	s.owePayouts(b, &c.Rule, c.Person.Wallet, c.PostedTransaction.Entries)
	return nil
}
