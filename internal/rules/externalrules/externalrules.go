// Package externalrules owns what rules and currencies may say where systems outside keep balances (contract 5.15):
// what such a system could not carry out is refused when it is saved. It does not own payments, nor what is asked for
// outside (external).
package externalrules

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// RuleSaved refuses, in the transaction that saves a rule, what the keepers of its balances cannot carry out
// (docs/decisions/0026-balances-outside.md): Invalid, naming the field. before is the zero rule of a creation.
func RuleSaved(ctx context.Context, tx *store.Tx, scope laurel.Scope, before, after catalog.Rule) error {
	if field := paysOtherwise(before, after); field != "" {
		if open, err := external.HasOpenPostOfRule(ctx, tx, scope, after.ID); err != nil || open {
			return orFault(err, field, "cannot be changed while payments of the rule are open")
		}
	}
	if !after.DeletedAt.IsZero() {
		return nil // it pays nothing
	}
	if lump, both := paysTwo(after); both {
		if kept, err := keptOutside(ctx, tx, scope, lump, after.Currency()); err != nil || kept {
			return orFault(
				err,
				"metadata.referrerRewardLoyaltyCurrencyId",
				"cannot differ from the rule's where balances are kept outside",
			)
		}
	}
	if after.RunsPay() {
		if kept, err := keptOutside(ctx, tx, scope, after.Currency()); err != nil || kept {
			return orFault(err, "frequency", "cannot be set where runs would pay balances that are kept outside")
		}
	}
	return retroactiveOutside(ctx, tx, scope, after)
}

// paysOtherwise names the field by which a member could be paid again, by other means, for what the outside has not
// told of yet.
func paysOtherwise(before, after catalog.Rule) string {
	lump := func(r catalog.Rule) laurel.ID {
		if id := r.Referral().BonusCurrencyID; id != nil {
			return *id
		}
		return laurel.ID{}
	}
	switch {
	case before.ID.IsZero():
		return ""
	case before.Currency() != after.Currency():
		return "loyaltyCurrencyId"
	case before.RewardType != after.RewardType:
		return "rewardType"
	case after.Type == schema.TypeReferredUser && lump(before) != lump(after):
		return "metadata.referrerRewardLoyaltyCurrencyId"
	}
	return ""
}

// paysTwo reports whether the rule pays in two currencies at once, and which is the second.
func paysTwo(r catalog.Rule) (lump laurel.ID, both bool) {
	terms := r.Referral()
	if r.Type != schema.TypeReferredUser || terms.ReferrerBonus == 0 || terms.BonusCurrencyID == nil || r.Amount == nil ||
		*r.Amount == 0 {
		return laurel.ID{}, false
	}
	return *terms.BonusCurrencyID, !r.Currency().IsZero() && *terms.BonusCurrencyID != r.Currency()
}

func keptOutside(ctx context.Context, tx *store.Tx, scope laurel.Scope, among ...laurel.ID) (bool, error) {
	for _, id := range among {
		if kept, err := ledger.IsExternallyHeldIn(ctx, tx, scope, id); err != nil || kept {
			return kept, err
		}
	}
	return false, nil
}

// retroactiveOutside refuses a multiplier that names balances kept outside to work on at once: what they are is known
// there alone. One that is for all currencies leaves them as they are.
func retroactiveOutside(ctx context.Context, tx *store.Tx, scope laurel.Scope, r catalog.Rule) error {
	meta := r.Meta()
	if r.RewardType != schema.RewardMultiplier || !meta.IsRetroactive {
		return nil
	}
	if kept, err := keptOutside(ctx, tx, scope, meta.MultiplierCurrencies...); err != nil || kept {
		return orFault(
			err,
			"metadata.multiplierLoyaltyCurrencyIds",
			"cannot name balances that are kept outside where isRetroactive is set",
		)
	}
	if !meta.EnableStreaks || !slices.ContainsFunc(meta.StreakArray, schema.Streak.Pays) || r.Currency().IsZero() {
		return nil
	}
	kept, err := keptOutside(ctx, tx, scope, r.Currency())
	if err == nil && !kept {
		return nil
	}
	return orFault(err, "metadata.isRetroactive", "cannot be set where milestones pay what is kept outside")
}

// CheckCurrencyMove refuses, in the transaction that changes it, to let the balances of a currency go outside or come
// back while something forbids it: Invalid, naming apiPostUrl.
func CheckCurrencyMove(ctx context.Context, tx *store.Tx, scope laurel.Scope, c ledger.Currency) error {
	if c.API.PostURL == nil {
		open, err := external.HasOpenPostInCurrency(ctx, tx, scope, c.ID)
		if err == nil && !open {
			return nil
		}
		return orFault(err, "apiPostUrl", "cannot be removed while payments are open")
	}
	var forbids laurel.ID
	err := catalog.EachRuleOfType(ctx, tx, scope, schema.TypeReferredUser, func(r catalog.Rule) {
		if lump, both := paysTwo(r); both && (lump == c.ID || r.Currency() == c.ID) {
			forbids = r.ID
		}
	})
	if err != nil || !forbids.IsZero() {
		return orFault(
			err,
			"apiPostUrl",
			"cannot be set while rule "+forbids.String()+" pays in this currency and another one at once",
		)
	}
	err = catalog.EachRulePayingIn(ctx, tx, scope, c.ID, func(r catalog.Rule) {
		if r.RunsPay() {
			forbids = r.ID
		}
	})
	if err != nil || !forbids.IsZero() {
		return orFault(err, "apiPostUrl", "cannot be set while runs of rule "+forbids.String()+" pay in this currency")
	}
	if forbids, err = badges.FindPayingIn(ctx, tx, scope, c.ID); err == nil && forbids.IsZero() {
		return nil
	}
	return orFault(err, "apiPostUrl", "cannot be set while badge "+forbids.String()+" pays in this currency")
}

func orFault(err error, field, problem string) error {
	if err != nil {
		return err
	}
	var f laurel.Faults
	f.Add(field, "%s", problem)
	return f.Err()
}
