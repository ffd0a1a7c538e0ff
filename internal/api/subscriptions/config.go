// Package subscriptions holds the operations on subscriptions and their deliveries (contract 4.12). It shapes requests
// and responses and decides nothing.
package subscriptions

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/webhooks"
)

// Config holds what the operations need.
type Config struct {
	Caller   *caller.Resolver
	Secrets  *rest.Secrets
	Webhooks *webhooks.Service
}

// handlers are the operations, one method each.
type handlers struct{ Config }
