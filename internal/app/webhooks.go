package app

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/outbound"
	"laurel/internal/webhooks"
)

// connectionsOfCallbacks are those to one host at once: many subscriptions may name the same.
const connectionsOfCallbacks = 512

// callbacks is how receivers of events are called.
func callbacks(guarded outbound.Options) outbound.Options {
	guarded.Connections = connectionsOfCallbacks
	return guarded
}

type noFunctions struct{}

func (noFunctions) Missing(_ context.Context, _ laurel.Scope, ids []string) (string, error) {
	return ids[0], nil
}
func (noFunctions) Run(context.Context, laurel.Scope, webhooks.FunctionCall) (webhooks.FunctionResult, error) {
	return webhooks.FunctionResult{Final: true}, nil
}
func (noFunctions) Outputs(context.Context, laurel.Scope, []laurel.ID) (map[laurel.ID]json.RawMessage, error) {
	return nil, nil
}
