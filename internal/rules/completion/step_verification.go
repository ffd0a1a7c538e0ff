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

// verificationStep: a provider says whether the member has earned the rule (contract 6). It is asked when the call is
// prepared, with nothing locked and no transaction open, and only where nothing else refuses: what it says is a fact
// like others then, which the payment keeps.
type verificationStep struct {
	ruletypes.BaseStep
	*Service
	w      *completion
	result *verification // nil: nobody was asked
}

// verification is what a provider has said, and to what.
type verification struct {
	question providers.Question
	verdict  decision.Verdict
	answer   providers.Verdict
}

// functionWindowKey is the window of a key that a function has set (contract 7.6).
func functionWindowKey(key string) string { return "function " + key }

// Window returns the window of the key that a function has set. Until the function is asked every window is open: the
// key that it sets takes the place of the calendar's.
func (s *verificationStep) Window(c *ruletypes.Case, sub *progress.State) (key string, open, ok bool) {
	switch {
	case c.Rule.Type != schema.TypeFunction || s.w.mode.isDecided || !c.PreparedFacts.Verdict.HasProvider:
		return "", false, false
	case s.result == nil || s.result.answer.Slow:
		return "", true, true
	case s.result.answer.Key == "" && c.Trigger.Job != nil:
		key, open = ruletypes.JobWindow(c, sub)
		return key, open, true
	case s.result.answer.Key == "":
		return "", false, false
	}
	return functionWindowKey(s.result.answer.Key), true, true
}

// FurtherWindows returns nothing: a key closes its own window alone.
func (s *verificationStep) FurtherWindows(*ruletypes.Case) []string { return nil }

// EditPosting adds what a function has set as data to the metadata of the rule's own entry.
func (s *verificationStep) EditPosting(_ *ruletypes.Case, p *ledger.Posting) {
	if s.result == nil || s.result.answer.Data == "" || len(p.Lines) == 0 {
		return
	}
	merged := map[string]json.RawMessage{}
	for _, object := range []json.RawMessage{json.RawMessage(s.result.answer.Data), p.Lines[0].Metadata} { // ours count
		if len(object) > 0 {
			_ = json.Unmarshal(object, &merged) // both were checked or made here
		}
	}
	p.Lines[0].Metadata = store.JSON(merged)
}

// Apply owes what a function asks the payout driver for, where the completion gives the member something (contract
// 7.6). The payment is written once, and what it owes with it.
func (s *verificationStep) Apply(b *store.Batch, c *ruletypes.Case, reward decision.Reward) error {
	if s.result != nil && s.w.givesReward(reward) {
		s.result.answer.Owe(b, c.Scope)
	}
	return nil
}

// givesReward reports whether the completion gives the member something: a badge only where the member did not have it.
func (w *completion) givesReward(reward decision.Reward) bool {
	if reward.Amount > 0 || reward.Multiplier > 0 || len(reward.Credits) > 0 {
		return true
	}
	for _, s := range w.steps {
		if a, ok := s.(*badgeStep); ok {
			return a.grantedNew
		}
	}
	return false
}

// requestedTransactions returns what a function asks the payout driver for, of a completion that is only tried.
func (w *completion) requestedTransactions(reward decision.Reward) []Transaction {
	verification := w.verification()
	if verification != nil && verification.answer.Requested != nil && (w.givesReward(reward) || len(reward.Badges) > 0) {
		return verification.answer.Requested.Calls
	}
	return nil
}

// isDry reports whether the completion is only tried: nothing comes of it.
func (w *completion) isDry() bool { return w.In.VerifyOnly || w.mode.isSimulation }

// windowStaysClosed reports whether the window stays closed whatever the rule says: that of a key, and that of an
// event.
func (w *completion) windowStaysClosed() bool {
	return w.functionKey() != "" || w.verification() != nil && w.Trigger.Kind == decision.ByEvent
}

// functionKey returns the key that a function has set in the place of the window; "" for none.
func (w *completion) functionKey() string {
	if verification := w.verification(); verification != nil {
		return verification.answer.Key
	}
	return ""
}

func (s *verificationStep) Prepare(ctx context.Context, c *ruletypes.Case) error {
	if given := s.w.mode.verification; given != nil {
		s.result, c.PreparedFacts.Verdict, c.PreparedFacts.Amount = given, given.verdict, given.answer.Amount
		c.PreparedFacts.DecidedByJob = true // whatever job waits for this member asks about another call
		return nil
	}
	before := s.result
	s.result, c.VerifiedUpTo = nil, time.Time{}
	if s.w.mode.isDecided {
		return nil
	}
	able, err := s.verifiers.Equipped(ctx, c.Scope, &c.Rule.Properties)
	c.PreparedFacts.Verdict = decision.Verdict{HasProvider: able}
	if err != nil || !able {
		return err
	}
	if needed, err := s.isNeeded(ctx); err != nil || !needed {
		return err
	}
	q, err := s.question(ctx, c)
	if err != nil {
		return err
	}
	if before == nil || !before.question.Same(q) { // a work that is prepared again does not ask again
		if before, err = s.verify(ctx, c, q); err != nil {
			return err
		}
	}
	switch {
	case c.Trigger.Job == nil:
		c.RunID = before.answer.RunID
	case before.answer.Slow:
		return completionjobs.ErrLater
	}
	s.result, c.VerifiedUpTo, c.PreparedFacts.Verdict = before, before.question.Until, before.verdict
	c.PreparedFacts.Amount = before.answer.Amount
	if before.answer.Wallet != "" {
		return &otherMemberError{before}
	}
	return nil
}

// otherMemberError is the error of a completion that a function gives to somebody else than who called (contract 7.6).
type otherMemberError struct{ verification *verification }

func (e *otherMemberError) Error() string {
	return "the rule is completed by " + e.verification.answer.Wallet
}

func (s *verificationStep) verify(ctx context.Context, c *ruletypes.Case, q providers.Question) (*verification, error) {
	v, err := s.verifiers.Ask(ctx, c.Scope, q)
	switch {
	case v.Wallet == "":
	case s.w.mode.isSimulation:
		v.Wallet = "" // a dry run tells what is paid, whoever gets it
	case !s.w.mode.countsRefusals, c.Trigger.Job != nil: // nobody calls
		v = providers.Verdict{Bad: true}
	}
	return verificationOf(q, v), err
}

func verificationOf(q providers.Question, v providers.Verdict) *verification {
	return &verification{q, decision.Verdict{
		HasProvider: true, Fulfilled: v.Fulfilled, Value: v.Value, BadgeID: v.BadgeID, IsUnusable: v.Bad, HasKey: v.Key != "", IsPending: v.Slow,
	}, v}
}

// maxConditionalPreparations is how often a call is prepared before it asks whatever the facts that change meanwhile
// say.
const maxConditionalPreparations = 2

// isNeeded reports whether anything hangs on the answer, as far as facts without locks tell. A dry run tells of every
// check, also behind one that refuses.
func (s *verificationStep) isNeeded(ctx context.Context) (bool, error) {
	f, err := s.w.gather(ctx)
	if s.w.mode.isSimulation || s.w.preparations > maxConditionalPreparations {
		return decision.AsksProvider(f), err
	}
	return decision.DependsOnProvider(f), err
}

func (s *verificationStep) question(ctx context.Context, c *ruletypes.Case) (providers.Question, error) {
	// Times are written in milliseconds. The next question begins at exactly this moment.
	until := c.DecisionTime(s.db.Now()).Truncate(time.Millisecond)
	rule := c.Rule.Properties // as it is now: a later preparation may find another
	q := providers.Question{RuleID: c.Rule.ID, Rule: &rule, Until: until, DryRun: s.w.isDry()}
	if c.IsCallOrCheckIn() {
		q.Request = providers.Request{ContentURL: c.In.ContentURL, Code: c.In.VerificationCode, RangeValue: c.In.RangeValue}
	}
	switch {
	case c.Trigger.Job != nil:
		q.Patience, q.RunID = providers.Fully, c.RunID
	case c.Trigger.Kind == decision.ByRun:
		q.Patience = providers.Fully
	case c.Trigger.Kind == decision.ByCall && !s.w.isDry():
		q.Patience = providers.GoesOn
	}
	known, err := s.people.Standing(ctx, c.Scope, c.Person)
	if err != nil {
		return q, err
	}
	q.Members = providers.Known(known, c.Person)
	q.Since, err = verificationSpan(s.w.accountKeys(), c, until).Since(func(k progress.StateKey) (*progress.State, error) {
		sub, err := s.deps.Loaders.State(ctx, k)
		return &sub, err
	})
	return q, err
}

// verificationSpan is the time that counts of what the member does, up to a moment.
func verificationSpan(accounts []progress.StateKey, c *ruletypes.Case, until time.Time) providers.Span {
	return providers.Span{
		Rule:   &c.Rule.Properties,
		Until:  until,
		Claims: c.IsClaim(),
		Known:  append(accounts, c.StateKey()),
		InRun:  !c.IsCallOrCheckIn(),
		Before: c.Trigger.PreviousRunAt,
	}
}

// Check returns store.ErrStale where something was paid meanwhile that the answer counts too, and where nobody was
// asked because something refused that does not refuse any more.
func (s *verificationStep) Check(b *store.Batch, c *ruletypes.Case) error {
	if s.w.mode.isDecided || s.w.mode.verification != nil {
		return nil
	}
	if s.result == nil {
		sub, paid := s.w.windowState(b)
		if s.w.preparations <= maxConditionalPreparations && decision.DependsOnProvider(s.w.lockedFacts(b, sub, paid)) {
			return store.ErrStale
		}
		return nil
	}
	since, err := verificationSpan(s.w.accountKeys(), c, s.result.question.Until).
		Since(func(k progress.StateKey) (*progress.State, error) { return progress.States.Row(b, k), nil })
	if err == nil && !since.Equal(s.result.question.Since) {
		return store.ErrStale
	}
	return err
}
