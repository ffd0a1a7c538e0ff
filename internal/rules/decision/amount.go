package decision

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/multiplier"
	"laurel.example/laurel/internal/rules/schema"
)

// Credit is an amount that a reward pays in addition to its own.
type Credit struct {
	CurrencyID laurel.ID // zero: the rule's currency
	Amount     laurel.Amount
	Metadata   map[string]any // the metadata of its entry
}

// computeReward returns the reward of a member who has earned it (contract 5.4). The reward is the base amount, raised
// by multipliers and cut by the cap, or the multiplier that the rule grants. To both it adds badges and what the rule
// type adds. If the rule type defers the decision, the reward says only that, and when to decide again. computeReward
// refuses a value below all tiers.
func computeReward(f Facts) (Reward, error) {
	if f.Verdict.IsPending && f.Kind.DeferFor != nil { // the amount may depend on what is still measured
		if after, waits := f.Kind.DeferFor(f); waits {
			return Reward{IsDeferred: true, RetryAfter: after}, nil
		}
	}
	compute := baseReward
	if f.GrantsMultiplier() {
		compute = multiplierReward
	}
	reward, err := compute(f)
	if err != nil {
		return Reward{}, err
	}
	if f.Kind.DeferFor != nil {
		if after, waits := f.Kind.DeferFor(f); waits {
			return Reward{IsDeferred: true, RetryAfter: after}, nil
		}
	}
	if !f.GrantsMultiplier() {
		if reward.Amount, err = f.timesRangeValue(reward.Amount); err != nil {
			return Reward{}, err
		}
		if reward.Amount, err = f.RaiseAmount(reward.Amount, append(f.valueFactor(), f.verifiedFactor()...)...); err != nil {
			return Reward{}, err
		}
	}
	f.addBadges(&reward)
	if f.Kind.AddToReward != nil {
		if err := f.Kind.AddToReward(f, &reward); err != nil {
			return Reward{}, err
		}
	}
	return reward, nil
}

// baseReward returns the reward before multipliers: the caller's amount, else that of the list, else that of the tier,
// else the rule's. It refuses a value below all tiers.
func baseReward(f Facts) (Reward, error) {
	var reward Reward
	switch {
	case f.Amount != nil:
		reward.Amount = *f.Amount
	case f.paysByList():
		reward.Amount = *f.Allotted
	case len(f.Meta.Range) > 0:
		tier, ok := schema.TierOf(f.Meta.Range, tierValue(f))
		if !ok {
			return Reward{}, Refuse(MsgNotAchieved)
		}
		reward.RangeStart = &tier.Start
		if tier.Amount != nil {
			reward.Amount = *tier.Amount
		}
	case f.Rule.Amount != nil:
		reward.Amount = *f.Rule.Amount
	}
	return reward, nil
}

// PaysPerRangeValue reports whether the rule pays its amount per unit of the rangeValue of the call.
func (f Facts) PaysPerRangeValue() bool { return f.Meta.PaysPerRangeValue(f.Rule.Type) }

// timesRangeValue returns the amount times the rangeValue of the call, rounded as the rule says, if the rule pays per
// unit of it (contract 1.11). A product that is out of range is an Invalid error, also if multipliers or a cap would
// lower it.
func (f Facts) timesRangeValue(amount laurel.Amount) (laurel.Amount, error) {
	if !f.PaysPerRangeValue() || f.RangeValue == nil { // Explain goes on without the value
		return amount, nil
	}
	product, err := laurel.RoundedProduct(amount, *f.RangeValue, f.Meta.Places(), f.Meta.Rounding)
	if err != nil {
		var faults laurel.Faults
		faults.Add("rangeValue", "must be less than %s divided by the amount", laurel.MaxAmount)
		return 0, faults.Err()
	}
	return product, nil
}

// RaiseAmount returns the amount times the member's multipliers, if they apply to the rule, and times further factors.
// It multiplies exactly, rounds once, and then cuts to what the cap leaves. A product that is out of range is an
// Invalid error, unless a cap cuts it.
func (f Facts) RaiseAmount(amount laurel.Amount, factors ...laurel.Amount) (laurel.Amount, error) {
	if len(f.Multipliers) > 0 && MultipliersApply(f.Rule, f.Meta) {
		factors = append(factors, multiplier.Combine(f.Multipliers, f.RewardCurrency()))
	}
	raised, tooLarge := amount, error(nil)
	if len(factors) > 0 {
		raised, tooLarge = laurel.Product(append(factors, amount)...)
	}
	left, capped := capLeft(f)
	switch {
	case capped && (tooLarge != nil || raised > left):
		return left, nil //nolint:nilerr // a product that is out of range exceeds the cap
	case tooLarge != nil:
		return 0, outOfRange(tooLarge)
	}
	return raised, nil
}

// RewardCurrency returns the currency of the reward: the hidden one of a token, or the rule's.
func (f Facts) RewardCurrency() laurel.ID {
	if f.Rule.RewardType == schema.RewardToken || f.Rule.LoyaltyCurrencyID == nil {
		return f.TokenCurrencyID
	}
	return *f.Rule.LoyaltyCurrencyID
}

// MultipliersApply reports whether members' multipliers raise the rule's reward: only points and tokens, not referral
// rewards, and not if the rule opts out (contract 5.4).
func MultipliersApply(r *schema.Properties, meta schema.Meta) bool {
	return (r.RewardType == schema.RewardPoints || r.RewardType == schema.RewardToken) &&
		!r.Type.Kind().IgnoresMultipliers && !meta.SkipMultiplier
}

// tierValue returns the value that chooses a tier: the caller's, else the measured one, else the progress (contract
// 5.7).
func tierValue(f Facts) laurel.Amount {
	switch {
	case f.RangeValue != nil:
		return *f.RangeValue
	case f.Verdict.Value != nil:
		return *f.Verdict.Value
	}
	return f.Progress
}
