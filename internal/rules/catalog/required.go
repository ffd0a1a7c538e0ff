package catalog

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// RequiredAt returns the required rules of a website that have started, and not ended, at a moment. Members must have
// completed these before any other rule (contract 5.8).
func (s *Service) RequiredAt(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	at time.Time,
) ([]laurel.ID, error) {
	return requiredRules(ctx, q, scope.WebsiteID, store.Micros(at))
}

// IsRequired reports whether members must complete the rule before other rules: either the rule itself is required, or
// its group. Members may always complete such a rule, whatever other rules are required.
func (s *Service) IsRequired(ctx context.Context, _ laurel.Scope, rule Rule) (bool, error) {
	return isRequired(ctx, s.db, rule)
}
