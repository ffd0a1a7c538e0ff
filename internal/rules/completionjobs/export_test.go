package completionjobs

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// ReadPage reads the first page of the jobs that a filter selects by q.
func ReadPage(ctx context.Context, q store.Queryer, scope laurel.Scope, f Filter) error {
	_, err := table.Page(ctx, q, newest(scope, f), laurel.PageRequest{Limit: 25})
	return err
}
