package completion

import (
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// paidRewards returns the rewards as the result of the call lists them: the amount or the multiplier, then the badges
// and the further credits.
func (p *plan) paidRewards(reward decision.Reward) []Paid {
	paid := []Paid{}
	switch currency := p.Rule.Currency(); {
	case reward.Multiplier > 0 && !p.Rule.DeletedAt.IsZero(): // deleted meanwhile, and its multipliers ended
	case reward.Multiplier > 0:
		paid = append(paid, Paid{RewardType: p.Rule.RewardType, Multiplier: &reward.Multiplier})
	case p.Rule.RewardType == schema.RewardBadge: // it pays no points
	case !currency.IsZero():
		paid = append(paid, Paid{RewardType: p.Rule.RewardType, Amount: &reward.Amount, CurrencyID: &currency})
	}
	for _, id := range reward.Badges {
		paid = append(paid, Paid{RewardType: schema.RewardBadge, BadgeID: &id})
	}
	for _, c := range reward.Credits {
		kind, currency := p.Rule.RewardType, p.creditCurrency(c)
		if !c.CurrencyID.IsZero() || kind == schema.RewardMultiplier {
			kind = schema.RewardPoints
		}
		paid = append(paid, Paid{RewardType: kind, Amount: &c.Amount, CurrencyID: &currency})
	}
	return paid
}

// markHeld marks the rewards whose points are held: the transaction has an entry of amount 0 for them.
func markHeld(rewards []Paid, posting ledger.Posting, t ledger.Transaction) {
	for i, l := range posting.Lines {
		if l.Amount <= 0 || t.Entries[i].Amount != 0 {
			continue
		}
		for j, r := range rewards {
			if r.CurrencyID != nil && *r.CurrencyID == l.CurrencyID && *r.Amount > 0 {
				rewards[j].Waiting = true
			}
		}
	}
}

// posting returns what the reward writes into the ledger: a line of the rule's own amount, if the rule has a live
// currency, and one line per further credit. The line of a rule that pays no points has amount 0.
func (p *plan) posting(reward decision.Reward, currencyLive bool) ledger.Posting {
	posting := ledger.Posting{
		Scope:       p.Scope,
		Type:        ledger.TypeLoyaltyRule,
		Cause:       ledger.CauseReward,
		Description: p.Rule.Name,
		RuleID:      p.Rule.ID,
		RuleType:    string(p.Rule.Type),
	}
	line := ledger.Line{Member: ruletypes.ToLedgerMember(p.Person, p.Scope), Direction: ledger.Credit}
	// An amount of 0 gets an entry unless a further credit, such as a milestone, shows the completion. Multipliers and
	// keys always get one.
	postsZero := len(reward.Credits) == 0 || reward.Multiplier > 0 || p.In.Key != ""
	if currency := p.Rule.Currency(); currencyLive && !currency.IsZero() && (reward.Amount > 0 || postsZero) {
		line.CurrencyID, line.Amount, line.Key, line.Metadata = currency, reward.Amount, p.In.Key, p.entryMetadata(reward)
		posting.Lines = append(posting.Lines, line)
	}
	for _, c := range reward.Credits {
		posting.Lines = append(
			posting.Lines,
			ledger.Line{
				Member:     line.Member,
				Direction:  ledger.Credit,
				CurrencyID: p.creditCurrency(c),
				Amount:     c.Amount,
				Metadata:   encodeMetadata(c.Metadata),
			},
		)
	}
	return posting
}

// creditCurrency returns the currency of a further credit: its own, or else the rule's.
func (p *plan) creditCurrency(c decision.Credit) laurel.ID {
	if c.CurrencyID.IsZero() {
		return p.Rule.Currency()
	}
	return c.CurrencyID
}

// entryMetadata returns the metadata of the completion's entry: the start of the tier that was reached, and the call's
// contentUrl, if there are any (contract 5.5).
func (p *plan) entryMetadata(reward decision.Reward) json.RawMessage {
	m := map[string]any{}
	if reward.RangeStart != nil {
		m["rangeStart"] = *reward.RangeStart
	}
	if p.In.ContentURL != "" {
		m["contentUrl"] = p.In.ContentURL
	}
	return encodeMetadata(m)
}

// encodeMetadata encodes the metadata of an entry; nil if there is none.
func encodeMetadata(m map[string]any) json.RawMessage {
	if len(m) == 0 {
		return nil
	}
	return store.JSON(m)
}
