package external

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
)

const postColumns = `t.id, t.organization_id, t.website_id, t.loyalty_currency_id, t.kind, t.entries, t.record, t.holds, t.status, t.message, t.answer,
	t.loyalty_transaction_id, t.in_doubt, t.due_at, t.attempts, t.created_at, t.updated_at, t.finished_at`

const selectPost = "SELECT " + postColumns + " FROM outside_posts t"

const selectHold = "SELECT t.hold, t.post_id, t.organization_id, t.website_id FROM outside_holds t"

func savePosts(ctx context.Context, tx *store.Tx, rows []*row) error {
	for _, r := range rows {
		if !r.fresh {
			_, err := tx.Exec(ctx, `UPDATE outside_posts SET status = ?, message = ?, answer = ?, loyalty_transaction_id = ?, updated_at = ?, finished_at = ? WHERE id = ?`,
				r.Status, r.Message, r.Answer, r.TransactionID, r.UpdatedAt, r.FinishedAt, r.ID)
			if err != nil {
				return err
			}
			continue
		}
		_, err := tx.Exec(ctx, `INSERT INTO outside_posts (id, organization_id, website_id, loyalty_currency_id, kind, entries, record, holds, status, message,
			answer, loyalty_transaction_id, in_doubt, due_at, attempts, created_at, updated_at, finished_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '', '', NULL, FALSE, ?, 0, ?, ?, NULL)`,
			r.ID, r.OrganizationID, r.WebsiteID, r.CurrencyID, r.Kind, r.Entries, r.Record, r.Holds, r.Status, r.DueAt, r.CreatedAt, r.UpdatedAt)
		if err != nil {
			return err
		}
	}
	return nil
}

func saveHolds(ctx context.Context, tx *store.Tx, rows []*hold) error {
	for _, h := range rows {
		if h.gone {
			if _, err := tx.Exec(ctx, "DELETE FROM outside_holds WHERE hold = ? AND post_id = ?", h.Hold, h.PostID); err != nil {
				return err
			}
			continue
		}
		n, err := tx.Exec(ctx, "INSERT INTO outside_holds (hold, post_id, organization_id, website_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
			h.Hold, h.PostID, h.OrganizationID, h.WebsiteID)
		if err != nil {
			return err
		}
		if n == 0 {
			return store.ErrRerun
		}
	}
	return nil
}

func readPost(ctx context.Context, q store.Queryer, id laurel.ID) (Post, error) {
	var r row
	if err := q.Get(ctx, &r, selectPost+" WHERE t.id = ?", id); err != nil {
		return Post{}, err
	}
	return r.post()
}

// take leases a post that is open and due, and reports whether it did. One that waits for its next attempt has a message; a caller who asks for the same
// need not wait with it.
func take(ctx context.Context, tx *store.Tx, id laurel.ID, atOnce bool) (bool, error) {
	now := tx.Now()
	n, err := tx.Exec(ctx, `UPDATE outside_posts SET due_at = ?, attempts = attempts + 1, message = '', updated_at = ? WHERE id = ? AND finished_at IS NULL
		AND (due_at <= ? OR `+tx.Typed("BOOLEAN")+` AND message <> '')`, store.Micros(now.Add(lease)), store.Micros(now), id, store.Micros(now), atOnce)
	return n == 1, err
}

// due answers posts that nobody carries on.
func due(ctx context.Context, q store.Queryer, now time.Time) ([]laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT id FROM outside_posts WHERE finished_at IS NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?", store.Micros(now), batch)
	return ids, err
}

// putOff notes an attempt that came to nothing.
func putOff(ctx context.Context, tx *store.Tx, p Post, message string, until time.Time) error {
	_, err := tx.Exec(ctx, "UPDATE outside_posts SET message = ?, in_doubt = ?, due_at = ?, updated_at = ? WHERE id = ? AND finished_at IS NULL AND attempts = ?",
		message, p.InDoubt, store.Micros(until), store.Micros(tx.Now()), p.ID, p.Attempts)
	return err
}

// closePost ends a post of which nothing is written, where it is still the caller's.
func closePost(ctx context.Context, tx *store.Tx, p Post, status, message string) error {
	now := store.Micros(tx.Now())
	n, err := tx.Exec(ctx, "UPDATE outside_posts SET status = ?, message = ?, updated_at = ?, finished_at = ? WHERE id = ? AND finished_at IS NULL AND attempts = ?",
		status, message, now, now, p.ID, p.Attempts)
	if err != nil || n == 0 {
		return err
	}
	for _, h := range p.Holds {
		if _, err := tx.Exec(ctx, "DELETE FROM outside_holds WHERE hold = ? AND post_id = ?", h, p.ID); err != nil {
			return err
		}
	}
	return nil
}

func listPosts(ctx context.Context, q store.Queryer, scope laurel.Scope, f Filter, page laurel.PageRequest) ([]row, error) {
	var w store.Where
	w.Add("t.loyalty_currency_id = ?", f.CurrencyID)
	w.Tenant("t.", scope)
	if !page.StartingAfter.IsZero() {
		var after row
		err := q.Get(ctx, &after, selectPost+w.String()+" AND t.id = ?", append(w.Args, page.StartingAfter)...)
		if store.NoRows(err) {
			return nil, laurel.ErrCursor()
		}
		if err != nil {
			return nil, err
		}
		w.After("t.created_at", "t.id", true, after.CreatedAt, after.ID)
	}
	store.In(&w, "t.status", f.Statuses)
	var rows []row
	err := q.Select(ctx, &rows, selectPost+w.String()+" ORDER BY t.created_at DESC, t.id DESC LIMIT ?", append(w.Args, page.Limit+1)...)
	return rows, err
}

func deleteOld(ctx context.Context, tx *store.Tx, before time.Time) error {
	_, err := tx.Exec(ctx, "DELETE FROM outside_posts WHERE id IN (SELECT id FROM outside_posts WHERE finished_at < ? ORDER BY finished_at LIMIT 1000)", store.Micros(before))
	return err
}
