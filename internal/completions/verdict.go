package completions

import (
	"context"
	"reflect"
	"slices"
	"time"

	"laurel"
	"laurel/internal/decision"
	"laurel/internal/memory"
	"laurel/internal/rulebook"
	"laurel/internal/rules"
	"laurel/internal/store"
	"laurel/internal/verifiers"
)

// verdict: somebody outside says whether the member has earned the rule (contract 6). It is asked when the call is prepared, with nothing locked and no
// transaction open, and only where nothing else refuses: what it says is a fact like others then, which the payment keeps.
type verdict struct {
	inert
	*Service
}

// verified reports whether somebody outside answers for the members of the rule.
func verified(r *rules.Rule) bool { return r.Type.Driver() != rulebook.NoDriver }

// told is what somebody outside has said, and to what.
type told struct {
	question verifiers.Question
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
	if before == nil || !same(before.question, q) { // a work that is prepared again does not ask again
		if before, err = s.ask(ctx, w, q); err != nil {
			return err
		}
	}
	w.told, w.known.Verdict = before, before.verdict
	return nil
}

// same reports whether an answer to one question answers the other.
func same(a, b verifiers.Question) bool {
	a.Until = b.Until
	return reflect.DeepEqual(a, b)
}

func (s verdict) ask(ctx context.Context, w *completion, q verifiers.Question) (*told, error) {
	v, err := s.verifiers.Ask(ctx, w.scope, q)
	return &told{q, decision.Verdict{Able: true, Fulfilled: v.Fulfilled, Value: v.Value}}, err
}

// patience is how often a call is prepared before it asks whatever the facts that change meanwhile say.
const patience = 2

// needed reports whether anything hangs on the answer, as far as facts without locks tell. A dry run tells of every check, also behind one that refuses.
func (s verdict) needed(ctx context.Context, w *completion) (bool, error) {
	f, err := w.gather(ctx)
	if w.dry || w.tries > patience {
		return decision.Asks(f), err
	}
	return decision.Awaits(f), err
}

func (s verdict) question(ctx context.Context, w *completion) (verifiers.Question, error) {
	until := w.at(s.db.Now()).Truncate(time.Millisecond) // as times are written: what begins there next is what ended here
	rule := w.rule.Properties                            // as it is now: a later preparation may find another
	q := verifiers.Question{RuleID: w.rule.ID, Rule: &rule, Until: until}
	if w.fed == nil {
		q.Request = verifiers.Request{ContentURL: w.in.ContentURL, Code: w.in.VerificationCode, RangeValue: w.in.RangeValue}
	}
	var err error
	if q.Since, err = w.since(until, func(k memory.Key) (*memory.Subject, error) {
		sub, err := s.reads.subject(ctx, k)
		return &sub, err
	}); err != nil {
		return q, err
	}
	known, err := s.people.Standing(ctx, w.scope, w.person)
	if err != nil {
		return q, err
	}
	for _, c := range known.Members {
		m := verifiers.Member{UserID: c.UserID, Wallet: c.Wallet, WalletType: c.WalletType}
		if address, verified := c.Email(); verified {
			m.Email = address
		}
		if id := c.Profile.ExternalIdentifier; id != nil {
			m.ExternalID = *id
		}
		q.Members = append(q.Members, m)
	}
	if w.person.NewUser {
		q.Members[0].UserID = laurel.ID{}
	}
	return q, nil
}

// since is the moment from which on it counts what members do: of a run the one before it, of a window its beginning, and where none closes the last
// payment, so that nothing is paid for twice.
func (w *completion) since(at time.Time, row func(memory.Key) (*memory.Subject, error)) (time.Time, error) {
	var from time.Time
	if start := w.rule.StartTime; start != nil {
		from = start.Time
	}
	switch {
	case w.fed != nil:
		if w.fed.Since.Before(w.fed.At) { // else it is the first
			from = latest(from, w.fed.Since)
		}
	case w.claiming() || w.rule.Meta().ResetProgressOnClaim || rolls(w.rule.Interval):
		last, err := w.lastPaid(row)
		if err != nil {
			return from, err
		}
		from = latest(from, last)
	default:
		from = latest(from, rulebook.WindowStart(w.rule.Interval, at))
	}
	return from.Truncate(time.Millisecond), nil
}

// rolls reports whether an interval has no windows of the calendar.
func rolls(interval string) bool { return rulebook.WindowKey(interval, time.Time{}) == "" }

// lastPaid answers up to when the member, or an account by which it is known, was paid for.
func (w *completion) lastPaid(row func(memory.Key) (*memory.Subject, error)) (last time.Time, err error) {
	for _, k := range append(slices.Concat(w.accounts...), w.subjectKey()) {
		sub, err := row(k)
		if err != nil {
			return last, err
		}
		switch {
		case sub.WindowPaidAt != nil:
			last = latest(last, store.Time(*sub.WindowPaidAt))
		case sub.CompletedAt != nil: // the window was opened again
			last = latest(last, store.Time(*sub.CompletedAt))
		}
	}
	return last, nil
}

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// checked answers store.ErrStale where something was paid meanwhile that the answer counts too, and where nobody was asked because something refused
// that does not refuse any more.
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
	since, err := w.since(w.told.question.Until, func(k memory.Key) (*memory.Subject, error) { return memory.Subjects.Row(b, k), nil })
	if err == nil && !since.Equal(w.told.question.Since) {
		return store.ErrStale
	}
	return err
}
