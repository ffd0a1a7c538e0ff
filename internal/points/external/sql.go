package external

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
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
	n, err := tx.InsertRows(ctx, store.Insert{Table: "outside_holds", Conflict: store.LeaveOut,
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

// take leases a post that is open and due, and returns it with the doubt of earlier calls, or false. The row says from
// now on that a call may arrive: whoever dies over it leaves it so. A post that waits for its next attempt has a
// message; a caller who asks for the same need not wait with it.
func take(ctx context.Context, tx *store.Tx, id laurel.ID, atOnce bool) (Post, bool, error) {
	now := tx.Now()
	var r row
	err := tx.Get(
		ctx,
		&r,
		selectPost+" WHERE t.id = ? AND t.finished_at IS NULL AND (t.due_at <= ? OR "+tx.Typed(
			"BOOLEAN",
		)+" AND t.message <> '')"+tx.ForUpdate(),
		id,
		store.Micros(now),
		atOnce,
	)
	if store.NoRows(err) {
		return Post{}, false, nil
	}
	if err != nil {
		return Post{}, false, err
	}
	r.DueAt, r.Attempts, r.Message, r.UpdatedAt = store.Micros(now.Add(lease)), r.Attempts+1, "", store.Micros(now)
	if _, err := tx.Exec(
		ctx,
		"UPDATE outside_posts SET due_at = ?, attempts = ?, message = '', in_doubt = TRUE, updated_at = ? WHERE id = ?",
		r.DueAt,
		r.Attempts,
		r.UpdatedAt,
		id,
	); err != nil {
		return Post{}, false, err
	}
	p, err := r.post()
	return p, err == nil, err
}

// due returns posts of a currency that nobody carries on, at most a share of them.
func due(ctx context.Context, q store.Queryer, currency laurel.ID, now time.Time) ([]laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		"SELECT id FROM outside_posts WHERE finished_at IS NULL AND loyalty_currency_id = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?",
		currency,
		store.Micros(now),
		share,
	)
	return ids, err
}

// dueAfter returns the next currency with posts that nobody carries on, or the zero id. Each step reads one entry of
// the index, however many posts of a currency wait.
func dueAfter(ctx context.Context, q store.Queryer, after laurel.ID, now time.Time) (id laurel.ID, err error) {
	var w store.Where
	w.Add("finished_at IS NULL AND due_at <= ?", store.Micros(now))
	if !after.IsZero() {
		w.Add("loyalty_currency_id > ?", after)
	}
	err = q.Get(
		ctx,
		&id,
		"SELECT loyalty_currency_id FROM outside_posts"+w.String()+" ORDER BY loyalty_currency_id, due_at LIMIT 1",
		w.Args...)
	if store.NoRows(err) {
		err = nil
	}
	return id, err
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

// putOff notes an attempt that came to nothing that is known.
func putOff(ctx context.Context, tx *store.Tx, p Post, until time.Time) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE outside_posts SET message = ?, in_doubt = ?, due_at = ?, updated_at = ? WHERE id = ? AND finished_at IS NULL AND attempts = ?",
		p.Message,
		p.InDoubt,
		store.Micros(until),
		store.Micros(tx.Now()),
		p.ID,
		p.Attempts,
	)
	return err
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

// forgetChunk bounds what one transaction removes.
const forgetChunk = 1000

func deleteOld(ctx context.Context, tx *store.Tx, before time.Time) (int64, error) {
	return tx.Exec(
		ctx,
		"DELETE FROM outside_posts WHERE id IN (SELECT id FROM outside_posts WHERE finished_at < ? ORDER BY finished_at LIMIT ?)",
		store.Micros(before),
		forgetChunk,
	)
}

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
