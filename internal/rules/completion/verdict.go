package completion

import (
	"context"
	"slices"
	"time"

	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/partners"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// verdict: a provider says whether the member has earned the rule (contract 6). It is asked when the call is
// prepared, with nothing locked and no transaction open, and only where nothing else refuses: what it says is a fact
// like others then, which the payment keeps.
type verdict struct {
	inert
	*Service
}

// verified reports whether a provider answers for the members of the rule.
func verified(r *catalog.Rule) bool { return r.Type.Driver() != schema.NoDriver }

// told is what a provider has said, and to what.
type told struct {
	question partners.Question
	verdict  decision.Verdict
}

func (s verdict) ahead(ctx context.Context, w *completion) error {
	before := w.told
	w.told = nil
	if w.agreed != nil {
		return nil
	}
	able, err := s.verifiers.Equipped(ctx, w.scope, &w.rule.Properties)
	w.known.Verdict = decision.Verdict{Able: able}
	if err != nil || !able {
		return err
	}
	if needed, err := s.needed(ctx, w); err != nil || !needed {
		return err
	}
	q, err := s.question(ctx, w)
	if err != nil {
		return err
	}
	if before == nil || !before.question.Same(q) { // a work that is prepared again does not ask again
		if before, err = s.ask(ctx, w, q); err != nil {
			return err
		}
	}
	w.told, w.known.Verdict = before, before.verdict
	return nil
}

func (s verdict) ask(ctx context.Context, w *completion, q partners.Question) (*told, error) {
	v, err := s.verifiers.Ask(ctx, w.scope, q)
	return &told{q, decision.Verdict{Able: true, Fulfilled: v.Fulfilled, Value: v.Value}}, err
}

// patience is how often a call is prepared before it asks whatever the facts that change meanwhile say.
const patience = 2

// needed reports whether anything hangs on the answer, as far as facts without locks tell. A dry run tells of every
// check, also behind one that refuses.
func (s verdict) needed(ctx context.Context, w *completion) (bool, error) {
	f, err := w.gather(ctx)
	if w.dry || w.tries > patience {
		return decision.Asks(f), err
	}
	return decision.Awaits(f), err
}

func (s verdict) question(ctx context.Context, w *completion) (partners.Question, error) {
	until := w.at(s.db.Now()).Truncate(time.Millisecond) // as times are written: what begins there next is what ended here
	rule := w.rule.Properties                            // as it is now: a later preparation may find another
	q := partners.Question{RuleID: w.rule.ID, Rule: &rule, Until: until}
	if w.fed == nil {
		q.Request = partners.Request{ContentURL: w.in.ContentURL, Code: w.in.VerificationCode, RangeValue: w.in.RangeValue}
	}
	known, err := s.people.Standing(ctx, w.scope, w.person)
	if err != nil {
		return q, err
	}
	q.Members = partners.Known(known, w.person)
	q.Since, err = w.span(until).Since(func(k progress.Key) (*progress.Subject, error) {
		sub, err := s.reads.subject(ctx, k)
		return &sub, err
	})
	return q, err
}

// span is the time that counts of what the member does, up to a moment.
func (w *completion) span(until time.Time) partners.Span {
	of := partners.Span{
		Rule:   &w.rule.Properties,
		Until:  until,
		Claims: w.claiming(),
		Known:  append(slices.Concat(w.accounts...), w.subjectKey()),
	}
	if w.fed != nil {
		of.InRun, of.Before = true, w.fed.Since
	}
	return of
}

// checked returns store.ErrStale where something was paid meanwhile that the answer counts too, and where nobody was
// asked because something refused that does not refuse any more.
func (s verdict) checked(b *store.Batch, w *completion) error {
	if w.agreed != nil {
		return nil
	}
	if w.told == nil {
		sub, paid := w.opening(b)
		if w.tries <= patience && decision.Awaits(w.judgedFacts(b, sub, paid)) {
			return store.ErrStale
		}
		return nil
	}
	since, err := w.span(w.told.question.Until).
		Since(func(k progress.Key) (*progress.Subject, error) { return progress.Subjects.Row(b, k), nil })
	if err == nil && !since.Equal(w.told.question.Since) {
		return store.ErrStale
	}
	return err
}
