package external

import (
	"context"
	"strings"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const postColumns = `t.id, t.organization_id, t.website_id, t.loyalty_currency_id, t.loyalty_rule_id, t.kind, t.entries, t.record, t.holds, t.status, t.message, t.answer,
	t.loyalty_transaction_id, t.in_doubt, t.due_at, t.attempts, t.created_at, t.updated_at, t.finished_at`

const selectPost = "SELECT " + postColumns + " FROM outside_posts t"

const selectGuard = "SELECT t.hold, t.post_id, t.organization_id, t.website_id, t.ended_at FROM outside_holds t"

// savePosts inserts the rows that are new, and updates the others, which are locked.
func savePosts(ctx context.Context, tx *store.Tx, rows []*row) error {
	for _, r := range rows {
		if !r.isNew {
			_, err := tx.Exec(
				ctx,
				`UPDATE outside_posts SET status = ?, message = ?, answer = ?, loyalty_transaction_id = ?, updated_at = ?, finished_at = ? WHERE id = ?`,
				r.Status,
				r.Message,
				r.Result,
				r.TransactionID,
				r.UpdatedAt,
				r.FinishedAt,
				r.ID,
			)
			if err != nil {
				return err
			}
			continue
		}
		_, err := tx.Exec(
			ctx,
			`INSERT INTO outside_posts (id, organization_id, website_id, loyalty_currency_id, loyalty_rule_id, kind, entries, record, holds, status, message,
			answer, loyalty_transaction_id, in_doubt, due_at, attempts, created_at, updated_at, finished_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', NULL, FALSE, ?, 0, ?, ?, NULL)`,
			r.ID,
			r.OrganizationID,
			r.WebsiteID,
			r.CurrencyID,
			r.RuleID,
			r.Kind,
			r.Entries,
			r.Record,
			r.Guards,
			r.Status,
			r.DueAt,
			r.CreatedAt,
			r.UpdatedAt,
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// saveGuards inserts the guards that are new, and updates the others, which are locked. It returns store.ErrRerun if
// another transaction has inserted one of the new guards meanwhile.
func saveGuards(ctx context.Context, tx *store.Tx, rows []*guard) error {
	var added, existing [][]any
	for _, h := range rows {
		if h.isNew {
			added = append(added, []any{h.Name, h.PostID, h.OrganizationID, h.WebsiteID, h.EndedAt})
		} else {
			existing = append(existing, []any{h.Name, h.PostID, h.EndedAt})
		}
	}
	_, err := tx.UpdateRows(
		ctx,
		store.Update{
			Table: "outside_holds",
			Keys:  store.Columns("hold text"),
			Set:   store.Columns("post_id uuid, ended_at bigint"),
		},
		existing,
	)
	if err != nil {
		return err
	}
	n, err := tx.InsertRows(ctx, store.Insert{Table: "outside_holds", Conflict: store.IgnoreConflicts,
		Columns: store.Columns("hold text, post_id uuid, organization_id uuid, website_id uuid, ended_at bigint")}, added)
	if err == nil && int(n) < len(added) {
		return store.ErrRerun
	}
	return err
}

// readPost returns a post of any scope; the error is store.IsNoRows if there is none.
func readPost(ctx context.Context, q store.Queryer, id laurel.ID) (Post, error) {
	var r row
	if err := q.Get(ctx, &r, selectPost+" WHERE t.id = ?", id); err != nil {
		return Post{}, err
	}
	return r.post()
}

// postQueueTable describes the queue of posts. A post that waits for its next attempt has a message, and a caller who
// needs it may attempt it at once.
var postQueueTable = worker.QueueTable{
	Table: "outside_posts", Key: "id", Due: "due_at", Open: "finished_at IS NULL", WhileLeased: "message = ''",
	Attempts: "attempts", OwnerColumn: "loyalty_currency_id", Columns: strings.ReplaceAll(postColumns, "t.", ""),
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
	var none laurel.Page[row]
	var w store.Where
	w.Add("t.loyalty_currency_id = ?", f.CurrencyID)
	w.Tenant("t.", scope)
	if !page.StartingAfter.IsZero() {
		var after row
		err := q.Get(ctx, &after, selectPost+w.String()+" AND t.id = ?", append(w.Args, page.StartingAfter)...)
		if store.IsNoRows(err) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("t.created_at", "t.id", true, after.CreatedAt, after.ID)
	}
	store.In(&w, "t.status", f.Statuses)
	return store.SelectPage[row](
		ctx,
		q,
		page.Limit,
		selectPost+w.String()+" ORDER BY t.created_at DESC, t.id DESC",
		w.Args...)
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
