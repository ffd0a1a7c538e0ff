package completion

import (
	"context"
	"errors"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/providers"
)

// IsUnanswered reports whether an error is that a provider was asked about a member and gave no answer to go by. Who is
// left alone, or asked for too much, has said nothing about anybody.
func IsUnanswered(err error) bool {
	return laurel.CodeOf(err) == laurel.Unanswered && !errors.Is(err, providers.ErrBusy)
}

// ProbeProvider asks about the one candidate of a round, whether or not anything hangs on the answer: nil tells that
// a provider does answer.
func (s *Service) ProbeProvider(ctx context.Context, scope laurel.Scope, r RunPage) error {
	people, err := s.people.ResolveMany(ctx, s.db, scope, []identity.Ref{r.Candidates[0].User})
	if err != nil {
		return err
	}
	w := s.newCompletion(r.trigger().mode(), scope, CompleteInput{})
	w.Person = people[0]
	w.setRule(r.Rule)
	v := &verificationStep{Service: s, w: w}
	q, err := v.question(ctx, &w.Case)
	if err == nil {
		_, err = v.verify(ctx, &w.Case, q)
	}
	return err
}
