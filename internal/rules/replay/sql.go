package replay

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const columns = `id, organization_id, website_id, loyalty_rule_id, draft, from_at, to_at, status, message, progress, result,
	created_by_id, created_at, updated_at`

// replayRow is a replay as it is stored.
type replayRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	Draft          string    `db:"draft"`
	From           int64     `db:"from_at"`
	To             int64     `db:"to_at"`
	Status         string    `db:"status"`
	Message        string    `db:"message"`
	Progress       int64     `db:"progress"`
	Result         *string   `db:"result"`
	CreatedByID    laurel.ID `db:"created_by_id"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
}

// job returns the row as callers see it, with its decoded result.
func (r replayRow) job() (Job, error) {
	j := Job{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, RuleID: r.RuleID, From: store.Time(r.From),
		To: store.Time(r.To), Status: r.Status, Message: r.Message, Progress: r.Progress,
		CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt),
	}
	if r.Result == nil {
		return j, nil
	}
	j.Result = &Result{}
	return j, json.Unmarshal([]byte(*r.Result), j.Result)
}

// fail marks the replay as failed.
func (r *replayRow) fail(message string, at time.Time) {
	r.Status, r.Message, r.UpdatedAt = Failed, message, store.Micros(at)
}

// leasedReplays says how the queue leases replays.
var leasedReplays = worker.QueueTable{
	Table: "rule_replays", Key: "id", Due: "due_at", Open: "status IN ('pending', 'processing')", Attempts: "attempts",
	OwnerColumn: "website_id", Columns: columns,
	Finished: worker.Finished{When: "status NOT IN ('pending', 'processing')", At: "updated_at", KeepFor: keepFor},
}

// insertReplay inserts a pending replay, which is due at once.
func insertReplay(ctx context.Context, tx *store.Tx, r replayRow) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO rule_replays ("+columns+", attempts, due_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', 0, NULL, ?, ?, ?, 0, ?)",
		r.ID,
		r.OrganizationID,
		r.WebsiteID,
		r.RuleID,
		r.Draft,
		r.From,
		r.To,
		r.Status,
		r.CreatedByID,
		r.CreatedAt,
		r.UpdatedAt,
		r.CreatedAt,
	)
	return err
}

// saveReplay writes the progress and result of a replay.
func saveReplay(ctx context.Context, tx *store.Tx, r *replayRow) error {
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

// findOpenReplay returns the open replay that an actor started with the same rule, period and draft; sql.ErrNoRows if
// there is none.
func findOpenReplay(
	ctx context.Context, tx *store.Tx, actor laurel.ID, in Input, draft string,
) (r replayRow, err error) {
	var w store.Where
	w.Add("loyalty_rule_id = ? AND status IN ('pending', 'processing')", in.RuleID)
	w.Add("from_at = ? AND to_at = ? AND draft = ?", store.Micros(in.From), store.Micros(in.To), draft)
	w.Add("created_by_id = ?", actor)
	err = tx.Get(ctx, &r, "SELECT "+columns+" FROM rule_replays"+w.String()+" ORDER BY created_at LIMIT 1", w.Args...)
	return r, err
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

// findReplay returns a replay of the scope; sql.ErrNoRows if there is none.
func findReplay(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (r replayRow, err error) {
	var w store.Where
	w.Add("id = ?", id)
	w.Tenant("", scope)
	err = q.Get(ctx, &r, "SELECT "+columns+" FROM rule_replays"+w.String(), w.Args...)
	return r, err
}

// listReplays selects a page of a rule's replays, newest first.
func listReplays(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[replayRow], error) {
	var w store.Where
	w.Add("loyalty_rule_id = ?", rule)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	if !page.StartingAfter.IsZero() {
		cursor, err := findReplay(ctx, q, scope, page.StartingAfter)
		if store.IsNoRows(err) {
			return laurel.Page[replayRow]{}, laurel.ErrCursor()
		}
		if err != nil {
			return laurel.Page[replayRow]{}, err
		}
		w.After("created_at", "id", true, cursor.CreatedAt, cursor.ID)
	}
	return store.SelectPage[replayRow](
		ctx,
		q,
		page.Limit,
		"SELECT "+columns+" FROM rule_replays"+w.String()+" ORDER BY created_at DESC, id DESC",
		w.Args...)
}
