// Package rules holds the operations on rules: rules, their groups, edits and chains, completions and their statuses.
// It shapes requests and responses and decides nothing.
package rules

import (
	"laurel/internal/api/caller"
	"laurel/internal/api/rest"
	"laurel/internal/engagement/badges"
	"laurel/internal/identity"
	"laurel/internal/report"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/chains"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/replay"
	"laurel/internal/rules/reset"
	"laurel/internal/rules/schedule"
	"laurel/internal/tenancy"
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
