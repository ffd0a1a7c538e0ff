package admins

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
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

// renewBrowser extends the row of a browser in which the admin signs in again; it returns false if the browser is not
// the admin's.
func renewBrowser(ctx context.Context, tx *store.Tx, hash string, admin laurel.ID, until time.Time) (bool, error) {
	n, err := tx.Exec(ctx, "UPDATE admin_browsers SET expires_at = ? WHERE hash = ? AND admin_id = ? AND expires_at > ?",
		store.Micros(until), hash, admin, store.Micros(tx.Now()))
	return n > 0, err
}

// isKnownBrowser reports whether the admin of an e-mail address has signed in with a browser.
func isKnownBrowser(ctx context.Context, q store.Queryer, hash, email string, now time.Time) (bool, error) {
	var found []string
	err := q.Select(ctx, &found, `SELECT b.hash FROM admin_browsers b JOIN admins a ON a.id = b.admin_id
		WHERE b.hash = ? AND a.email = ? AND b.expires_at > ?`, hash, email, store.Micros(now))
	return len(found) > 0, err
}

// lockBrowser locks the row of a browser and reports whether it exists, so that requests that save drafts for it run
// one by one.
func lockBrowser(ctx context.Context, tx *store.Tx, hash string) (bool, error) {
	var found []string
	err := tx.Select(ctx, &found, "SELECT hash FROM admin_browsers WHERE hash = ? AND expires_at > ?"+tx.ForUpdate(), hash,
		store.Micros(tx.Now()))
	return len(found) > 0, err
}

func insertDraft(ctx context.Context, tx *store.Tx, hash string, f FormDraft, fields string) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO admin_kept_forms (id, browser, page, action, fields, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
		tx.NewID(), hash, f.Page, f.Action, fields, store.Micros(tx.Now().Add(DraftLifetime)),
	)
	return err
}

// trimDrafts deletes all but the newest drafts of a browser.
func trimDrafts(ctx context.Context, tx *store.Tx, hash string, keep int) error {
	_, err := tx.Exec(ctx, `DELETE FROM admin_kept_forms WHERE browser = ? AND id NOT IN (
		SELECT id FROM admin_kept_forms WHERE browser = ? ORDER BY expires_at DESC, id DESC LIMIT ?)`, hash, hash, keep)
	return err
}

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
