package storetest

import (
	"context"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Plan returns how SQLite would execute a query, one step per line.
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

// SomeIDs returns three lists of new ids, as long as the lists for which SQLite looks rows up in different ways: one
// id, a few and many.
func SomeIDs(db *store.DB) [][]laurel.ID {
	lists := [][]laurel.ID{make([]laurel.ID, 1), make([]laurel.ID, 2), make([]laurel.ID, 200)}
	for _, ids := range lists {
		for i := range ids {
			ids[i] = db.NewID()
		}
	}
	return lists
}
