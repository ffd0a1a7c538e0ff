package app

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/webhooks"
)

// connectionsOfCallbacks limits the connections to one host: many subscriptions may have the same host.
const connectionsOfCallbacks = 512

// callbacks returns the options of the client that calls callbacks.
func callbacks(guarded outbound.Options) outbound.Options {
	guarded.Connections = connectionsOfCallbacks
	return guarded
}

// WebhookPolicy says when deliveries are retried.
type WebhookPolicy = webhooks.Policy

// webhookFunctions adapts functions to package webhooks.
type webhookFunctions struct{ *functions.Service }

// Missing returns the first of the ids that is not the id of a live function; "" if all are.
func (f webhookFunctions) Missing(ctx context.Context, scope laurel.Scope, ids []string) (string, error) {
	parsed := make([]laurel.ID, len(ids))
	for i, text := range ids {
		id, err := laurel.ParseID(text)
		if err != nil {
			return text, nil //nolint:nilerr // a malformed id is a missing function
		}
		parsed[i] = id
	}
	missing, err := f.FirstMissing(ctx, scope, parsed)
	if err != nil || missing.IsZero() {
		return "", err
	}
	return missing.String(), nil
}

// triggeredRules adapts completions to package webhooks.
type triggeredRules struct{ *completion.Service }

// TriggeredBy returns the live rules that events of the subscriptions trigger. Those that should have a function and
// have none are left out.
func (triggeredRules) TriggeredBy(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	subscriptions []laurel.ID,
) ([]webhooks.TriggeredRule, error) {
	rules, err := catalog.RulesTriggeredBy(ctx, q, scope, subscriptions)
	var out []webhooks.TriggeredRule
	for _, r := range rules {
		by := r.TriggerSubscription()
		switch {
		case by == nil:
		case r.Type == schema.TypeContractEvent:
			out = append(out, webhooks.TriggeredRule{ID: r.ID, SubscriptionID: *by})
		case r.FunctionID != nil:
			out = append(out, webhooks.TriggeredRule{ID: r.ID, FunctionID: *r.FunctionID, SubscriptionID: *by})
		}
	}
	return out, err
}

// Trigger lets a rule decide on an event as of the time at, by its function if it has one. It returns the result of
// this attempt.
func (r triggeredRules) Trigger(
	ctx context.Context,
	scope laurel.Scope,
	rule laurel.ID,
	at time.Time,
	call webhooks.FunctionCall,
) (webhooks.FunctionResult, error) {
	got, err := r.DecideOnEvent(ctx, scope, rule, at, &providers.Event{
		ID: call.EventID, SubscriptionID: call.SubscriptionID, Body: call.Event, Attempt: call.Attempt,
	})
	return webhooks.FunctionResult(got), err
}

// Run runs a function on an event of a subscription, once, and returns the result of this attempt.
func (f webhookFunctions) Run(
	ctx context.Context,
	scope laurel.Scope,
	call webhooks.FunctionCall,
) (webhooks.FunctionResult, error) {
	run, err := f.RunEvent(ctx, scope, functions.EventInput(call))
	return webhooks.FunctionResult{
		RunID: run.ID, Succeeded: run.Status == functions.Succeeded, Final: run.Final,
	}, err
}
