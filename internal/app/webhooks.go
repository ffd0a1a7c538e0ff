package app

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/api"
	"laurel/internal/api/rest"
	"laurel/internal/outbound"
	"laurel/internal/webhooks"
)

// connectionsOfCallbacks are those to one host at once: many subscriptions may name the same.
const connectionsOfCallbacks = 512

// callbacks is how receivers of events are called.
func (a *App) callbacks() outbound.Options {
	out := a.guarded
	out.Connections = connectionsOfCallbacks
	return out
}

// describe tells what events say of records: what the API says of them.
func (a *App) describe() webhooks.Describe {
	return api.Describe(api.Config{
		Config: rest.Config{Tenancy: a.Tenancy, Identity: a.Identity, Logger: a.log}, Vault: a.vault, Ledger: a.Ledger,
		Rules: a.Rules, Chains: a.Chains, Report: a.Report,
	})
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
