package external

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

var (
	postTable  = store.NewRecords[row]("outside_posts", "Post")
	guardTable = store.NewRecords[guard]("outside_holds", "Guard")
)

// readPost returns a post of any scope; the error is store.IsNoRows if there is none.
func readPost(ctx context.Context, q store.Queryer, id laurel.ID) (Post, error) {
	var r row
	err := q.Get(ctx, &r, postTable.Query()+" WHERE id = ?", id)
	return r.post(), err
}

// postQueueTable describes the queue of posts. A post that waits for its next attempt has a message, and a caller who
// needs it may attempt it at once.
var postQueueTable = worker.QueueTable{
	Table: "outside_posts", Key: "id", Due: "due_at", Open: "finished_at IS NULL", WhileLeased: "message = ''",
	Attempts: "attempts", OwnerColumn: "loyalty_currency_id", Columns: postTable.Columns(),
	Finished: worker.Finished{At: "finished_at", KeepFor: 30 * 24 * time.Hour},
}

// markInDoubt stores, when a post is leased, that a call may arrive from now on: if the node dies, nobody knows whether
// a call did. It does not change item.Row.InDoubt, which still says whether an earlier call may have arrived.
func markInDoubt(ctx context.Context, tx *store.Tx, item *worker.Item[row]) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE outside_posts SET message = '', in_doubt = TRUE, updated_at = ? WHERE id = ?",
		store.Micros(tx.Now()),
		item.Key,
	)
	return err
}

// saveAttempt stores why the last attempt has no known outcome, and whether a call may have arrived.
func saveAttempt(ctx context.Context, tx *store.Tx, r *row) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE outside_posts SET message = ?, in_doubt = ?, updated_at = ? WHERE id = ?",
		r.Message,
		r.InDoubt,
		store.Micros(tx.Now()),
		r.ID,
	)
	return err
}

// hasOpenPost reports whether an open post of the scope meets the SQL condition. id is the condition's one argument.
func hasOpenPost(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	condition string,
	id laurel.ID,
) (bool, error) {
	var w store.Where
	w.Add("finished_at IS NULL")
	w.Add(condition, id)
	w.Tenant("", scope)
	var found []laurel.ID
	err := q.Select(ctx, &found, "SELECT id FROM outside_posts"+w.String()+" LIMIT 1", w.Args...)
	return len(found) > 0, err
}

// listPosts returns a page of the posts of a currency that match the filter, newest first. It returns laurel.ErrCursor
// if page.StartingAfter is no post of the currency.
func listPosts(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[row], error) {
	w := store.OfTenant(scope).With("loyalty_currency_id = ?", f.CurrencyID)
	cursors := *w
	store.In(w, "status", f.Statuses)
	order := store.List{Where: w, Cursors: &cursors, Order: []string{"created_at", "id"}, Newest: true}
	return postTable.Page(ctx, q, order, page)
}

// maxRemovedAtOnce bounds how many rows one transaction removes.
const maxRemovedAtOnce = 1000

// deleteOldGuards deletes guards that ended before a moment, at most maxRemovedAtOnce, and returns their number. It
// skips rows that a new post has locked.
func deleteOldGuards(ctx context.Context, tx *store.Tx, before time.Time) (int64, error) {
	return tx.Exec(
		ctx,
		"DELETE FROM outside_holds WHERE hold IN (SELECT hold FROM outside_holds WHERE ended_at < ? ORDER BY ended_at LIMIT ?"+tx.ForUpdateSkip()+")",
		store.Micros(before),
		maxRemovedAtOnce,
	)
}

// HasOpenPostInCurrency reports whether a currency has posts whose outcome is not known yet, as a transaction sees it.
func HasOpenPostInCurrency(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (bool, error) {
	return hasOpenPost(ctx, tx, scope, "loyalty_currency_id = ?", id)
}

// HasOpenPostOfRule reports whether posts that pay completions of a rule have an outcome that is not known yet.
func HasOpenPostOfRule(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (bool, error) {
	return hasOpenPost(ctx, tx, scope, "loyalty_rule_id = ?", id)
}
