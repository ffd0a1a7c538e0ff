package app

import (
	"context"

	"laurel"
	"laurel/internal/cadence"
	"laurel/internal/engagement"
	"laurel/internal/lifetimes"
	"laurel/internal/rules"
	"laurel/internal/store"
)

// saved tells, in the transaction that saves a rule, whoever goes by it.
func (a *App) saved(ctx context.Context, tx *store.Tx, scope laurel.Scope, before, r rules.Rule) error {
	if err := a.keepers.RuleSaved(ctx, tx, scope, before, r); err != nil {
		return err
	}
	if err := cadence.Planned(ctx, tx, scope, r); err != nil {
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

func asked(r rules.Rule) engagement.Rule {
	return engagement.Rule{ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Type: string(r.Type), Deleted: !r.DeletedAt.IsZero()}
}
