package catalog

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
)

// RequiredAt returns the rules of a website that a member must have completed before any other rule at a moment
// (contract 5.8).
func (s *Service) RequiredAt(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	at time.Time,
) ([]laurel.ID, error) {
	return requiredRules(ctx, q, scope.WebsiteID, store.Micros(at))
}

// IsRequired reports whether the rule, or its group, must be completed before other rules. Such rules have no required
// rules themselves.
func (s *Service) IsRequired(ctx context.Context, _ laurel.Scope, rule Rule) (bool, error) {
	return isRequired(ctx, s.db, rule)
}
