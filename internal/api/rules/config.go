// Package rules holds the operations on rules: rules, their groups, edits and chains, completions and their statuses.
// It shapes requests and responses and decides nothing.
package rules

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/chains"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/replay"
	"laurel.example/laurel/internal/rules/reset"
	"laurel.example/laurel/internal/rules/schedule"
	"laurel.example/laurel/internal/tenancy"
)

// Config holds what the operations need.
type Config struct {
	Caller  *caller.Resolver
	Secrets *rest.Secrets

	Tenancy     *tenancy.Service // counts completions over all nodes
	Identity    *identity.Service
	Rules       *catalog.Service
	Chains      *chains.Service
	Badges      *badges.Service
	Completions *completion.Service
	Lists       *lists.Service
	Replays     *replay.Service
	Reset       *reset.Service
	Schedule    *schedule.Service
	Report      *report.Service

	// CompletionLimitsOff disables the limits of completions through client keys, which hold across nodes.
	CompletionLimitsOff bool
}

// handlers are the operations, one method each.
type handlers struct{ Config }
