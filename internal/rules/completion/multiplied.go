package completion

import (
	"context"

	"laurel/internal/engagement"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/store"
)

// multiplied: what the member's multipliers, and those of its group, make of an amount (contract 5.4). The member's
// row, which every payment holds, tells who has had any; nobody else is looked for.
type multiplied struct {
	inert
	*Service
}

func raises(r *catalog.Rule) bool { return decision.Raised(&r.Properties, r.Meta()) }

func (multiplied) unasking() {}

func (multiplied) locks(w *completion) []store.Lock {
	return engagement.MultiplierLocks(w.scope.WebsiteID, w.person.Multiplying)
}

func (multiplied) judged(b *store.Batch, w *completion, f *decision.Facts) {
	f.Multipliers = engagement.HeldMultipliers(b, w.scope.WebsiteID, w.person.Multiplying)
}

func (s multiplied) asked(ctx context.Context, w *completion, f *decision.Facts) (err error) {
	f.Multipliers, err = s.engagement.ReadMultipliers(ctx, w.scope, w.person.Multiplying)
	return err
}
