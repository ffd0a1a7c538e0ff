package completion

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/providers"
	"laurel/internal/rules/schema"
)

// EventResult is what a rule has made of an event.
type EventResult struct {
	RunID     laurel.ID // of its function; zero: it was not run
	Succeeded bool
	Final     bool // of one that did not succeed: another attempt would change nothing
}

// DecideOnEvent has the function of a rule decide on an event of the subscription that feeds it, and pays the member
// that the function names as of the moment of the event (contract 6 and 7.6). A refusal of the payment is no failure:
// the event has been dealt with. An error is a fault, after which the event is handed over again; it pays once all the
// same.
func (s *Service) DecideOnEvent(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	at time.Time,
	e *providers.Event,
) (EventResult, error) {
	dealt := EventResult{Succeeded: true, Final: true}
	current, err := s.rules.GetCached(ctx, scope, id, true)
	if laurel.CodeOf(err) == laurel.NotFound {
		return dealt, nil
	} else if err != nil {
		return EventResult{}, err
	}
	rule := current.Rule
	if by := rule.TriggerSubscription(); by == nil || *by != e.SubscriptionID || !rule.DeletedAt.IsZero() {
		return dealt, nil
	}
	if able, err := s.verifiers.Equipped(ctx, scope, &rule.Properties); err != nil || !able {
		return EventResult{Final: true}, err
	}
	err = s.checkPayable(ctx, scope, rule, &EventOrRun{By: decision.ByEvent, At: at})
	if err != nil {
		return dealt, ignoreRefusal(err)
	}
	q := providers.Question{RuleID: id, Rule: &rule.Properties, Until: at, Event: e, Patience: providers.Fully}
	v, err := s.verifiers.Ask(ctx, scope, q)
	switch {
	case laurel.CodeOf(err) == laurel.NotFound: // the function has gone meanwhile
		return EventResult{Final: true}, nil
	case err != nil:
		return EventResult{}, err
	case v.Bad:
		return EventResult{RunID: v.RunID, Final: v.Final}, nil
	}
	dealt.RunID = v.RunID
	if !v.Fulfilled {
		return dealt, nil
	}
	of := &EventOrRun{By: decision.ByEvent, At: at, Window: windowOfEvent(rule, v, at, e.ID)}
	t := of.mode()
	t.verification, t.countsRefusals = verificationOf(q, v), true
	w := s.newCompletion(t, scope, CompleteInput{RuleID: id, User: identity.Ref{Wallet: v.Wallet}})
	err = s.submit(ctx, w)
	w.countRefusal(err)
	return dealt, ignoreRefusal(err)
}

// ignoreRefusal returns what is no refusal.
func ignoreRefusal(err error) error {
	if laurel.IsRefusal(err) {
		return nil
	}
	return err
}

// windowOfEvent is the window that an event closes for the member: that of the key which the function has set, that of
// the calendar, or where the rule has none the event's own, so that an event that is told again pays no second time.
func windowOfEvent(rule *catalog.Rule, v providers.Verdict, at time.Time, event laurel.ID) string {
	if v.Key != "" {
		return functionWindowKey(v.Key)
	}
	if key := schema.WindowKey(rule.Interval, at); key != "" && !rule.Meta().ResetProgressOnClaim {
		return key
	}
	return "event " + event.String()
}
