package completion

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/ruletypes"
)

// requiredStep returns the step that checks whether the member has completed the rules that are required first
// (contract 5.8). If another rule becomes required before the commit, that counts as later than the completion.
func requiredStep(s *Service) *ruletypes.Step {
	return &ruletypes.Step{
		PresumesPerson: true, Prepare: s.prepareRequired, UnlockedFacts: s.countRequired,
	}
}

// prepareRequired reads whether a required rule is not completed.
func (s *Service) prepareRequired(ctx context.Context, c *ruletypes.Case) (err error) {
	if c.HasRequiredRules && !c.In.SkipRequired {
		c.PreparedFacts.RequiredMissing, err = s.isMissingRequired(ctx, c, c.DecisionTime(s.db.Now()))
	}
	return err
}

// countRequired counts how many of the required rules are completed, for dry runs, which show it.
func (s *Service) countRequired(ctx context.Context, c *ruletypes.Case, f *decision.Facts) error {
	if !f.RequiredMissing {
		return nil
	}
	requiredRules, err := s.rules.RequiredAt(ctx, s.db, c.Scope, c.DecisionTime(s.db.Now()))
	if err != nil {
		return err
	}
	subject := c.Person.Subject()
	completions, err := progress.CountCompletions(ctx, s.db, []laurel.ID{subject}, requiredRules)
	f.RequiredDone, f.RequiredAll = len(completions[subject]), len(requiredRules)
	return err
}

// isMissingRequired reports whether other rules are required before this one at a moment, and the member or its group
// has not completed all of them.
func (s *Service) isMissingRequired(ctx context.Context, c *ruletypes.Case, now time.Time) (bool, error) {
	isRequired, err := s.rules.IsRequired(ctx, c.Scope, c.Rule)
	if err != nil || isRequired { // a required rule has no required rules itself
		return false, err
	}
	requiredRules, err := s.rules.RequiredAt(ctx, s.db, c.Scope, now)
	if err != nil {
		return false, err
	}
	return progress.HasUncompleted(ctx, s.db, c.Person.Subject(), requiredRules)
}
