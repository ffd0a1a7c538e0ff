package content

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const columns = `id, organization_id, website_id, user_id, created_by_id, file_path, file_key, file_name, file_size, host, token_hash, expires_at,
	uploaded_at, created_at`

const selectAsset = "SELECT " + columns + " FROM assets"

// insertAsset writes an announced file.
func insertAsset(ctx context.Context, tx *store.Tx, a asset) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO assets (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		a.ID,
		a.OrganizationID,
		a.WebsiteID,
		a.UserID,
		a.CreatedByID,
		a.Path,
		a.Key,
		a.Name,
		a.Size,
		a.Host,
		a.TokenHash,
		a.ExpiresAt,
		a.UploadedAt,
		a.CreatedAt,
	)
	return err
}

// findUpload reads the file whose upload token has this hash, even if it was uploaded already. Errors: NotFound
// "Upload".
func findUpload(ctx context.Context, q store.Queryer, tokenHash string) (asset, error) {
	var a asset
	err := q.Get(ctx, &a, selectAsset+" WHERE token_hash = ? AND removed_at IS NULL", tokenHash)
	if store.IsNoRows(err) {
		return a, laurel.Missing("Upload")
	}
	return a, err
}

// markUploaded marks a file as uploaded. It returns false if the file was uploaded or removed before, or has expired. A
// second upload waits here for the transaction of the first.
func markUploaded(ctx context.Context, tx *store.Tx, id laurel.ID) (bool, error) {
	now := store.Micros(tx.Now())
	n, err := tx.Exec(ctx, `UPDATE assets SET uploaded_at = ? WHERE id = ? AND uploaded_at IS NULL AND removed_at IS NULL
		AND expires_at > ?`, now, id, now)
	return n == 1, err
}

// findFile reads the uploaded file of the scope at a place. Errors: NotFound "File".
func findFile(ctx context.Context, q store.Queryer, scope laurel.Scope, p filePlace) (asset, error) {
	var w store.Where
	w.Add("file_key = ? AND file_path = ? AND file_name = ?", p.Key, p.Path, p.Name)
	w.Add("uploaded_at IS NOT NULL AND removed_at IS NULL")
	w.Tenant("", scope)
	return getAsset(ctx, q, w)
}

// findAsset reads a file of the scope, even one whose removal was interrupted; with a non-zero owner, only a file of
// that user. Errors: NotFound "File".
func findAsset(ctx context.Context, q store.Queryer, scope laurel.Scope, id, owner laurel.ID) (asset, error) {
	var w store.Where
	w.Add("id = ?", id)
	w.Tenant("", scope)
	if !owner.IsZero() {
		w.Add("user_id = ?", owner)
	}
	return getAsset(ctx, q, w)
}

// getAsset reads the file that fulfils w. Errors: NotFound "File".
func getAsset(ctx context.Context, q store.Queryer, w store.Where) (asset, error) {
	var a asset
	err := q.Get(ctx, &a, selectAsset+w.String(), w.Args...)
	if store.IsNoRows(err) {
		return a, laurel.Missing("File")
	}
	return a, err
}

// whereUsable returns the condition for the files of the scope that can be sent or read; with users, only their files.
func whereUsable(scope laurel.Scope, users []laurel.ID, now time.Time) store.Where {
	var w store.Where
	w.Add("removed_at IS NULL AND (uploaded_at IS NOT NULL OR expires_at > ?)", store.Micros(now))
	w.Tenant("", scope)
	store.In(&w, "user_id", users)
	return w
}

func findUsable(ctx context.Context, q *store.DB, scope laurel.Scope, id laurel.ID) (asset, error) {
	w := whereUsable(scope, nil, q.Now())
	w.Add("id = ?", id)
	return getAsset(ctx, q, w)
}

// listAssets reads up to one more than a page of the files that fulfil w, newest first: ids grow with the time. Errors:
// Invalid for an unknown cursor.
func listAssets(ctx context.Context, q store.Queryer, w store.Where, page laurel.PageRequest) ([]asset, error) {
	if !page.StartingAfter.IsZero() {
		var after laurel.ID
		err := q.Get(ctx, &after, "SELECT id FROM assets"+w.String()+" AND id = ?", append(w.Args, page.StartingAfter)...)
		if store.IsNoRows(err) {
			return nil, laurel.ErrCursor()
		}
		if err != nil {
			return nil, err
		}
		w.Add("id < ?", after)
	}
	var rows []asset
	err := q.Select(ctx, &rows, selectAsset+w.String()+" ORDER BY id DESC LIMIT ?", append(w.Args, page.Limit+1)...)
	return rows, err
}

// markRemoved marks a file as removed. It returns false if it was marked before.
func markRemoved(ctx context.Context, tx *store.Tx, id laurel.ID) (bool, error) {
	now := store.Micros(tx.Now())
	n, err := tx.Exec(ctx, "UPDATE assets SET removed_at = ? WHERE id = ? AND removed_at IS NULL", now, id)
	return n == 1, err
}

// markExpired marks up to filesPerTransaction expired files as removed and returns them. It skips a file whose upload
// is being committed.
func markExpired(ctx context.Context, tx *store.Tx) ([]asset, error) {
	now := store.Micros(tx.Now())
	var files []asset
	err := tx.Select(ctx, &files, `UPDATE assets SET removed_at = ? WHERE id IN (
		SELECT id FROM assets WHERE uploaded_at IS NULL AND removed_at IS NULL AND expires_at <= ?
		ORDER BY expires_at LIMIT ?`+tx.ForUpdateSkip()+") RETURNING "+columns, now, now, filesPerTransaction)
	return files, err
}

// findRemoved reads up to filesPerTransaction files that are marked as removed, in order of their ids, after an id;
// zero means from the start.
func findRemoved(ctx context.Context, q store.Queryer, after laurel.ID) ([]asset, error) {
	var w store.Where
	w.Add("removed_at IS NOT NULL")
	if !after.IsZero() {
		w.Add("id > ?", after)
	}
	var files []asset
	err := q.Select(ctx, &files, selectAsset+w.String()+" ORDER BY id LIMIT ?", append(w.Args, filesPerTransaction)...)
	return files, err
}

// deleteRemoved deletes the rows of files that are marked as removed.
func deleteRemoved(ctx context.Context, tx *store.Tx, ids []laurel.ID) error {
	if len(ids) == 0 {
		return nil
	}
	var w store.Where
	w.Add("removed_at IS NOT NULL")
	store.In(&w, "id", ids)
	_, err := tx.Exec(ctx, "DELETE FROM assets"+w.String(), w.Args...)
	return err
}

// lockUsage locks the usage of all files. It comes before the locks of files.
func lockUsage(ctx context.Context, tx *store.Tx) error {
	return addUsage(ctx, tx, map[string]int64{instanceUsage: 0})
}

// changeUsage adds to usage.
var changeUsage = store.Insert{Table: "asset_usage", Columns: store.Columns("name text, bytes bigint"),
	Conflict: "ON CONFLICT (name) DO UPDATE SET bytes = asset_usage.bytes + excluded.bytes"}

// selectUsage returns the used bytes of the rows of asset_usage with these names. Names without a row are left out.
func selectUsage(ctx context.Context, q store.Queryer, names []string) (map[string]int64, error) {
	var rows []struct {
		Name  string `db:"name"`
		Bytes int64  `db:"bytes"`
	}
	var w store.Where
	store.In(&w, "name", names)
	err := q.Select(ctx, &rows, "SELECT name, bytes FROM asset_usage"+w.String(), w.Args...)
	counted := make(map[string]int64, len(rows))
	for _, r := range rows {
		counted[r.Name] = r.Bytes
	}
	return counted, err
}
