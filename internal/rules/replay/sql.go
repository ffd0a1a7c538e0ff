package replay

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

var table = store.NewRecords[Job]("rule_replays", "Replay")

// byID returns the condition for the replay of the scope with the id.
func byID(scope laurel.Scope, id laurel.ID) *store.Where {
	return store.OfTenant(scope).With("id = ?", id)
}

// fail marks the replay as failed.
func (j *Job) fail(message string, at time.Time) {
	j.Status, j.Message, j.UpdatedAt.Time = Failed, message, at
}

// leasedReplays says how the queue leases replays.
var leasedReplays = worker.QueueTable{
	Table: "rule_replays", Key: "id", Due: "due_at", Open: "status IN ('pending', 'processing')", Attempts: "attempts",
	OwnerColumn: "website_id", Columns: table.Columns(),
	Finished: worker.Finished{When: "status NOT IN ('pending', 'processing')", At: "updated_at", KeepFor: keepFor},
}

// saveReplay writes the progress and result of a replay.
func saveReplay(ctx context.Context, tx *store.Tx, r *Job) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE rule_replays SET status = ?, message = ?, progress = ?, result = ?, updated_at = ? WHERE id = ?",
		r.Status,
		r.Message,
		r.Progress,
		r.Result,
		r.UpdatedAt,
		r.ID,
	)
	return err
}

// findOpenReplay returns the open replay that an actor started with the same rule, period and draft. Errors: NotFound
// if there is none.
func findOpenReplay(
	ctx context.Context, tx *store.Tx, actor laurel.ID, in Input, draft string,
) (Job, error) {
	var w store.Where
	w.Add("loyalty_rule_id = ? AND status IN ('pending', 'processing')", in.RuleID)
	w.Add("from_at = ? AND to_at = ? AND draft = ?", store.Micros(in.From), store.Micros(in.To), draft)
	w.Add("created_by_id = ?", actor)
	return table.Get(ctx, tx, &w, " ORDER BY created_at LIMIT 1")
}

// countOpenReplays returns the number of pending and running replays of a website.
func countOpenReplays(ctx context.Context, tx *store.Tx, scope laurel.Scope) (n int, err error) {
	err = tx.Get(
		ctx,
		&n,
		"SELECT COUNT(*) FROM rule_replays WHERE website_id = ? AND status IN ('pending', 'processing')",
		scope.WebsiteID,
	)
	return n, err
}

// listReplays selects a page of a rule's replays, newest first.
func listReplays(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[Job], error) {
	w := (&store.Where{}).With("loyalty_rule_id = ?", rule)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	order := store.List{Where: w, Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true}
	return table.Page(ctx, q, order, page)
}
