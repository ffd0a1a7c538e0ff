package app

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/memberimports"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/chains"
	"laurel.example/laurel/internal/rules/contractrules"
	"laurel.example/laurel/internal/rules/dynamicrewards"
	"laurel.example/laurel/internal/rules/externalrules"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/reset"
	"laurel.example/laurel/internal/rules/schedule"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// The followers below are called by lower packages in the transaction of a change. They need nothing but the
// transaction, so the constructors of those packages can take them.

// ruleFollower updates the data of packages above the catalog when a rule changes.
type ruleFollower struct{}

// RuleSaved checks a saved rule against external ledgers, and brings its schedule, lists, dynamic rewards,
// watched contract and multipliers up to date. before is the rule before the change.
func (ruleFollower) RuleSaved(ctx context.Context, tx *store.Tx, scope laurel.Scope, before, r catalog.Rule) error {
	if err := externalrules.CheckRule(ctx, tx, scope, before, r); err != nil {
		return err
	}
	if err := schedule.PlanRule(ctx, tx, scope, r); err != nil {
		return err
	}
	if err := chains.UpdateListsOfRule(ctx, tx, scope, r); err != nil {
		return err
	}
	if err := dynamicrewards.OnRuleSaved(ctx, tx, scope, r); err != nil {
		return err
	}
	if err := contractrules.OnRuleSaved(ctx, tx, scope, r, contractOf); err != nil {
		return err
	}
	return engagement.EndMultipliersOfDeletedRule(ctx, tx, engagementRule(r))
}

// contractOf reads a contract in the form that package contractrules needs.
func contractOf(
	ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID,
) (contractrules.Contract, error) {
	found, isOwn, err := contracts.WithABI(ctx, q, scope, id)
	c := found.Contract
	return contractrules.Contract{ChainID: c.ChainID, Address: c.Address, ABI: found.ABI, HasOwnABI: isOwn}, err
}

// CheckUndelete refuses to restore a rule while its payments are taken back or its multipliers end.
func (ruleFollower) CheckUndelete(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	if err := reset.CheckRestorable(ctx, tx, rule); err != nil {
		return err
	}
	return engagement.CheckUndelete(ctx, tx, rule)
}

// ruleOf reads a rule in the form that package engagement needs.
func ruleOf(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (engagement.Rule, error) {
	r, err := catalog.ReadRule(ctx, q, scope, id)
	return engagementRule(r), err
}

// engagementRule returns what package engagement needs of a rule.
func engagementRule(r catalog.Rule) engagement.Rule {
	return engagement.Rule{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		Type:           string(r.Type),
		Deleted:        !r.DeletedAt.IsZero(),
	}
}

// memberFollower updates the data of packages above identity when members change (contract 8.7).
type memberFollower struct{}

// Blocked takes a blocked member out of the ranking, or back into it.
func (memberFollower) Blocked(ctx context.Context, tx *store.Tx, website, user laurel.ID, blocked bool) error {
	return ledger.SetRanked(ctx, tx, website, user, !blocked)
}

// Joined merges the rule state, multipliers and streaks of a user that joins a group into those of the group.
func (memberFollower) Joined(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	if err := progress.MergeIntoGroup(ctx, tx, website, user, group); err != nil {
		return err
	}
	return engagement.JoinGroup(ctx, tx, website, user, group)
}

// Left gives a user that leaves a group its part of the rule state, multipliers and streaks.
func (memberFollower) Left(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	if err := progress.SplitFromGroup(ctx, tx, website, user, group); err != nil {
		return err
	}
	return engagement.LeaveGroup(ctx, tx, website, user, group)
}

// Moved has the dynamic rewards that ask for an account of the platform checked, since the holder has lost one
// (contract 8.6).
func (memberFollower) Moved(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, _ laurel.ID, platform string,
) error {
	return dynamicrewards.OnAccountLost(ctx, tx, scope, platform)
}

// Disconnected has the dynamic rewards that ask for an account of the platform checked. From a user who has
// disconnected its phone number it revokes the badges that rules of type connected_phone have granted (contract 8.4).
func (memberFollower) Disconnected(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID, platform string,
) error {
	if err := dynamicrewards.OnAccountLost(ctx, tx, scope, platform); err != nil || platform != identity.Phone {
		return err
	}
	var rules []laurel.ID
	err := catalog.EachRuleOfType(ctx, tx, scope, schema.TypeConnectedPhone, func(r catalog.Rule) {
		rules = append(rules, r.ID)
	})
	if err != nil {
		return err
	}
	return badges.RevokeGrantedBy(ctx, tx, scope, rules, user)
}

// currencyFollower updates the data of packages above the ledger when currencies change.
type currencyFollower struct{}

// Deleted cancels the auctions of a deleted currency.
func (currencyFollower) Deleted(ctx context.Context, tx *store.Tx, scope laurel.Scope, c ledger.Currency) error {
	return auctions.CancelAuctionsOfCurrency(ctx, tx, scope, c)
}

// CheckExternalMove refuses to move the balances of a currency to an external ledger, or back, while something prevents
// it: open payments, or rules, badges, mints, auctions or holds that need the balances where they are.
func (currencyFollower) CheckExternalMove(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, c ledger.Currency,
) error {
	if err := externalrules.CheckCurrencyMove(ctx, tx, scope, c); err != nil {
		return err
	}
	if err := minting.CheckCurrencyMove(ctx, tx, scope, c); err != nil {
		return err
	}
	if err := auctions.CheckCurrencyMove(ctx, tx, scope, c); err != nil {
		return err
	}
	if err := memberimports.CheckCurrencyMove(ctx, tx, scope, c); err != nil {
		return err
	}
	return holds.CheckCurrencyMove(ctx, tx, scope, c)
}
