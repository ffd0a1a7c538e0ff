package store

import (
	"context"
	"strings"
)

// KeyedQuery is a query that runs for many keys.
type KeyedQuery struct {
	Query   string
	Columns []Column // of the keys
	Keys    [][]any
}

// SelectByKeys reads rows for many keys. The query contains "KEYS k" once, before all its other arguments, as a table
// of the keys with the given columns, and uses k only in joins and subqueries that both engines know. It runs as one
// statement with arrays on PostgreSQL, and as one prepared statement per key on SQLite, in the order of the keys.
func SelectByKeys[R any](ctx context.Context, q Queryer, e KeyedQuery, args ...any) ([]R, error) {
	query, columns, keys := e.Query, e.Columns, e.Keys
	if len(keys) == 0 {
		return nil, nil
	}
	if q.Engine() == Postgres {
		var rows []R
		err := q.Select(
			ctx,
			&rows,
			strings.Replace(query, "KEYS k", unnest(columns)+" AS k("+columnNames(columns)+")", 1),
			append(arrays(keys, columns), args...)...)
		return rows, err
	}
	selectKey := make([]string, len(columns))
	for i, c := range columns {
		selectKey[i] = "? AS " + c.Name
	}
	query = strings.Replace(query, "KEYS k", "(SELECT "+strings.Join(selectKey, ", ")+") k", 1)
	var rows []R
	for _, key := range keys {
		var found []R // Select overwrites its slice
		if err := q.Select(ctx, &found, query, append(append([]any{}, key...), args...)...); err != nil {
			return nil, err
		}
		rows = append(rows, found...)
	}
	return rows, nil
}
