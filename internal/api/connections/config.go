// Package connections holds the operations by which members connect what they own elsewhere: accounts of platforms,
// phone numbers and e-mail addresses. It shapes requests and responses and decides nothing.
package connections

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/identity/connect"
)

// Config holds what the operations need.
type Config struct {
	Caller *caller.Resolver

	Flows  *connect.Flows
	Phones *connect.Phones
	Emails *connect.Emails
}

// handlers are the operations, one method each.
type handlers struct{ Config }
