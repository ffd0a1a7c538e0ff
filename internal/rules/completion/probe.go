package completion

import (
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/providers"
)

// IsUnanswered reports whether an error means that a provider was asked about a member and gave no usable answer. A
// busy provider was not asked at all, so providers.ErrBusy does not count.
func IsUnanswered(err error) bool {
	return laurel.CodeOf(err) == laurel.Unanswered && !errors.Is(err, providers.ErrBusy)
}

// ProbeProvider asks the provider about the page's one candidate, even if no decision depends on it. A nil error means
// that the provider responds.
func (s *Service) ProbeProvider(ctx context.Context, scope laurel.Scope, r RunPage) error {
	people, err := s.people.ResolveMany(ctx, s.db, scope, []identity.Ref{r.Candidates[0].User})
	if err != nil {
		return err
	}
	run := &request{scope: scope, trigger: r.eventOrRun().trigger()}
	p := s.newPlan(s.resolveFor(run, r.Rule, people[0]), 1)
	q, err := s.questionAbout(ctx, p)
	if err == nil {
		_, err = s.sendQuestion(ctx, p, q)
	}
	return err
}
