package completion

import (
	"context"
	"encoding/json"
	"time"

	"laurel/internal/points/ledger"
	"laurel/internal/rules/completionjobs"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/providers"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// verdict: a provider says whether the member has earned the rule (contract 6). It is asked when the call is
// prepared, with nothing locked and no transaction open, and only where nothing else refuses: what it says is a fact
// like others then, which the payment keeps.
type verdict struct {
	ruletypes.Inert
	*Service
	w    *completion
	told *told // nil: nobody was asked
}

// told is what a provider has said, and to what.
type told struct {
	question providers.Question
	verdict  decision.Verdict
	answer   providers.Verdict
}

// functionWindow is the window of a key that a function has set (contract 7.6).
func functionWindow(key string) string { return "function " + key }

// Window returns the window of the key that a function has set. Until the function is asked every window is open: the
// key that it sets takes the place of the calendar's.
func (s *verdict) Window(c *ruletypes.Case, sub *progress.Subject) (key string, open, ok bool) {
	switch {
	case c.Rule.Type != schema.TypeFunction || s.w.trigger.settled || !c.Known.Verdict.Able:
		return "", false, false
	case s.told == nil || s.told.answer.Slow:
		return "", true, true
	case s.told.answer.Key == "" && c.Trigger.Job != nil:
		key, open = ruletypes.WindowOfJob(c, sub)
		return key, open, true
	case s.told.answer.Key == "":
		return "", false, false
	}
	return functionWindow(s.told.answer.Key), true, true
}

// Claims returns nothing: a key closes its own window alone.
func (s *verdict) Claims(*ruletypes.Case) []string { return nil }

// Pays adds what a function has set as data to the metadata of the rule's own entry.
func (s *verdict) Pays(_ *ruletypes.Case, p *ledger.Posting) {
	if s.told == nil || s.told.answer.Data == "" || len(p.Lines) == 0 {
		return
	}
	merged := map[string]json.RawMessage{}
	for _, object := range []json.RawMessage{json.RawMessage(s.told.answer.Data), p.Lines[0].Metadata} { // ours count
		if len(object) > 0 {
			_ = json.Unmarshal(object, &merged) // both were checked or made here
		}
	}
	p.Lines[0].Metadata = store.JSON(merged)
}

// Paid owes what a function asks the payout driver for, where the completion gives the member something (contract 7.6).
// The payment is written once, and what it owes with it.
func (s *verdict) Paid(b *store.Batch, c *ruletypes.Case, reward decision.Reward) error {
	if s.told != nil && s.w.gives(reward) {
		s.told.answer.Owe(b, c.Scope)
	}
	return nil
}

// gives reports whether the completion gives the member something: a badge only where the member did not have it.
func (w *completion) gives(reward decision.Reward) bool {
	if reward.Amount > 0 || reward.Multiplier > 0 || len(reward.Credits) > 0 {
		return true
	}
	for _, s := range w.steps {
		if a, ok := s.(*award); ok {
			return a.granted
		}
	}
	return false
}

// owed returns what a function asks the payout driver for, of a completion that is only tried.
func (w *completion) owed(reward decision.Reward) []Transaction {
	said := w.said()
	if said != nil && said.answer.Requested != nil && (w.gives(reward) || len(reward.Badges) > 0) {
		return said.answer.Requested.Calls
	}
	return nil
}

// isDry reports whether the completion is only tried: nothing comes of it.
func (w *completion) isDry() bool { return w.In.VerifyOnly || w.trigger.explains }

// lasts reports whether the window stays closed whatever the rule says: that of a key, and that of an event.
func (w *completion) lasts() bool {
	return w.keyed() != "" || w.said() != nil && w.Trigger.By == decision.ByEvent
}

// keyed returns the key that a function has set in the place of the window; "" for none.
func (w *completion) keyed() string {
	if said := w.said(); said != nil {
		return said.answer.Key
	}
	return ""
}

func (s *verdict) Read(ctx context.Context, c *ruletypes.Case) error {
	if given := s.w.trigger.given; given != nil {
		s.told, c.Known.Verdict, c.Known.Amount = given, given.verdict, given.answer.Amount
		c.Known.JobAged = true // whatever job waits for this member asks about another call
		return nil
	}
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
	switch {
	case c.Trigger.Job == nil:
		c.RunID = before.answer.RunID
	case before.answer.Slow:
		return completionjobs.ErrLater
	}
	s.told, c.Until, c.Known.Verdict = before, before.question.Until, before.verdict
	c.Known.Amount = before.answer.Amount
	if before.answer.Wallet != "" {
		return &elsewhere{before}
	}
	return nil
}

// elsewhere is the error of a completion that a function gives to somebody else than who called (contract 7.6).
type elsewhere struct{ told *told }

func (e *elsewhere) Error() string { return "the rule is completed by " + e.told.answer.Wallet }

func (s *verdict) ask(ctx context.Context, c *ruletypes.Case, q providers.Question) (*told, error) {
	v, err := s.verifiers.Ask(ctx, c.Scope, q)
	switch {
	case v.Wallet == "":
	case s.w.trigger.explains:
		v.Wallet = "" // a dry run tells what is paid, whoever gets it
	case !s.w.trigger.counts, c.Trigger.Job != nil: // nobody calls
		v = providers.Verdict{Bad: true}
	}
	return toldBy(q, v), err
}

func toldBy(q providers.Question, v providers.Verdict) *told {
	return &told{q, decision.Verdict{
		Able: true, Fulfilled: v.Fulfilled, Value: v.Value, BadgeID: v.BadgeID, Bad: v.Bad, Keyed: v.Key != "", Slow: v.Slow,
	}, v}
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

func (s *verdict) question(ctx context.Context, c *ruletypes.Case) (providers.Question, error) {
	until := c.At(s.db.Now()).Truncate(time.Millisecond) // as times are written: what begins there next is what ended here
	rule := c.Rule.Properties                            // as it is now: a later preparation may find another
	q := providers.Question{RuleID: c.Rule.ID, Rule: &rule, Until: until, DryRun: s.w.isDry()}
	if c.Called() {
		q.Request = providers.Request{ContentURL: c.In.ContentURL, Code: c.In.VerificationCode, RangeValue: c.In.RangeValue}
	}
	switch {
	case c.Trigger.Job != nil:
		q.Patience, q.RunID = providers.Fully, c.RunID
	case c.Trigger.By == decision.ByRun:
		q.Patience = providers.Fully
	case c.Trigger.By == decision.ByCall && !s.w.isDry():
		q.Patience = providers.GoesOn
	}
	known, err := s.people.Standing(ctx, c.Scope, c.Person)
	if err != nil {
		return q, err
	}
	q.Members = providers.Known(known, c.Person)
	q.Since, err = span(s.w.accounts(), c, until).Since(func(k progress.Key) (*progress.Subject, error) {
		sub, err := s.deps.Reads.Subject(ctx, k)
		return &sub, err
	})
	return q, err
}

// span is the time that counts of what the member does, up to a moment.
func span(accounts []progress.Key, c *ruletypes.Case, until time.Time) providers.Span {
	return providers.Span{
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
func (s *verdict) Check(b *store.Batch, c *ruletypes.Case) error {
	if s.w.trigger.settled || s.w.trigger.given != nil {
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
