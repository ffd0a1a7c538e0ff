package app

import (
	"context"

	"laurel"
	"laurel/internal/commerce/auctions"
	"laurel/internal/commerce/holds"
	"laurel/internal/commerce/minting"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/chains"
	"laurel/internal/rules/dynamicrewards"
	"laurel/internal/rules/externalrules"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/reset"
	"laurel/internal/rules/schedule"
	"laurel/internal/store"
)

// The functions below follow, in the transaction that changes something, what lower packages have changed. They need
// nothing but the transaction, so they are given to the constructors of those packages.

// ruleFollower changes with a rule what the packages above the catalog keep of it.
type ruleFollower struct{}

// RuleSaved checks a saved rule against external ledgers, and brings its schedule, lists, dynamic rewards and
// multipliers up to date.
func (ruleFollower) RuleSaved(ctx context.Context, tx *store.Tx, scope laurel.Scope, before, r catalog.Rule) error {
	if err := externalrules.RuleSaved(ctx, tx, scope, before, r); err != nil {
		return err
	}
	if err := schedule.PlanRule(ctx, tx, scope, r); err != nil {
		return err
	}
	if err := chains.UpdateListsOfRule(ctx, tx, scope, r); err != nil {
		return err
	}
	if err := dynamicrewards.Saved(ctx, tx, scope, r); err != nil {
		return err
	}
	return engagement.EndMultipliersOfDeletedRule(ctx, tx, scope, engagementRule(r))
}

// CheckRestore refuses to restore a rule while its payments are taken back or its multipliers end.
func (ruleFollower) CheckRestore(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	if err := reset.Clear(ctx, tx, rule); err != nil {
		return err
	}
	return engagement.CheckUndelete(ctx, tx, rule)
}

// ruleOf reads what engagement asks of a rule.
func ruleOf(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (engagement.Rule, error) {
	r, err := catalog.ReadRule(ctx, q, scope, id)
	return engagementRule(r), err
}

func engagementRule(r catalog.Rule) engagement.Rule {
	return engagement.Rule{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		Type:           string(r.Type),
		Deleted:        !r.DeletedAt.IsZero(),
	}
}

// memberHooks follow what becomes of members (contract 8.7).
func memberHooks() identity.Hooks {
	return identity.Hooks{
		Blocked: func(ctx context.Context, tx *store.Tx, website, user laurel.ID, blocked bool) error {
			return ledger.SetRanked(ctx, tx, website, user, !blocked)
		},
		Joined: joined,
		Left:   left,
	}
}

// joined makes what is kept of a user part of what is kept of the group it joins.
func joined(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	if err := progress.MergeIntoGroup(ctx, tx, website, user, group); err != nil {
		return err
	}
	return engagement.JoinGroup(ctx, tx, website, user, group)
}

// left gives a user that leaves a group what it goes with.
func left(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	if err := progress.SplitFromGroup(ctx, tx, website, user, group); err != nil {
		return err
	}
	return engagement.LeaveGroup(ctx, tx, website, user, group)
}

// currencyMoves asks whether the balances of a currency may go to an external ledger or come back.
func currencyMoves(ctx context.Context, tx *store.Tx, scope laurel.Scope, c ledger.Currency) error {
	if err := externalrules.CheckCurrencyMove(ctx, tx, scope, c); err != nil {
		return err
	}
	if err := minting.CheckCurrencyMove(ctx, tx, scope, c); err != nil {
		return err
	}
	if err := auctions.CheckCurrencyMove(ctx, tx, scope, c); err != nil {
		return err
	}
	return holds.CheckCurrencyMove(ctx, tx, scope, c)
}
