package storetest

import (
	"context"
	"strings"

	"laurel/internal/store"
)

// Plan answers how SQLite would carry out a query, a step to a line.
func Plan(ctx context.Context, q store.Queryer, query string, args ...any) (string, error) {
	var steps []struct {
		ID, Parent, NotUsed int
		Detail              string
	}
	err := q.Select(ctx, &steps, "EXPLAIN QUERY PLAN "+query, args...)
	lines := make([]string, len(steps))
	for i, s := range steps {
		lines[i] = s.Detail
	}
	return strings.Join(lines, "\n"), err
}
