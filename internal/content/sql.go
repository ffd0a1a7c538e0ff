package content

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
)

const columns = `id, organization_id, website_id, user_id, created_by_id, file_path, file_key, file_name, file_size, host, token_hash, expires_at,
	uploaded_at, created_at`

func insertAsset(ctx context.Context, tx *store.Tx, a asset) error {
	_, err := tx.Exec(ctx, `INSERT INTO assets (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, a.ID, a.OrganizationID, a.WebsiteID,
		a.UserID, a.CreatedByID, a.Path, a.Key, a.Name, a.Size, a.Host, a.TokenHash, a.ExpiresAt, a.UploadedAt, a.CreatedAt)
	return err
}

func findUpload(ctx context.Context, q store.Queryer, tokenHash string) (asset, error) {
	var a asset
	err := q.Get(ctx, &a, "SELECT "+columns+" FROM assets WHERE token_hash = ?", tokenHash)
	if store.NoRows(err) {
		return a, laurel.Missing("Upload")
	}
	return a, err
}

// markUploaded reports whether the file was not uploaded before. A second upload waits here until the first is settled.
func markUploaded(ctx context.Context, tx *store.Tx, id laurel.ID) (bool, error) {
	n, err := tx.Exec(ctx, "UPDATE assets SET uploaded_at = ? WHERE id = ? AND uploaded_at IS NULL", store.Micros(tx.Now()), id)
	return n == 1, err
}

func findFile(ctx context.Context, q store.Queryer, scope laurel.Scope, p place) (asset, error) {
	var w store.Where
	w.Add("file_key = ? AND file_path = ? AND file_name = ? AND uploaded_at IS NOT NULL", p.Key, p.Path, p.Name)
	w.Tenant("", scope)
	var a asset
	err := q.Get(ctx, &a, "SELECT "+columns+" FROM assets"+w.String(), w.Args...)
	if store.NoRows(err) {
		return a, laurel.Missing("File")
	}
	return a, err
}

func deleteUnused(ctx context.Context, tx *store.Tx, before time.Time) error {
	_, err := tx.Exec(ctx, "DELETE FROM assets WHERE id IN (SELECT id FROM assets WHERE uploaded_at IS NULL AND expires_at < ? ORDER BY expires_at LIMIT 1000)",
		store.Micros(before))
	return err
}
