package lists

import (
	"cmp"
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var (
	allotmentRows = rowTable{"allotments", "wallet_address"}
	rewardRows    = rowTable{"token_rewards", "token_id"}
)

// rowTable is a table with the rows of imports, one row per key.
type rowTable struct{ table, key string }

var insertAllotments = store.Insert{
	Table:    "allotments",
	Columns:  store.Columns("import_id uuid, wallet_address text, amount bigint, line bigint"),
	Conflict: store.IgnoreConflicts,
}

var insertRewards = store.Insert{
	Table:    "token_rewards",
	Columns:  store.Columns("import_id uuid, token_id text, amount bigint, line bigint"),
	Conflict: store.IgnoreConflicts,
}

// storeAllotments inserts rows of a list of wallets.
func storeAllotments(ctx context.Context, tx *store.Tx, imp *importRow, rows []row) (int, []row, error) {
	return allotmentRows.insert(ctx, tx, insertAllotments, imp, rows)
}

// storeRewards inserts rows of a list of rewards.
func storeRewards(ctx context.Context, tx *store.Tx, imp *importRow, rows []row) (int, []row, error) {
	return rewardRows.insert(ctx, tx, insertRewards, imp, rows)
}

// insert inserts rows, sorted by key, so that neighbours in the index are written together. It returns how many rows
// count as new, and the rows whose key another line of the list has. Rows that an interrupted attempt of the same
// import has stored already count as new, too.
func (k rowTable) insert(
	ctx context.Context,
	tx *store.Tx,
	in store.Insert,
	imp *importRow,
	rows []row,
) (int, []row, error) {
	imp.HoldsRows = true
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b row) int { return cmp.Compare(a.key, b.key) })
	values := make([][]any, len(sorted))
	for i, r := range sorted {
		var amount any
		if r.amount != nil {
			amount = *r.amount
		}
		values[i] = []any{imp.ID, r.key, amount, r.line}
	}
	n, err := tx.InsertRows(ctx, in, values)
	if err != nil || int(n) == len(rows) {
		return int(n), nil, err
	}
	duplicates, err := k.findDuplicates(ctx, tx, imp.ID, rows)
	return len(rows) - len(duplicates), duplicates, err
}

// findDuplicates returns the rows whose key the import has stored with another line number.
func (k rowTable) findDuplicates(ctx context.Context, q store.Queryer, imp laurel.ID, rows []row) ([]row, error) {
	var out []row
	for chunk := range slices.Chunk(rows, 500) {
		keys := make([]string, len(chunk))
		for i, r := range chunk {
			keys[i] = r.key
		}
		var w store.Where
		w.Add("import_id = ?", imp)
		store.In(&w, k.key, keys)
		var found []struct {
			Key  string `db:"k"`
			Line int64  `db:"line"`
		}
		if err := q.Select(ctx, &found, "SELECT "+k.key+" AS k, line FROM "+k.table+w.String(), w.Args...); err != nil {
			return nil, err
		}
		lines := make(map[string]int64, len(found))
		for _, f := range found {
			lines[f.Key] = f.Line
		}
		for _, r := range chunk {
			if lines[r.key] != r.line {
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// sortByLine sorts errors by line number.
func sortByLine(errs []RowError) {
	slices.SortStableFunc(errs, func(a, b RowError) int { return cmp.Compare(a.Line, b.Line) })
}

// deleteRowChunk deletes at most deleteChunk rows of an import and returns how many it has deleted.
func deleteRowChunk(ctx context.Context, tx *store.Tx, kind Kind, imp laurel.ID) (int64, error) {
	k := allotmentRows
	if kind == KindRewards {
		k = rewardRows
	}
	return tx.Exec(
		ctx,
		"DELETE FROM "+k.table+" WHERE import_id = ? AND "+k.key+" IN (SELECT "+k.key+" FROM "+k.table+" WHERE import_id = ? ORDER BY "+k.key+
			" LIMIT ?)",
		imp,
		imp,
		deleteChunk,
	)
}

const deleteChunk = 5000

// selectObsoleteImports reads up to 100 imports that have ended, still hold rows, and are not the current import of
// their list.
func selectObsoleteImports(ctx context.Context, q store.Queryer) ([]importRow, error) {
	var rows []importRow
	err := q.Select(
		ctx,
		&rows,
		importTable.As("t").Query()+` WHERE t.finished_at IS NOT NULL AND t.holds_rows AND NOT EXISTS (SELECT 1 FROM list_sources s
		WHERE s.owner_id = t.owner_id AND s.kind = t.kind AND s.current_import_id = t.id) ORDER BY t.finished_at LIMIT 100`,
	)
	return rows, err
}

// markRowsDeleted stores on an import that all its rows are deleted.
func markRowsDeleted(ctx context.Context, tx *store.Tx, imp laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE list_imports SET holds_rows = FALSE WHERE id = ?", imp)
	return err
}
