package completion

import (
	"context"

	"laurel/internal/engagement"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/store"
)

// multiplierStep reads the multipliers of the member and its group, which raise the amount (contract 5.4). The person,
// whose row is locked, says which of them has ever had one.
type multiplierStep struct {
	ruletypes.BaseStep
	*Service
}

// isRaisedByMultipliers reports whether multipliers raise the reward of the rule.
func isRaisedByMultipliers(r *catalog.Rule) bool {
	return decision.MultipliersApply(&r.Properties, r.Meta())
}

// NeedsNoLookup implements ruletypes.LookupFree.
func (multiplierStep) NeedsNoLookup() {}

// Locks returns the locks of the multipliers of the member and its group.
func (multiplierStep) Locks(c *ruletypes.Case) []store.Lock {
	return engagement.MultiplierLocks(c.Scope.WebsiteID, c.Person.WithMultipliers)
}

// LockedFacts adds the multipliers.
func (multiplierStep) LockedFacts(b *store.Batch, c *ruletypes.Case, f *decision.Facts) {
	f.Multipliers = engagement.LiveMultipliers(b, c.Scope.WebsiteID, c.Person.WithMultipliers)
}

// UnlockedFacts adds the multipliers, read without locks.
func (s multiplierStep) UnlockedFacts(ctx context.Context, c *ruletypes.Case, f *decision.Facts) (err error) {
	f.Multipliers, err = s.engagement.ReadLiveMultipliers(ctx, c.Scope, c.Person.WithMultipliers)
	return err
}
