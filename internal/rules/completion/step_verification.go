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

// verificationStep asks a provider whether the member has earned the rule (contract 6). It asks while the completion is
// prepared, with nothing locked and no transaction open, and only if nothing else refuses. The result is a fact like
// others, stored with the payment.
type verificationStep struct {
	ruletypes.BaseStep
	*Service
	w      *completion
	result *verification // nil: no provider was asked
}

// verification is a question to a provider and its result.
type verification struct {
	question providers.VerificationRequest
	verdict  decision.Verdict       // the result as the decision sees it
	answer   providers.Verification // the result as the provider gave it
}

// functionWindowKey returns the key of the window for a key that a function has set (contract 7.6).
func functionWindowKey(key string) string { return "function " + key }

// Window returns the window that a function rule pays, and whether it is open:
//
//   - Until the function has decided, an open window without a key, because the function may set a key that replaces
//     the calendar's window.
//   - If the function has set a key, the window of that key.
//   - If it has set none and the completion is by a job, the calendar's window at the moment of the call.
//
// Otherwise ok is false: the present window of the calendar counts.
func (s *verificationStep) Window(c *ruletypes.Case, state *progress.State) (key string, open, ok bool) {
	switch {
	case c.Rule.Type != schema.TypeFunction || s.w.mode.isDecided || !c.PreparedFacts.Verdict.HasProvider:
		return "", false, false
	case s.result == nil || s.result.answer.IsRunning:
		return "", true, true
	case s.result.answer.Key == "" && c.Trigger.Job != nil:
		key, open = ruletypes.JobWindow(c, state)
		return key, open, true
	case s.result.answer.Key == "":
		return "", false, false
	}
	return functionWindowKey(s.result.answer.Key), true, true
}

// FurtherWindows returns none: a function's key closes one window.
func (s *verificationStep) FurtherWindows(*ruletypes.Case) []string { return nil }

// EditPosting merges the data that a function has set into the metadata of the rule's own entry. Values that the entry
// has already win over those of the function.
func (s *verificationStep) EditPosting(_ *ruletypes.Case, p *ledger.Posting) {
	if s.result == nil || s.result.answer.Data == "" || len(p.Lines) == 0 {
		return
	}
	merged := map[string]json.RawMessage{}
	// A later object overwrites the values of an earlier one.
	for _, object := range []json.RawMessage{json.RawMessage(s.result.answer.Data), p.Lines[0].Metadata} {
		if len(object) > 0 {
			_ = json.Unmarshal(object, &merged) // both are valid: checked before, or encoded here
		}
	}
	p.Lines[0].Metadata = store.JSON(merged)
}

// Apply stages the payouts that a function requests, if the completion gives the member something (contract 7.6).
func (s *verificationStep) Apply(b *store.Batch, c *ruletypes.Case, reward decision.Reward) error {
	if s.result != nil && s.w.givesReward(reward) {
		s.result.answer.StagePayouts(b, c.Scope)
	}
	return nil
}

// givesReward reports whether the completion gives the member anything. A badge counts only if the member did not have
// it. It must be called after the steps have been applied, which grants the badges.
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

// requestedTransactions returns the payout calls that a function requests, for a completion that is only tried.
func (w *completion) requestedTransactions(reward decision.Reward) []Transaction {
	verification := w.verification()
	if verification != nil && verification.answer.Requested != nil && (w.givesReward(reward) || len(reward.Badges) > 0) {
		return verification.answer.Requested.Calls
	}
	return nil
}

// isCall reports whether a caller waits for the result of the completion, and no job, run, event or check-in asks for
// it.
func (w *completion) isCall() bool { return w.mode.countsRefusals && w.Trigger.Job == nil }

// isDry reports whether the completion is only tried and writes nothing.
func (w *completion) isDry() bool { return w.In.VerifyOnly || w.mode.isSimulation }

// windowStaysClosed reports whether the paid window stays closed even if the rule opens it again: that of a function's
// key or of an event.
func (w *completion) windowStaysClosed() bool {
	return w.functionKey() != "" || w.verification() != nil && w.Trigger.Kind == decision.TriggerEvent
}

// functionKey returns the key that a function has set to replace the window; "": none.
func (w *completion) functionKey() string {
	if verification := w.verification(); verification != nil {
		return verification.answer.Key
	}
	return ""
}

// Prepare asks the provider if the decision depends on it, and adds the answer to the prepared facts. If the last
// preparation asked the same, it takes over that answer. It returns completionjobs.ErrUndecided if a job's function is
// still deciding, and an otherMemberError if the function names another member.
func (s *verificationStep) Prepare(ctx context.Context, c *ruletypes.Case) error {
	if verified := s.w.mode.verification; verified != nil { // on behalf of the member that a function has named
		s.result, c.PreparedFacts.Verdict, c.PreparedFacts.Amount = verified, verified.verdict, verified.answer.Amount
		c.PreparedFacts.DecidedByJob = true // a pending job of this member belongs to another call
		return nil
	}
	previous := s.result
	s.result, c.VerifiedUpTo = nil, time.Time{}
	if s.w.mode.isDecided {
		return nil
	}
	if mustAsk, err := s.mustAsk(ctx, c); err != nil || !mustAsk {
		return err
	}
	result, err := s.verifyOnce(ctx, c, previous)
	if err != nil {
		return err
	}
	switch {
	case c.Trigger.Job == nil:
		c.RunID = result.answer.RunID
	case result.answer.IsRunning:
		return completionjobs.ErrUndecided
	}
	s.result, c.VerifiedUpTo = result, result.question.Until
	c.PreparedFacts.Verdict, c.PreparedFacts.Amount = result.verdict, result.answer.Amount
	if result.answer.Wallet != "" {
		return &otherMemberError{result}
	}
	return nil
}

// mustAsk reports whether there is a provider for the rule and the decision depends on it. It notes in the facts
// whether there is one.
func (s *verificationStep) mustAsk(ctx context.Context, c *ruletypes.Case) (bool, error) {
	hasProvider, err := s.verifiers.IsAvailable(ctx, c.Scope, &c.Rule.Properties)
	c.PreparedFacts.Verdict = decision.Verdict{HasProvider: hasProvider}
	if err != nil || !hasProvider {
		return false, err
	}
	return s.isNeeded(ctx)
}

// verifyOnce returns the provider's answer to the question about this completion. If previous answers the same
// question, it returns previous, so that a completion that is prepared again does not ask twice.
func (s *verificationStep) verifyOnce(
	ctx context.Context, c *ruletypes.Case, previous *verification,
) (*verification, error) {
	q, err := s.question(ctx, c)
	if err != nil {
		return nil, err
	}
	if previous != nil && previous.question.SameAs(q) {
		return previous, nil
	}
	return s.verify(ctx, c, q)
}

// otherMemberError is the error of a completion whose function names another member than the caller (contract 7.6).
type otherMemberError struct{ verification *verification }

func (e *otherMemberError) Error() string {
	return "the rule is completed by " + e.verification.answer.Wallet
}

// verify asks the provider. Only in a call may a function name another member than the caller's. A dry run ignores
// which member it names, and any other completion treats such a result as invalid.
func (s *verificationStep) verify(
	ctx context.Context, c *ruletypes.Case, q providers.VerificationRequest,
) (*verification, error) {
	v, err := s.verifiers.Verify(ctx, c.Scope, q)
	switch {
	case v.Wallet == "": // it names no other member
	case s.w.mode.isSimulation:
		v.Wallet = "" // a dry run shows the reward for any member
	case !s.w.isCall():
		v = providers.Verification{IsInvalid: true}
	}
	return verificationOf(q, v), err
}

// verificationOf returns the result of a provider as facts of the decision.
func verificationOf(q providers.VerificationRequest, v providers.Verification) *verification {
	return &verification{q, decision.Verdict{
		HasProvider: true, Fulfilled: v.Fulfilled, Value: v.Value, BadgeID: v.BadgeID, IsUnusable: v.IsInvalid,
		HasKey: v.Key != "", IsPending: v.IsRunning,
	}, v}
}

// maxConditionalPreparations is how often a completion is prepared on the condition that the decision depends on the
// provider. Afterwards it asks in any case, since the facts keep changing.
const maxConditionalPreparations = 2

// isNeeded reports whether the decision depends on the provider, as far as facts read without locks show. A dry run
// asks whenever it can, since it shows every check.
func (s *verificationStep) isNeeded(ctx context.Context) (bool, error) {
	f, err := s.w.gatherUnlockedFacts(ctx)
	if s.w.mode.isSimulation || s.w.preparations > maxConditionalPreparations {
		return decision.AsksProvider(f), err
	}
	return decision.DependsOnProvider(f), err
}

// question returns the question to the provider: about the member and its group, the period in which their actions
// count, what the caller sent along, and how long to wait for a function.
func (s *verificationStep) question(ctx context.Context, c *ruletypes.Case) (providers.VerificationRequest, error) {
	// Times are written in milliseconds. The next question begins at exactly this moment.
	until := c.DecisionTime(s.db.Now()).Truncate(time.Millisecond)
	rule := c.Rule.Properties // as it is now: a later preparation may find another
	q := providers.VerificationRequest{RuleID: c.Rule.ID, Rule: &rule, Until: until, DryRun: s.w.isDry()}
	if c.IsCallOrCheckIn() {
		q.Request = providers.Request{ContentURL: c.In.ContentURL, Code: c.In.VerificationCode, RangeValue: c.In.RangeValue}
	}
	switch {
	case c.Trigger.Job != nil:
		q.WaitMode, q.RunID = providers.WaitFully, c.RunID
	case c.Trigger.Kind == decision.TriggerRun:
		q.WaitMode = providers.WaitFully
	case c.Trigger.Kind == decision.TriggerCall && !s.w.isDry():
		q.WaitMode = providers.ContinueInBackground
	} // otherwise WaitBriefly, the zero value
	connections, err := s.people.PersonProfile(ctx, c.Scope, c.Person)
	if err != nil {
		return q, err
	}
	q.Members = providers.MembersOfGroup(connections, c.Person)
	q.Since, err = earningPeriod(s.w.accountKeys(), c, until).Since(func(k progress.StateKey) (*progress.State, error) {
		state, err := s.deps.Loaders.State(ctx, k)
		return &state, err
	})
	return q, err
}

// earningPeriod returns the period in which what the member does counts for the rule, up to a moment.
func earningPeriod(accounts []progress.StateKey, c *ruletypes.Case, until time.Time) providers.EarningPeriod {
	return providers.EarningPeriod{
		Rule:         &c.Rule.Properties,
		Until:        until,
		IsClaim:      c.IsClaim(),
		ProgressKeys: append(accounts, c.StateKey()),
		IsRun:        !c.IsCallOrCheckIn(),
		LastRunAt:    c.Trigger.PreviousRunAt,
	}
}

// Check returns store.ErrStale if the rule has paid since the provider was asked, so that the question must be about a
// shorter time, or if the provider was not asked because the rule refused anyway, and now its answer matters.
func (s *verificationStep) Check(b *store.Batch, c *ruletypes.Case) error {
	if s.w.mode.isDecided || s.w.mode.verification != nil {
		return nil
	}
	if s.result == nil {
		state, paid := s.w.windowState(b)
		if s.w.preparations <= maxConditionalPreparations && decision.DependsOnProvider(s.w.lockedFacts(b, state, paid)) {
			return store.ErrStale
		}
		return nil
	}
	since, err := earningPeriod(s.w.accountKeys(), c, s.result.question.Until).
		Since(func(k progress.StateKey) (*progress.State, error) { return progress.States.Row(b, k), nil })
	if err == nil && !since.Equal(s.result.question.Since) {
		return store.ErrStale
	}
	return err
}
