package completion

import (
	"context"

	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/store"
)

// multiplierStep returns the step that reads the multipliers of the member and its group, which raise the amount
// (contract 5.4). The person, whose row is locked, says which of them has ever had one.
func multiplierStep(s *Service) *ruletypes.Step {
	return &ruletypes.Step{
		PresumesPerson: true, UnlockedFacts: s.addMultipliers, Locks: lockMultipliers, LockedFacts: addLockedMultipliers,
	}
}

// isRaisedByMultipliers reports whether multipliers raise the reward of the rule.
func isRaisedByMultipliers(r *catalog.Rule) bool {
	return decision.MultipliersApply(&r.Properties, r.Meta())
}

// lockMultipliers returns the locks of the multipliers of the member and its group.
func lockMultipliers(c *ruletypes.Case) []store.Lock {
	return engagement.MultiplierLocks(c.Scope.WebsiteID, c.Person.WithMultipliers)
}

// addLockedMultipliers adds the multipliers, as the locked rows show them.
func addLockedMultipliers(b *store.Batch, c *ruletypes.Case, f *decision.Facts) {
	f.Multipliers = engagement.LiveMultipliers(b, c.Scope.WebsiteID, c.Person.WithMultipliers)
}

// addMultipliers adds the multipliers, read without locks.
func (s *Service) addMultipliers(ctx context.Context, c *ruletypes.Case, f *decision.Facts) (err error) {
	f.Multipliers, err = s.engagement.ReadLiveMultipliers(ctx, c.Scope, c.Person.WithMultipliers)
	return err
}
