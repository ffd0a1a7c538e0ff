package store

import (
	"context"
	"slices"

	"laurel"
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
	var all []laurel.ID
	for some := range slices.Chunk(ids, maxIDsPerStatement) {
		var w Where
		In(&w, "id", some)
		w.Tenant("", scope)
		w.Add("deleted_at IS NULL")
		var live []laurel.ID
		if err := q.Select(ctx, &live, "SELECT id FROM "+table+w.String(), w.Args...); err != nil {
			return nil, err
		}
		all = append(all, live...)
	}
	return all, nil
}
