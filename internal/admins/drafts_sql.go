package admins

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

type draftRow struct {
	ID     laurel.ID `db:"id"`
	Page   string    `db:"page"`
	Action string    `db:"action"`
	Fields string    `db:"fields"`
}

func insertBrowser(ctx context.Context, tx *store.Tx, hash string, admin laurel.ID, until time.Time) error {
	_, err := tx.Exec(ctx, "INSERT INTO admin_browsers (hash, admin_id, expires_at) VALUES (?, ?, ?)", hash, admin,
		store.Micros(until))
	return err
}

// renewBrowser sets the time until which a browser is known, when the admin signs in there again. It returns false if
// the browser is not known as this admin's.
func renewBrowser(ctx context.Context, tx *store.Tx, hash string, admin laurel.ID, until time.Time) (bool, error) {
	n, err := tx.Exec(ctx, "UPDATE admin_browsers SET expires_at = ? WHERE hash = ? AND admin_id = ? AND expires_at > ?",
		store.Micros(until), hash, admin, store.Micros(tx.Now()))
	return n > 0, err
}

// isKnownBrowser reports whether the admin with an e-mail address has signed in with a browser before.
func isKnownBrowser(ctx context.Context, q store.Queryer, hash, email string, now time.Time) (bool, error) {
	var found []string
	err := q.Select(ctx, &found, `SELECT b.hash FROM admin_browsers b JOIN admins a ON a.id = b.admin_id
		WHERE b.hash = ? AND a.email = ? AND b.expires_at > ?`, hash, email, store.Micros(now))
	return len(found) > 0, err
}

// lockBrowser locks the row of a known browser, so that requests that save drafts for it run one by one. It returns
// false where the browser is not known.
func lockBrowser(ctx context.Context, tx *store.Tx, hash string) (bool, error) {
	var found []string
	err := tx.Select(ctx, &found, "SELECT hash FROM admin_browsers WHERE hash = ? AND expires_at > ?"+tx.ForUpdate(), hash,
		store.Micros(tx.Now()))
	return len(found) > 0, err
}

// insertDraft writes a draft of the browser with the hash; fields are the form's fields as JSON.
func insertDraft(ctx context.Context, tx *store.Tx, hash string, f FormDraft, fields string) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO admin_kept_forms (id, browser, page, action, fields, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
		tx.NewID(), hash, f.Page, f.Action, fields, store.Micros(tx.Now().Add(DraftLifetime)),
	)
	return err
}

// trimDrafts deletes all but the newest drafts of a browser; keep is how many stay.
func trimDrafts(ctx context.Context, tx *store.Tx, hash string, keep int) error {
	_, err := tx.Exec(ctx, `DELETE FROM admin_kept_forms WHERE browser = ? AND id NOT IN (
		SELECT id FROM admin_kept_forms WHERE browser = ? ORDER BY expires_at DESC, id DESC LIMIT ?)`, hash, hash, keep)
	return err
}

// selectDrafts reads the drafts of an admin in the browser with the hash that have not expired, newest first.
func selectDrafts(
	ctx context.Context,
	q store.Queryer,
	hash string,
	admin laurel.ID,
	now time.Time,
) (rows []draftRow, err error) {
	err = q.Select(ctx, &rows, `SELECT f.id, f.page, f.action, f.fields FROM admin_kept_forms f
		JOIN admin_browsers b ON b.hash = f.browser WHERE f.browser = ? AND b.admin_id = ? AND f.expires_at > ?
		ORDER BY f.expires_at DESC, f.id DESC`, hash, admin, store.Micros(now))
	return rows, err
}

func deleteDraft(ctx context.Context, tx *store.Tx, hash string, id laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM admin_kept_forms WHERE browser = ? AND id = ?", hash, id)
	return err
}
