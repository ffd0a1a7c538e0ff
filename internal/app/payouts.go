package app

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/payouts"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/store"
)

// stagePayouts adds a payout to the batch for each credit, among the entries that a rule has posted, in the currency of
// the rule's token (contract 5.5). wallet is the member's, to which the token goes.
func stagePayouts(b *store.Batch, rule *catalog.Rule, wallet string, entries []ledger.Entry) {
	for _, e := range entries {
		if e.CurrencyID != rule.TokenCurrencyID || e.Amount <= 0 {
			continue
		}
		p := payouts.Payout{
			OrganizationID: rule.OrganizationID,
			WebsiteID:      rule.WebsiteID,
			CurrencyID:     e.CurrencyID,
			RuleID:         laurel.NullableID(rule.ID),
			EntryID:        e.ID,
			UserID:         e.UserID,
			Wallet:         wallet,
			Amount:         e.Amount,
			RelayerID:      laurel.NullableID(rule.TokenReward.RelayerID),
		}
		if id := rule.TokenReward.ContractID; id != nil {
			p.ContractID.ID = *id
		}
		if rule.Network != nil {
			p.Network = laurel.NullText(*rule.Network)
		}
		payouts.Owe(b, p)
	}
}
