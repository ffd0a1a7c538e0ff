package decision

import (
	"laurel"
	"laurel/internal/engagement/multiplier"
	"laurel/internal/rules/schema"
)

// Credit is an amount that a reward pays beside its own.
type Credit struct {
	CurrencyID laurel.ID // zero: the rule's
	Amount     laurel.Amount
	Metadata   map[string]any // of its entry
}

// computeReward works out the reward (contract 5.4): what the completion is worth, raised by the member's multipliers,
// then the cap.
func computeReward(f Facts) (Reward, error) {
	work := baseReward
	if f.GrantsMultiplier() {
		work = multiplierReward
	}
	reward, err := work(f)
	if err != nil {
		return Reward{}, err
	}
	if f.Kind.DeferFor != nil {
		if after, waits := f.Kind.DeferFor(f); waits {
			return Reward{IsDeferred: true, RetryAfter: after}, nil
		}
	}
	if !f.GrantsMultiplier() {
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

// baseReward is the reward before anything raises it: the override, else what the member's list gives it, else the
// tier's amount, else the rule's.
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

// RaiseAmount returns the amount times the member's multipliers, where they concern the rule, and times further
// factors: multiplied exactly, rounded once, then cut to what the cap leaves.
func (f Facts) RaiseAmount(amount laurel.Amount, factors ...laurel.Amount) (laurel.Amount, error) {
	if len(f.Multipliers) > 0 && MultipliersApply(f.Rule, f.Meta) {
		factors = append(factors, multiplier.Combine(f.Multipliers, f.RewardCurrency()))
	}
	product, tooLarge := amount, error(nil)
	if len(factors) > 0 {
		product, tooLarge = laurel.Product(append(factors, amount)...)
	}
	left, capped := capLeft(f)
	switch {
	case capped && (tooLarge != nil || product > left):
		return left, nil //nolint:nilerr // what is too large is more than what is left
	case tooLarge != nil:
		return 0, outOfRange(tooLarge)
	}
	return product, nil
}

// RewardCurrency is what the reward is paid in.
func (f Facts) RewardCurrency() laurel.ID {
	if f.Rule.RewardType == schema.RewardToken || f.Rule.LoyaltyCurrencyID == nil {
		return f.TokenCurrencyID
	}
	return *f.Rule.LoyaltyCurrencyID
}

// MultipliersApply reports whether the multipliers of members raise what the rule pays: not what referrals pay, nor
// where the rule passes them over (contract 5.4).
func MultipliersApply(r *schema.Properties, meta schema.Meta) bool {
	return (r.RewardType == schema.RewardPoints || r.RewardType == schema.RewardToken) &&
		!r.Type.Kind().IgnoresMultipliers && !meta.SkipMultiplier
}

// tierValue is what a tier is chosen by: the caller's value, else what was measured, else the tracked progress
// (contract 5.7).
func tierValue(f Facts) laurel.Amount {
	switch {
	case f.RangeValue != nil:
		return *f.RangeValue
	case f.Verdict.Value != nil:
		return *f.Verdict.Value
	}
	return f.Progress
}
