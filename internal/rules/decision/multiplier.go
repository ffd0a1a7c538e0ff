package decision

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/multiplier"
	"laurel.example/laurel/internal/rules/schema"
)

// Balance is a member's balance in a currency.
type Balance struct {
	CurrencyID laurel.ID     `json:"loyaltyCurrencyId"`
	Amount     laurel.Amount `json:"amount"`
}

// GrantsMultiplier reports whether the rule's reward is a multiplier.
func (f Facts) GrantsMultiplier() bool { return f.Rule.RewardType == schema.RewardMultiplier }

// multiplierValue returns the value of the multiplier that the rule grants, and the tier that was reached. tier is nil
// if the rule has no tiers or the caller sets the value. ok is false if the value that chooses the tier is below all
// tiers.
func (f Facts) multiplierValue() (value laurel.Amount, tier *schema.Tier, ok bool) {
	if f.Rule.Amount != nil {
		value = *f.Rule.Amount
	}
	switch {
	case f.Amount != nil:
		return *f.Amount, nil, true
	case len(f.Meta.Range) > 0:
		reached, ok := schema.TierOf(f.Meta.Range, tierValue(f))
		if reached.Multiplier != nil {
			value = *reached.Multiplier
		}
		return value, &reached, ok
	}
	return value, nil, true
}

// grantedByRule returns the multipliers that the rule has granted to the member and its group.
func (f Facts) grantedByRule() []multiplier.Live {
	var list []multiplier.Live
	for _, m := range f.Multipliers {
		if m.RuleID == f.RuleID {
			list = append(list, m)
		}
	}
	return list
}

// reachesBetterTier reports whether the rule has granted multipliers, and the reached tier is better than each of them.
// The new multiplier then replaces them, whatever was paid (contract 5.7).
func (f Facts) reachesBetterTier() bool {
	value, tier, ok := f.multiplierValue()
	granted := f.grantedByRule()
	for _, m := range granted {
		ok = ok && m.Value < value
	}
	return ok && tier != nil && len(granted) > 0
}

// multiplierReward returns the reward of a rule that grants a multiplier, with the multipliers that it replaces. If the
// rule is retroactive and the member completes it for the first time, credits also raise the present balances (contract
// 5.5). multiplierReward refuses a value below all tiers, a value that is out of range, and more multipliers than a
// member may have.
func multiplierReward(f Facts) (Reward, error) {
	value, tier, ok := f.multiplierValue()
	if !ok {
		return Reward{}, Refuse(MsgNotAchieved)
	}
	if value < multiplier.Min || value > multiplier.Max {
		if f.Amount == nil {
			return Reward{}, Refuse(MsgNotSetUp)
		}
		var faults laurel.Faults
		faults.Add("amount", "must be between %s and %s", multiplier.Min, multiplier.Max)
		return Reward{}, faults.Err()
	}
	reward := Reward{Multiplier: value, ReplacedMultipliers: f.grantedByRule()}
	if tier != nil {
		reward.RangeStart = &tier.Start
	}
	if len(f.Multipliers)-len(reward.ReplacedMultipliers) >= multiplier.MaxPerUser {
		return Reward{}, multiplier.ErrTooMany()
	}
	if !f.Meta.IsRetroactive || f.HasCompletedBefore || value <= laurel.One {
		return reward, nil
	}
	for _, b := range f.Balances {
		increase, err := laurel.Product(b.Amount, value-laurel.One)
		if err != nil {
			return Reward{}, outOfRange(err)
		}
		if increase > 0 {
			reward.Credits = append(
				reward.Credits,
				Credit{CurrencyID: b.CurrencyID, Amount: increase, Metadata: map[string]any{"retroactive": true}},
			)
		}
	}
	return reward, nil
}

// outOfRange returns the Invalid error of an amount that is out of range.
func outOfRange(err error) error {
	var faults laurel.Faults
	faults.Add("amount", "%s", err)
	return faults.Err()
}
