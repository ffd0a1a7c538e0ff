package app

import (
	"context"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/lifetimes"
	"laurel/internal/rules/schedule"
	"laurel/internal/store"
)

// saved tells, in the transaction that saves a rule, whoever goes by it.
func (a *App) saved(ctx context.Context, tx *store.Tx, scope laurel.Scope, before, r catalog.Rule) error {
	if err := a.keepers.RuleSaved(ctx, tx, scope, before, r); err != nil {
		return err
	}
	if err := schedule.Planned(ctx, tx, scope, r); err != nil {
		return err
	}
	if err := a.Chains.RuleSaved(ctx, tx, scope, r); err != nil {
		return err
	}
	if err := lifetimes.Saved(ctx, tx, scope, r); err != nil {
		return err
	}
	return a.Engagement.RuleSaved(ctx, tx, scope, asked(r))
}

// returning asks whether a deleted rule may come back.
func (a *App) returning(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	if err := a.Clearing.Clear(ctx, tx, rule); err != nil {
		return err
	}
	return a.Engagement.Returning(ctx, tx, rule)
}

// rule is what engagement asks of a rule.
func (a *App) rule(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (engagement.Rule, error) {
	r, err := a.Rules.RuleIn(ctx, q, scope, id)
	return asked(r), err
}

func asked(r catalog.Rule) engagement.Rule {
	return engagement.Rule{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		Type:           string(r.Type),
		Deleted:        !r.DeletedAt.IsZero(),
	}
}
