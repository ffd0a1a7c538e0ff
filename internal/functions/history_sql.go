package functions

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// listVersions reads the latest versions of a function, up to limit, newest first.
func listVersions(ctx context.Context, q store.Queryer, f Function, limit int) ([]Version, error) {
	var rows []struct {
		Version   int64 `db:"version"`
		CreatedAt int64 `db:"created_at"`
	}
	err := q.Select(
		ctx,
		&rows,
		`SELECT version, created_at FROM function_versions WHERE website_id = ? AND function_id = ?
		ORDER BY version DESC LIMIT ?`,
		f.WebsiteID, f.ID, limit,
	)
	out := make([]Version, len(rows))
	for i, r := range rows {
		out[i] = Version{r.Version, store.Time(r.CreatedAt)}
	}
	return out, err
}

// findRun reads a run of a function. A run for a rule has the transactions that it requested; those of other runs are
// in a table of their own. Errors: NotFound "Function run".
func findRun(ctx context.Context, q store.Queryer, f Function, id laurel.ID) (Run, error) {
	w := (&store.Where{}).With("id = ? AND website_id = ? AND function_id = ?", id, f.WebsiteID, f.ID)
	r, err := runTable.Get(ctx, q, w, "")
	if err != nil || r.Trigger != triggerRule {
		return r, err
	}
	var requested string
	err = q.Get(ctx, &requested, "SELECT COALESCE(transactions, '[]') FROM function_runs"+w.String(), w.Args...)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal([]byte(requested), &r.Transactions)
}

// selectActivity reads the last run of each function, and counts its runs since a moment. Functions without runs are
// left out.
func selectActivity(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
	since time.Time,
) (map[laurel.ID]Activity, error) {
	out := make(map[laurel.ID]Activity, len(ids))
	var last store.Where
	store.In(&last, "f.id", ids)
	last.Tenant("f.", scope)
	var rows []struct {
		FunctionID laurel.ID `db:"function_id"`
		Status     string    `db:"status"`
		CreatedAt  int64     `db:"created_at"`
	}
	err := q.Select(
		ctx,
		&rows,
		`SELECT r.function_id, r.status, r.created_at FROM functions f JOIN function_runs r ON r.id = (
			SELECT n.id FROM function_runs n WHERE n.function_id = f.id ORDER BY n.created_at DESC, n.id DESC LIMIT 1
		)`+last.String(),
		last.Args...)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		out[r.FunctionID] = Activity{Status: r.Status, At: store.Time(r.CreatedAt)}
	}
	var counted store.Where
	store.In(&counted, "function_id", ids)
	counted.Add("created_at >= ?", store.Micros(since))
	counted.Tenant(q.Engine().NoIndexPrefix(), scope)
	var counts []struct {
		FunctionID laurel.ID `db:"function_id"`
		Runs       int64     `db:"runs"`
	}
	err = q.Select(
		ctx,
		&counts,
		"SELECT function_id, COUNT(*) AS runs FROM function_runs"+counted.String()+" GROUP BY function_id",
		counted.Args...)
	for _, r := range counts {
		one := out[r.FunctionID]
		one.Runs = r.Runs
		out[r.FunctionID] = one
	}
	return out, err
}
