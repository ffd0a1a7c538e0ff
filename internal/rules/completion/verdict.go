package completion

import (
	"context"
	"time"

	"laurel/internal/rules/decision"
	"laurel/internal/rules/kinds"
	"laurel/internal/rules/partners"
	"laurel/internal/rules/progress"
	"laurel/internal/store"
)

// verdict: a provider says whether the member has earned the rule (contract 6). It is asked when the call is
// prepared, with nothing locked and no transaction open, and only where nothing else refuses: what it says is a fact
// like others then, which the payment keeps.
type verdict struct {
	kinds.Inert
	*Service
	w    *completion
	told *told // nil: nobody was asked
}

// told is what a provider has said, and to what.
type told struct {
	question partners.Question
	verdict  decision.Verdict
}

func (s *verdict) Read(ctx context.Context, c *kinds.Case) error {
	before := s.told
	s.told, c.Until = nil, time.Time{}
	if s.w.trigger.settled {
		return nil
	}
	able, err := s.verifiers.Equipped(ctx, c.Scope, &c.Rule.Properties)
	c.Known.Verdict = decision.Verdict{Able: able}
	if err != nil || !able {
		return err
	}
	if needed, err := s.needed(ctx); err != nil || !needed {
		return err
	}
	q, err := s.question(ctx, c)
	if err != nil {
		return err
	}
	if before == nil || !before.question.Same(q) { // a work that is prepared again does not ask again
		if before, err = s.ask(ctx, c, q); err != nil {
			return err
		}
	}
	s.told, c.Until, c.Known.Verdict = before, before.question.Until, before.verdict
	return nil
}

func (s *verdict) ask(ctx context.Context, c *kinds.Case, q partners.Question) (*told, error) {
	v, err := s.verifiers.Ask(ctx, c.Scope, q)
	return &told{q, decision.Verdict{Able: true, Fulfilled: v.Fulfilled, Value: v.Value}}, err
}

// patience is how often a call is prepared before it asks whatever the facts that change meanwhile say.
const patience = 2

// needed reports whether anything hangs on the answer, as far as facts without locks tell. A dry run tells of every
// check, also behind one that refuses.
func (s *verdict) needed(ctx context.Context) (bool, error) {
	f, err := s.w.gather(ctx)
	if s.w.trigger.explains || s.w.tries > patience {
		return decision.Asks(f), err
	}
	return decision.Awaits(f), err
}

func (s *verdict) question(ctx context.Context, c *kinds.Case) (partners.Question, error) {
	until := c.At(s.db.Now()).Truncate(time.Millisecond) // as times are written: what begins there next is what ended here
	rule := c.Rule.Properties                            // as it is now: a later preparation may find another
	q := partners.Question{RuleID: c.Rule.ID, Rule: &rule, Until: until}
	if c.Called() {
		q.Request = partners.Request{ContentURL: c.In.ContentURL, Code: c.In.VerificationCode, RangeValue: c.In.RangeValue}
	}
	known, err := s.people.Standing(ctx, c.Scope, c.Person)
	if err != nil {
		return q, err
	}
	q.Members = partners.Known(known, c.Person)
	q.Since, err = span(s.w.accounts(), c, until).Since(func(k progress.Key) (*progress.Subject, error) {
		sub, err := s.deps.Reads.Subject(ctx, k)
		return &sub, err
	})
	return q, err
}

// span is the time that counts of what the member does, up to a moment.
func span(accounts []progress.Key, c *kinds.Case, until time.Time) partners.Span {
	return partners.Span{
		Rule:   &c.Rule.Properties,
		Until:  until,
		Claims: c.Claims(),
		Known:  append(accounts, c.Subject()),
		InRun:  !c.Called(),
		Before: c.Trigger.Since,
	}
}

// Check returns store.ErrStale where something was paid meanwhile that the answer counts too, and where nobody was
// asked because something refused that does not refuse any more.
func (s *verdict) Check(b *store.Batch, c *kinds.Case) error {
	if s.w.trigger.settled {
		return nil
	}
	if s.told == nil {
		sub, paid := s.w.opening(b)
		if s.w.tries <= patience && decision.Awaits(s.w.judgedFacts(b, sub, paid)) {
			return store.ErrStale
		}
		return nil
	}
	since, err := span(s.w.accounts(), c, s.told.question.Until).
		Since(func(k progress.Key) (*progress.Subject, error) { return progress.Subjects.Row(b, k), nil })
	if err == nil && !since.Equal(s.told.question.Since) {
		return store.ErrStale
	}
	return err
}
