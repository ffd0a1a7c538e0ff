package catalog

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
)

// RequiredAt returns the rules of a website that must have been completed once before any other at a moment (contract
// 5.8).
func (s *Service) RequiredAt(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	at time.Time,
) ([]laurel.ID, error) {
	return requiredRules(ctx, q, scope.WebsiteID, store.Micros(at))
}

// IsRequired reports whether a rule, or its group, must be completed before others: such rules ask for nothing
// themselves.
func (s *Service) IsRequired(ctx context.Context, _ laurel.Scope, rule Rule) (bool, error) {
	return isRequired(ctx, s.db, rule)
}
