package functions

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/store"
)

const runColumns = `id, organization_id, website_id, function_id, version, trigger_kind, status, final, output, error, logs,
	duration_ms, rule_id, subscription_id, event_id, attempt, scheduled_at, lease_at, created_at`

type runRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	FunctionID     laurel.ID `db:"function_id"`
	Version        int64     `db:"version"`
	Trigger        string    `db:"trigger_kind"`
	Status         string    `db:"status"`
	Final          bool      `db:"final"`
	Output         *string   `db:"output"`
	Error          *string   `db:"error"`
	Logs           string    `db:"logs"`
	Duration       int64     `db:"duration_ms"`
	RuleID         laurel.ID `db:"rule_id"`
	SubscriptionID laurel.ID `db:"subscription_id"`
	EventID        laurel.ID `db:"event_id"`
	Attempt        int64     `db:"attempt"`
	ScheduledAt    *int64    `db:"scheduled_at"`
	LeaseAt        int64     `db:"lease_at"`
	CreatedAt      int64     `db:"created_at"`
}

// run returns the Run of the row, without its transactions, which runColumns leaves out.
func (r runRow) run() Run {
	out := Run{
		ID: r.ID, FunctionID: r.FunctionID, Version: r.Version, Trigger: r.Trigger, Status: r.Status, Final: r.Final,
		Logs: []string{}, Duration: time.Duration(r.Duration) * time.Millisecond, RuleID: r.RuleID,
		SubscriptionID: r.SubscriptionID, EventID: r.EventID, CreatedAt: store.Time(r.CreatedAt),
	}
	if r.Output != nil {
		out.Output = json.RawMessage(*r.Output)
	}
	if r.Error != nil {
		out.Error = *r.Error
	}
	if r.ScheduledAt != nil {
		out.ScheduledAt = store.Time(*r.ScheduledAt)
	}
	_ = json.Unmarshal([]byte(r.Logs), &out.Logs) // endRun wrote them
	return out
}

// insertRun inserts a run.
func insertRun(ctx context.Context, tx *store.Tx, r runRow) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO function_runs ("+runColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		r.ID, r.OrganizationID, r.WebsiteID, r.FunctionID, r.Version, r.Trigger, r.Status, r.Final, r.Output, r.Error,
		r.Logs, r.Duration, r.RuleID, r.SubscriptionID, r.EventID, r.Attempt, r.ScheduledAt, r.LeaseAt, r.CreatedAt,
	)
	return err
}

// endRun stores the result of a run, and its requested transactions as JSON (nil: none). It returns false and writes
// nothing if another node has ended the run as interrupted.
func endRun(ctx context.Context, tx *store.Tx, r runRow, requested *string) (bool, error) {
	n, err := tx.Exec(
		ctx,
		`UPDATE function_runs SET status = ?, final = ?, output = ?, error = ?, logs = ?, duration_ms = ?,
		transactions = ? WHERE id = ? AND status = 'running'`,
		r.Status, r.Final, r.Output, r.Error, r.Logs, r.Duration, requested, r.ID,
	)
	return n > 0, err
}

// findTickRun reads the run of a function for its present tick. Errors: sql.ErrNoRows if there is none.
func findTickRun(ctx context.Context, q store.Queryer, f functionRow) (r runRow, err error) {
	err = q.Get(
		ctx,
		&r,
		"SELECT "+runColumns+" FROM function_runs WHERE website_id = ? AND function_id = ? AND scheduled_at = ?",
		f.WebsiteID, f.ID, f.TickAt,
	)
	return r, err
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
) (laurel.Page[runRow], error) {
	var w store.Where
	w.Add("function_id = ?", f.function)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	if !page.StartingAfter.IsZero() {
		var at int64
		err := q.Get(
			ctx,
			&at,
			"SELECT created_at FROM function_runs WHERE id = ? AND website_id = ? AND function_id = ?",
			page.StartingAfter, scope.WebsiteID, f.function,
		)
		if store.IsNoRows(err) {
			return laurel.Page[runRow]{}, laurel.ErrCursor()
		}
		if err != nil {
			return laurel.Page[runRow]{}, err
		}
		w.After("created_at", "id", true, at, page.StartingAfter)
	}
	store.In(&w, "status", f.statuses)
	return store.SelectPage[runRow](
		ctx,
		q,
		page.Limit,
		"SELECT "+runColumns+" FROM function_runs"+w.String()+" ORDER BY created_at DESC, id DESC",
		w.Args...)
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
