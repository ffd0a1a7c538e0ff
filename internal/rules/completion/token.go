package completion

import (
	"context"

	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// token: the rule pays a token (contract 5.5). What is booked in its hidden currency is owed to the member's wallet,
// and written down with the entries.
type token struct {
	inert
	*Service
}

func paysToken(r *catalog.Rule) bool { return r.RewardType == schema.RewardToken }

func (token) ahead(_ context.Context, w *completion) error {
	w.known.NoWallet = w.person.Wallet == ""
	return nil
}

func (token) pays(w *completion, p *ledger.Posting) { p.Token = w.rule.TokenCurrencyID }

func (s token) paid(b *store.Batch, w *completion, _ decision.Reward) error {
	s.owes(b, &w.rule, w.person.Wallet, w.made.Entries)
	return nil
}
