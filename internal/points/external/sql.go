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

const selectHold = "SELECT t.hold, t.post_id, t.organization_id, t.website_id, t.ended_at FROM outside_holds t"

func savePosts(ctx context.Context, tx *store.Tx, rows []*row) error {
	for _, r := range rows {
		if !r.fresh {
			_, err := tx.Exec(
				ctx,
				`UPDATE outside_posts SET status = ?, message = ?, answer = ?, loyalty_transaction_id = ?, updated_at = ?, finished_at = ? WHERE id = ?`,
				r.Status,
				r.Message,
				r.Answer,
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
			r.Holds,
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

func saveHolds(ctx context.Context, tx *store.Tx, rows []*hold) error {
	var fresh, known [][]any
	for _, h := range rows {
		if h.fresh {
			fresh = append(fresh, []any{h.Hold, h.PostID, h.OrganizationID, h.WebsiteID, h.EndedAt})
		} else {
			known = append(known, []any{h.Hold, h.PostID, h.EndedAt})
		}
	}
	_, err := tx.UpdateRows(
		ctx,
		store.Update{
			Table: "outside_holds",
			Keys:  store.Columns("hold text"),
			Set:   store.Columns("post_id uuid, ended_at bigint"),
		},
		known,
	)
	if err != nil {
		return err
	}
	n, err := tx.InsertRows(ctx, store.Insert{Table: "outside_holds", Conflict: store.IgnoreConflicts,
		Columns: store.Columns("hold text, post_id uuid, organization_id uuid, website_id uuid, ended_at bigint")}, fresh)
	if err == nil && int(n) < len(fresh) {
		return store.ErrRerun
	}
	return err
}

func readPost(ctx context.Context, q store.Queryer, id laurel.ID) (Post, error) {
	var r row
	if err := q.Get(ctx, &r, selectPost+" WHERE t.id = ?", id); err != nil {
		return Post{}, err
	}
	return r.post()
}

// leased is how posts are taken. A post that waits for its next attempt has a message; a caller who asks for the same
// need not wait with it.
var leased = worker.Leased{
	Table: "outside_posts", Key: "id", Due: "due_at", Open: "finished_at IS NULL", Busy: "message = ''",
	Attempts: "attempts", Of: "loyalty_currency_id", Columns: strings.ReplaceAll(postColumns, "t.", ""),
	Over: worker.Over{At: "finished_at", Kept: 30 * 24 * time.Hour},
}

// noteTaken has the row say from now on that a call may arrive: whoever dies over it leaves it so. Item.Row keeps the
// doubt of earlier calls.
func noteTaken(ctx context.Context, tx *store.Tx, h *worker.Item[row]) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE outside_posts SET message = '', in_doubt = TRUE, updated_at = ? WHERE id = ?",
		store.Micros(tx.Now()),
		h.Key,
	)
	return err
}

// save notes an attempt that came to nothing that is known.
func save(ctx context.Context, tx *store.Tx, r *row) error {
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

// anyOpen reports whether a post is open that the condition holds of.
func anyOpen(ctx context.Context, q store.Queryer, scope laurel.Scope, condition string, id laurel.ID) (bool, error) {
	var w store.Where
	w.Add("finished_at IS NULL")
	w.Add(condition, id)
	w.Tenant("", scope)
	var found []laurel.ID
	err := q.Select(ctx, &found, "SELECT id FROM outside_posts"+w.String()+" LIMIT 1", w.Args...)
	return len(found) > 0, err
}

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
		if store.NoRows(err) {
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

// requestKeyChunk bounds what one transaction removes.
const forgetChunk = 1000

// deleteOldHolds passes those that somebody takes anew at the moment.
func deleteOldHolds(ctx context.Context, tx *store.Tx, before time.Time) (int64, error) {
	return tx.Exec(
		ctx,
		"DELETE FROM outside_holds WHERE hold IN (SELECT hold FROM outside_holds WHERE ended_at < ? ORDER BY ended_at LIMIT ?"+tx.ForUpdateSkip()+")",
		store.Micros(before),
		forgetChunk,
	)
}

// OpenOfCurrency reports whether the outside has not told of all that it was asked for in a currency, as a transaction
// sees it.
func OpenOfCurrency(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (bool, error) {
	return anyOpen(ctx, tx, scope, "loyalty_currency_id = ?", id)
}

// OpenOfRule reports the same of what completions of a rule pay.
func OpenOfRule(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (bool, error) {
	return anyOpen(ctx, tx, scope, "loyalty_rule_id = ?", id)
}
