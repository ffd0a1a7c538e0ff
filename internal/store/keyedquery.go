package store

import (
	"context"
	"strings"
)

// KeyedQuery is a query that runs for many keys; see SelectByKeys.
type KeyedQuery struct {
	Query   string
	Columns []Column // of the keys
	Keys    [][]any
}

// SelectByKeys reads rows for many keys. The query contains "KEYS k" once, in FROM, before the placeholders of args: k
// is a table of the keys with the given columns. It may use k only in joins and subqueries that both engines know. On
// PostgreSQL it runs once, with an array per column; on SQLite it runs once per key, in the order of the keys, and the
// rows of all are joined. Without keys there are no rows.
func SelectByKeys[R any](ctx context.Context, q Queryer, keyed KeyedQuery, args ...any) ([]R, error) {
	query, columns, keys := keyed.Query, keyed.Columns, keyed.Keys
	if len(keys) == 0 {
		return nil, nil
	}
	if q.Engine() == Postgres {
		var rows []R
		err := q.Select(
			ctx,
			&rows,
			strings.Replace(query, "KEYS k", unnestArrays(columns)+" AS k("+joinColumnNames(columns)+")", 1),
			append(columnArrays(keys, columns), args...)...)
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
