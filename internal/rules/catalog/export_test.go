package catalog

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// RequiredRules is what a completion asks about required rules.
func RequiredRules(ctx context.Context, q store.Queryer, website laurel.ID) error {
	_, err := requiredRules(ctx, q, website, 0)
	return err
}
