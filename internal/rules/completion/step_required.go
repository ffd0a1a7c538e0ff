package completion

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/ruletypes"
)

// requiredStep: other rules may have to be completed first (contract 5.8). Another rule may become required before the
// commit: then the two happened at once, and the completion counts as the earlier one.
type requiredStep struct {
	ruletypes.BaseStep
	*Service
}

func (requiredStep) NeedsNoLookup() {}

func (s requiredStep) Prepare(ctx context.Context, c *ruletypes.Case) (err error) {
	if c.HasRequiredRules && !c.In.SkipRequired {
		c.PreparedFacts.RequiredMissing, err = s.isUnmet(ctx, c, c.DecisionTime(s.db.Now()))
	}
	return err
}

// asked counts what is to be completed first, for those who ask what they lack.
func (s requiredStep) UnlockedFacts(ctx context.Context, c *ruletypes.Case, f *decision.Facts) error {
	if !f.RequiredMissing {
		return nil
	}
	before, err := s.rules.RequiredAt(ctx, s.db, c.Scope, c.DecisionTime(s.db.Now()))
	if err != nil {
		return err
	}
	subject := c.Person.Subject()
	done, err := progress.CountCompletions(ctx, s.db, []laurel.ID{subject}, before)
	f.RequiredDone, f.RequiredAll = len(done[subject]), len(before)
	return err
}

// isUnmet reports whether other rules must be completed before this one, and are not.
func (s requiredStep) isUnmet(ctx context.Context, c *ruletypes.Case, now time.Time) (bool, error) {
	own, err := s.rules.IsRequired(ctx, c.Scope, c.Rule)
	if err != nil || own {
		return false, err
	}
	before, err := s.rules.RequiredAt(ctx, s.db, c.Scope, now)
	if err != nil {
		return false, err
	}
	return progress.HasUnmet(ctx, s.db, c.Person.Subject(), before)
}
