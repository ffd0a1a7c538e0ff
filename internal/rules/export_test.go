package rules

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// UnmetRequired is what a completion asks about required rules.
func UnmetRequired(ctx context.Context, q store.Queryer, website, subject laurel.ID) (bool, error) {
	return unmetRequired(ctx, q, Rule{WebsiteID: website}, subject, 0)
}
