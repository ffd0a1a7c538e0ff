// Package people holds the operations on members: metadata, member tokens, referrals, multipliers, questions and
// streaks. It shapes requests and responses and decides nothing.
package people

import (
	"laurel/internal/api/caller"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/report"
	"laurel/internal/rules/referrals"
)

// Config holds what the operations need.
type Config struct {
	Caller *caller.Resolver

	Identity   *identity.Service
	Engagement *engagement.Service
	Referrals  *referrals.Service
	Report     *report.Service
}

// handlers are the operations, one method each.
type handlers struct{ Config }
