package completion

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/rules/schema"
)

// EventResult says how a rule handled an event.
type EventResult struct {
	RunID     laurel.ID // the run of the rule's function; zero: it was not run
	Succeeded bool
	Final     bool // not succeeded, and another attempt would change nothing
}

// DecideOnEvent runs the function of a rule on an event of the subscription that triggers the rule, and pays the member
// that the function names, as of the moment of the event (contract 6 and 7.6). A refused payment counts as handled. An
// error is a fault: the event is delivered again, and still pays only once.
func (s *Service) DecideOnEvent(
	ctx context.Context,
	scope laurel.Scope,
	ruleID laurel.ID,
	at time.Time,
	e *providers.Event,
) (EventResult, error) {
	result, err := s.decideOnEvent(ctx, scope, ruleID, at, e)
	if err != nil {
		result.Succeeded, result.Final = false, false
	}
	return result, err
}

func (s *Service) decideOnEvent(
	ctx context.Context, scope laurel.Scope, ruleID laurel.ID, at time.Time, e *providers.Event,
) (EventResult, error) {
	handled := EventResult{Succeeded: true, Final: true}
	current, err := s.rules.GetCached(ctx, scope, ruleID, true)
	if laurel.CodeOf(err) == laurel.NotFound {
		return handled, nil
	} else if err != nil {
		return EventResult{}, err
	}
	rule := current.Rule
	onChain, err := readContractEvent(e.Body, at)
	if err != nil {
		return EventResult{}, err
	}
	if onChain != nil && onChain.IsRemoved { // also if the rule was changed meanwhile
		return handled, s.takeBackEvent(ctx, scope, rule, onChain)
	}
	if by := rule.TriggerSubscription(); by == nil || *by != e.SubscriptionID || !rule.DeletedAt.IsZero() {
		return handled, nil
	}
	if rule.Type == schema.TypeContractEvent {
		return handled, s.payForEvent(ctx, scope, rule, onChain)
	}
	if onChain != nil {
		if isKept, err := s.hasKept(ctx, rule, onChain); err != nil || isKept {
			return handled, err
		}
	}
	if hasProvider, err := s.verifiers.IsAvailable(ctx, scope, &rule.Properties); err != nil || !hasProvider {
		return EventResult{Final: true}, err
	}
	err = s.checkPayable(ctx, scope, rule, &EventOrRun{Kind: decision.TriggerEvent, At: at})
	if err != nil {
		return handled, ignoreRefusal(err)
	}
	q := providers.VerificationRequest{
		RuleID: ruleID, Rule: &rule.Properties, Until: at, Event: e, WaitMode: providers.WaitFully,
	}
	v, err := s.verifiers.Verify(ctx, scope, q)
	switch {
	case laurel.CodeOf(err) == laurel.NotFound: // the function was deleted meanwhile
		return EventResult{Final: true}, nil
	case err != nil:
		return EventResult{}, err
	case v.IsInvalid:
		return EventResult{RunID: v.RunID, Final: v.IsFinal}, nil
	}
	handled.RunID = v.RunID
	if !v.Fulfilled {
		return handled, nil
	}
	event := &EventOrRun{Kind: decision.TriggerEvent, At: at, Window: windowOfEvent(rule, v, at, e.ID)}
	if onChain != nil {
		event.Event = onChain.trigger(nil)
	}
	r := request{
		scope: scope, in: CompleteInput{RuleID: ruleID, User: identity.Ref{Wallet: v.Wallet}},
		trigger: event.trigger(), verified: newVerification(q, v),
	}
	r.trigger.CountsRefusals = true
	a := s.newAttempt(r)
	err = a.submit(ctx)
	a.countRefusal(err)
	return handled, ignoreRefusal(err)
}

// ignoreRefusal returns err unless it is a refusal.
func ignoreRefusal(err error) error {
	if laurel.IsRefusal(err) {
		return nil
	}
	return err
}

// windowOfEvent returns the key of the window that a payment for an event closes: the window of the key that the
// function set, else the present window of the calendar, else one of the event's own. So an event that is delivered
// twice pays once.
func windowOfEvent(rule *catalog.Rule, v providers.Verification, at time.Time, event laurel.ID) string {
	if v.Key != "" {
		return functionWindowKey(v.Key)
	}
	if key := schema.WindowKey(rule.Interval, at); key != "" && !rule.Meta().ResetProgressOnClaim {
		return key
	}
	return "event " + event.String()
}
