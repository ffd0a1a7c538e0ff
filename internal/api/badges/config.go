// Package badges holds the operations on badges and on those of members. It shapes requests and responses and decides
// nothing.
package badges

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
)

// Progress computes the present progress of users toward badges, by badge and user.
type Progress func(
	ctx context.Context,
	scope laurel.Scope,
	list []badges.Badge,
	users []laurel.ID,
) (map[laurel.ID]map[laurel.ID][]conditions.State, error)

// Config holds what the operations need.
type Config struct {
	Caller *caller.Resolver

	Identity *identity.Service
	Badges   *badges.Service
	Report   *report.Service
	Progress Progress // nil: the stored progress is shown
}

// handlers are the operations, one method each.
type handlers struct{ Config }
