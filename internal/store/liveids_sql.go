package store

import (
	"context"
	"slices"

	"laurel.example/laurel"
)

const maxIDsPerStatement = 512 // ids in one statement

// SelectLiveIDs returns those of the ids whose rows in the table belong to the scope and are not deleted, in no order.
func SelectLiveIDs(
	ctx context.Context,
	q Queryer,
	scope laurel.Scope,
	table string,
	ids []laurel.ID,
) ([]laurel.ID, error) {
	return SelectByIDs[laurel.ID](ctx, q, "id", ids, func(w *Where) string {
		w.Tenant("", scope)
		w.Add("deleted_at IS NULL")
		return "SELECT id FROM " + table + w.String()
	})
}

// SelectByIDs reads the rows that have one of the ids in a column, by statements with up to maxIDsPerStatement of the
// ids. query gets the condition on the ids of one statement, may add others, and returns the statement. The rows of
// each statement are in its order.
func SelectByIDs[R any](
	ctx context.Context, q Queryer, column string, ids []laurel.ID, query func(w *Where) string,
) ([]R, error) {
	var all []R
	for some := range slices.Chunk(ids, maxIDsPerStatement) {
		var w Where
		In(&w, column, some)
		statement := query(&w)
		var rows []R
		if err := q.Select(ctx, &rows, statement, w.Args...); err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}
