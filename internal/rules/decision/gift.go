package decision

import (
	"laurel"
	"laurel/internal/engagement/multiplier"
	"laurel/internal/rules/schema"
)

// Balance is what a member holds in a currency.
type Balance struct {
	CurrencyID laurel.ID     `json:"loyaltyCurrencyId"`
	Amount     laurel.Amount `json:"amount"`
}

// Gives reports whether the rule gives a multiplier.
func (f Facts) Gives() bool { return f.Rule.RewardType == schema.RewardMultiplier }

// gift is the value of the multiplier that the rule gives, and the tier that it is of. ok is false below all tiers.
func (f Facts) gift() (value laurel.Amount, tier *schema.Tier, ok bool) {
	if f.Rule.Amount != nil {
		value = *f.Rule.Amount
	}
	switch {
	case f.Amount != nil:
		return *f.Amount, nil, true
	case len(f.Meta.Range) > 0:
		of, ok := schema.TierOf(f.Meta.Range, rangeValue(f))
		if of.Multiplier != nil {
			value = *of.Multiplier
		}
		return value, &of, ok
	}
	return value, nil, true
}

// given are the multipliers that the rule has given to the member and its group already.
func (f Facts) given() []multiplier.Live {
	var list []multiplier.Live
	for _, m := range f.Multipliers {
		if m.RuleID == f.RuleID {
			list = append(list, m)
		}
	}
	return list
}

// improves reports whether the tier is better than all that the rule has given: then it takes their place, whatever was
// paid (contract 5.7).
func (f Facts) improves() bool {
	value, tier, ok := f.gift()
	given := f.given()
	for _, m := range given {
		ok = ok && m.Value < value
	}
	return ok && tier != nil && len(given) > 0
}

// present works out the multiplier, and what it makes of the present balances where the rule says so (contract 5.5).
func present(f Facts) (Reward, error) {
	value, tier, ok := f.gift()
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
	reward := Reward{Multiplier: value, Ends: f.given()}
	if tier != nil {
		reward.RangeStart = &tier.Start
	}
	if len(f.Multipliers)-len(reward.Ends) >= multiplier.Most {
		return Reward{}, multiplier.ErrTooMany()
	}
	if !f.Meta.IsRetroactive || f.CompletedBefore || value <= laurel.One {
		return reward, nil
	}
	for _, b := range f.Balances {
		more, err := laurel.Product(b.Amount, value-laurel.One)
		if err != nil {
			return Reward{}, outOfRange(err)
		}
		if more > 0 {
			reward.Credits = append(
				reward.Credits,
				Credit{CurrencyID: b.CurrencyID, Amount: more, Metadata: map[string]any{"retroactive": true}},
			)
		}
	}
	return reward, nil
}

func outOfRange(err error) error {
	var faults laurel.Faults
	faults.Add("amount", "%s", err)
	return faults.Err()
}
