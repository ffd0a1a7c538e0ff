package completions

import (
	"context"

	"laurel/internal/decision"
	"laurel/internal/ledger"
	"laurel/internal/rulebook"
	"laurel/internal/rules"
	"laurel/internal/store"
)

// token: the rule pays a token (contract 5.5). What is booked in its hidden currency is owed to the member's wallet, and written down with the entries.
type token struct {
	inert
	*Service
}

func paysToken(r *rules.Rule) bool { return r.RewardType == rulebook.RewardToken }

func (token) ahead(_ context.Context, w *completion) error {
	w.known.NoWallet = w.person.Wallet == ""
	return nil
}

func (token) pays(w *completion, p *ledger.Posting) { p.Token = w.rule.TokenCurrencyID }

func (s token) paid(b *store.Batch, w *completion, _ decision.Reward) error {
	s.owes(b, &w.rule, w.person.Wallet, w.made.Entries)
	return nil
}
