package completion

import (
	"context"

	"laurel/internal/engagement"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/store"
)

// multiplierStep: what the member's multipliers, and those of its group, make of an amount (contract 5.4). The member's
// row, which every payment holds, tells who has had any; nobody else is looked for.
type multiplierStep struct {
	ruletypes.BaseStep
	*Service
}

func isRaisedByMultipliers(r *catalog.Rule) bool {
	return decision.MultipliersApply(&r.Properties, r.Meta())
}

func (multiplierStep) NeedsNoLookup() {}

func (multiplierStep) Locks(c *ruletypes.Case) []store.Lock {
	return engagement.MultiplierLocks(c.Scope.WebsiteID, c.Person.Multiplying)
}

func (multiplierStep) LockedFacts(b *store.Batch, c *ruletypes.Case, f *decision.Facts) {
	f.Multipliers = engagement.LiveMultipliers(b, c.Scope.WebsiteID, c.Person.Multiplying)
}

func (s multiplierStep) UnlockedFacts(ctx context.Context, c *ruletypes.Case, f *decision.Facts) (err error) {
	f.Multipliers, err = s.engagement.ReadLiveMultipliers(ctx, c.Scope, c.Person.Multiplying)
	return err
}
