package completion

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// tokenStep returns the step of rules that pay a token (contract 5.5). The entry stands in the hidden currency of the
// token, and the payout to the member's wallet is staged with it.
func tokenStep(s *Service) *ruletypes.Step {
	return &ruletypes.Step{Prepare: noteWallet, EditPosting: markToken, Apply: s.stagePayout}
}

// paysToken reports whether the reward of the rule is a token.
func paysToken(r *catalog.Rule) bool { return r.RewardType == schema.RewardToken }

// noteWallet notes whether the member has a wallet.
func noteWallet(_ context.Context, c *ruletypes.Case) error {
	c.PreparedFacts.NoWallet = c.Person.Wallet == ""
	return nil
}

// markToken marks the currency as that of a token.
func markToken(c *ruletypes.Case, p *ledger.Posting) { p.Tokens = []laurel.ID{c.Rule.TokenCurrencyID} }

// stagePayout stages the payout.
func (s *Service) stagePayout(b *store.Batch, c *ruletypes.Case, p *ruletypes.Payment) error {
	s.owePayouts(b, &c.Rule, c.Person.Wallet, p.Transaction.Entries)
	return nil
}
