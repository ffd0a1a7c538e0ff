// Package externalrules owns the limits of rules and currencies with external ledgers (contract 5.15): what such a
// ledger could not handle is refused when it is saved. It does not own payments or posts (external), and has no table.
package externalrules

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// CheckRule returns an Invalid error for a field of a rule that an external ledger could not handle, in the transaction
// that saves the rule (docs/decisions/0026-balances-outside.md): another reward or currency while payments are open,
// payments in two currencies at once, payments by runs, and retroactive multipliers. before is the zero rule if the
// rule is new.
func CheckRule(ctx context.Context, tx *store.Tx, scope laurel.Scope, before, after catalog.Rule) error {
	if field := changedPaymentField(before, after); field != "" {
		if open, err := external.HasOpenPostOfRule(ctx, tx, scope, after.ID); err != nil || open {
			return errOrInvalid(err, field, "cannot be changed while payments of the rule are open")
		}
	}
	if !after.DeletedAt.IsZero() {
		return nil // it pays nothing
	}
	if second, paysBoth := secondCurrency(after); paysBoth {
		if isExternal, err := anyExternal(ctx, tx, scope, second, after.Currency()); err != nil || isExternal {
			return errOrInvalid(
				err,
				"metadata.referrerRewardLoyaltyCurrencyId",
				"cannot differ from the rule's where balances are kept outside",
			)
		}
	}
	if after.RunsPay() {
		if isExternal, err := anyExternal(ctx, tx, scope, after.Currency()); err != nil || isExternal {
			return errOrInvalid(err, "frequency", "cannot be set where runs would pay balances that are kept outside")
		}
	}
	return checkRetroactive(ctx, tx, scope, after)
}

// changedPaymentField returns the name of the first changed field that decides in which kind of reward or currency a
// rule pays. It returns "" if none has changed, or if the rule is new. Changing such a field while a post is open could
// pay a member twice.
func changedPaymentField(before, after catalog.Rule) string {
	bonusCurrency := func(r catalog.Rule) laurel.ID {
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
	case after.Type == schema.TypeReferredUser && bonusCurrency(before) != bonusCurrency(after):
		return "metadata.referrerRewardLoyaltyCurrencyId"
	}
	return ""
}

// secondCurrency returns the currency of a rule's referrer bonus, if the rule pays it together with a welcome reward in
// another currency. paysBoth is false for other rules.
func secondCurrency(r catalog.Rule) (second laurel.ID, paysBoth bool) {
	terms := r.Referral()
	if r.Type != schema.TypeReferredUser || terms.ReferrerBonus == 0 || terms.BonusCurrencyID == nil || r.Amount == nil ||
		*r.Amount == 0 {
		return laurel.ID{}, false
	}
	return *terms.BonusCurrencyID, !r.Currency().IsZero() && *terms.BonusCurrencyID != r.Currency()
}

// anyExternal reports whether any of the currencies is on an external ledger.
func anyExternal(ctx context.Context, tx *store.Tx, scope laurel.Scope, currencies ...laurel.ID) (bool, error) {
	for _, id := range currencies {
		if isExternal, err := ledger.IsExternallyHeldIn(ctx, tx, scope, id); err != nil || isExternal {
			return isExternal, err
		}
	}
	return false, nil
}

// checkRetroactive refuses a retroactive multiplier that names currencies of external ledgers, since only the ledger
// knows the balances that it would raise. A multiplier for all currencies leaves those balances as they are. It also
// refuses a retroactive multiplier of a rule whose streak milestones pay in a currency of an external ledger.
func checkRetroactive(ctx context.Context, tx *store.Tx, scope laurel.Scope, r catalog.Rule) error {
	meta := r.Meta()
	if r.RewardType != schema.RewardMultiplier || !meta.IsRetroactive {
		return nil
	}
	if isExternal, err := anyExternal(ctx, tx, scope, meta.MultiplierCurrencies...); err != nil || isExternal {
		return errOrInvalid(
			err,
			"metadata.multiplierLoyaltyCurrencyIds",
			"cannot name balances that are kept outside where isRetroactive is set",
		)
	}
	if !meta.EnableStreaks || !slices.ContainsFunc(meta.StreakArray, schema.Streak.Pays) || r.Currency().IsZero() {
		return nil
	}
	isExternal, err := anyExternal(ctx, tx, scope, r.Currency())
	if err == nil && !isExternal {
		return nil
	}
	return errOrInvalid(err, "metadata.isRetroactive", "cannot be set where milestones pay what is kept outside")
}

// CheckCurrencyMove returns an Invalid error for apiPostUrl if a currency must not move to or from an external ledger,
// in the transaction that moves it. If c has no apiPostUrl, it comes back from its ledger, which must not happen while
// payments are open. Otherwise it moves to its ledger, which must not happen while a badge pays in the currency, or a
// rule does so by runs or together with another currency.
func CheckCurrencyMove(ctx context.Context, tx *store.Tx, scope laurel.Scope, c ledger.Currency) error {
	if c.API.PostURL == nil {
		open, err := external.HasOpenPostInCurrency(ctx, tx, scope, c.ID)
		if err == nil && !open {
			return nil
		}
		return errOrInvalid(err, "apiPostUrl", "cannot be removed while payments are open")
	}
	var conflicting laurel.ID
	err := catalog.EachRuleOfType(ctx, tx, scope, schema.TypeReferredUser, func(r catalog.Rule) {
		if second, paysBoth := secondCurrency(r); paysBoth && (second == c.ID || r.Currency() == c.ID) {
			conflicting = r.ID
		}
	})
	if err != nil || !conflicting.IsZero() {
		return errOrInvalid(
			err,
			"apiPostUrl",
			"cannot be set while rule "+conflicting.String()+" pays in this currency and another one at once",
		)
	}
	err = catalog.EachRulePayingIn(ctx, tx, scope, c.ID, func(r catalog.Rule) {
		if r.RunsPay() {
			conflicting = r.ID
		}
	})
	if err != nil || !conflicting.IsZero() {
		return errOrInvalid(
			err,
			"apiPostUrl",
			"cannot be set while runs of rule "+conflicting.String()+" pay in this currency",
		)
	}
	if conflicting, err = badges.FindPayingIn(ctx, tx, scope, c.ID); err == nil && conflicting.IsZero() {
		return nil
	}
	return errOrInvalid(err, "apiPostUrl", "cannot be set while badge "+conflicting.String()+" pays in this currency")
}

// errOrInvalid returns err, or an Invalid error of the field if err is nil.
func errOrInvalid(err error, field, problem string) error {
	if err != nil {
		return err
	}
	var f laurel.Faults
	f.Add(field, "%s", problem)
	return f.Err()
}
