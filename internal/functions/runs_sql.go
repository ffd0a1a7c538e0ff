package functions

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var runTable = store.NewRecords[Run]("function_runs", "Function run")

// endRun stores the result of a run, and its requested transactions as JSON (nil: none). It returns false and writes
// nothing if another node has ended the run as interrupted.
func endRun(ctx context.Context, tx *store.Tx, r Run, requested *string) (bool, error) {
	n, err := tx.Exec(
		ctx,
		`UPDATE function_runs SET status = ?, final = ?, output = ?, error = ?, logs = ?, duration_ms = ?,
		transactions = ? WHERE id = ? AND status = 'running'`,
		r.Status, r.Final, r.Output, r.Error, r.Logs, r.Milliseconds, requested, r.ID,
	)
	return n > 0, err
}

// findTickRun reads the run of a function for its present tick. Errors: NotFound if there is none.
func findTickRun(ctx context.Context, q store.Queryer, f Function) (Run, error) {
	w := (&store.Where{}).With("website_id = ? AND function_id = ? AND scheduled_at = ?", f.WebsiteID, f.ID, f.TickAt)
	return runTable.Get(ctx, q, w, "")
}

// failExpiredRuns marks up to 500 running runs as failed whose lease has expired, with the message as their error. If
// there are none, it starts no transaction.
func failExpiredRuns(ctx context.Context, db *store.DB, message string) error {
	var ids []laurel.ID
	err := db.Select(
		ctx,
		&ids,
		"SELECT id FROM function_runs WHERE status = 'running' AND lease_at < ? ORDER BY lease_at LIMIT 500",
		store.Micros(db.Now()),
	)
	if err != nil || len(ids) == 0 {
		return err
	}
	return db.InTx(ctx, func(tx *store.Tx) error {
		var w store.Where
		w.Add("status = 'running'")
		store.In(&w, "id", ids)
		_, err := tx.Exec(
			ctx,
			"UPDATE function_runs SET status = 'failed', error = ?"+w.String(),
			append([]any{message}, w.Args...)...)
		return err
	})
}

// removalsPerChunk bounds how many rows one transaction removes.
const removalsPerChunk = 500

// removeOldRuns removes runs that began before a moment, a chunk per transaction.
func removeOldRuns(ctx context.Context, db *store.DB, before time.Time) error {
	for {
		var removed int64
		var ids []laurel.ID
		err := db.Select(
			ctx,
			&ids,
			"SELECT id FROM function_runs WHERE created_at < ? ORDER BY created_at LIMIT ?",
			store.Micros(before), removalsPerChunk,
		)
		if err != nil || len(ids) == 0 {
			return err
		}
		err = db.InTx(ctx, func(tx *store.Tx) (err error) {
			var w store.Where
			store.In(&w, "id", ids)
			removed, err = tx.Exec(ctx, "DELETE FROM function_runs"+w.String(), w.Args...)
			return err
		})
		if err != nil || removed < removalsPerChunk {
			return err
		}
	}
}

// runFilter selects the runs of a function.
type runFilter struct {
	function laurel.ID
	statuses []string
}

// listRuns reads a page of the runs of a function, newest first. Errors: Invalid for an unknown cursor.
func listRuns(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	f runFilter,
	page laurel.PageRequest,
) (laurel.Page[Run], error) {
	w := (&store.Where{}).With("function_id = ?", f.function)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	cursors := *w
	store.In(w, "status", f.statuses)
	order := store.List{Where: w, Cursors: &cursors, Order: []string{"created_at", "id"}, Newest: true}
	return runTable.Page(ctx, q, order, page)
}

// selectOutputs reads the outputs of runs by the run's id. Runs without one, and those outside the scope, are left out.
func selectOutputs(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	runs []laurel.ID,
) (map[laurel.ID]json.RawMessage, error) {
	var w store.Where
	store.InArray(&w, q, "id", "uuid", runs)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	w.Add("output IS NOT NULL")
	var rows []struct {
		ID     laurel.ID `db:"id"`
		Output string    `db:"output"`
	}
	err := q.Select(ctx, &rows, "SELECT id, output FROM function_runs"+w.String(), w.Args...)
	out := make(map[laurel.ID]json.RawMessage, len(rows))
	for _, r := range rows {
		out[r.ID] = json.RawMessage(r.Output)
	}
	return out, err
}
