// Package functions holds the operations on functions of websites and their runs. It shapes requests and responses and
// decides nothing.
package functions

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/functions"
)

// Config holds what the operations need.
type Config struct {
	Caller    *caller.Resolver
	Functions *functions.Service
}

// handlers are the operations, one method each.
type handlers struct{ Config }
