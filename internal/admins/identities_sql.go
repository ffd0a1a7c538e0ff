package admins

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

type identityRow struct {
	ID        laurel.ID `db:"id"`
	AdminID   laurel.ID `db:"admin_id" update:"no"`
	Issuer    string    `db:"issuer" update:"no"`
	Subject   string    `db:"subject" update:"no"`
	Email     string    `db:"email"`
	CreatedAt int64     `db:"created_at" update:"no"`
	UsedAt    int64     `db:"used_at"`
}

var identityTable = store.NewRecords[identityRow]("admin_identities", "Identity")

// lockIdentity returns the row of a provider's account, locked, or sql.ErrNoRows.
func lockIdentity(ctx context.Context, tx *store.Tx, issuer, subject string) (row identityRow, err error) {
	err = tx.Get(ctx, &row, identityTable.Query()+" WHERE issuer = ? AND subject = ?"+tx.ForUpdate(), issuer, subject)
	return row, err
}

// hasIdentity reports whether an admin has an account at an issuer.
func hasIdentity(ctx context.Context, tx *store.Tx, admin laurel.ID, issuer string) (bool, error) {
	var found []string
	err := tx.Select(ctx, &found, "SELECT subject FROM admin_identities WHERE admin_id = ? AND issuer = ?", admin, issuer)
	return len(found) > 0, err
}

func selectIdentities(ctx context.Context, q store.Queryer, admin laurel.ID) (rows []identityRow, err error) {
	err = q.Select(ctx, &rows, identityTable.Query()+" WHERE admin_id = ? ORDER BY created_at, id", admin)
	return rows, err
}

// deleteIdentity deletes an identity of an admin and reports whether it existed.
func deleteIdentity(ctx context.Context, tx *store.Tx, admin, id laurel.ID) (bool, error) {
	n, err := tx.Exec(ctx, "DELETE FROM admin_identities WHERE admin_id = ? AND id = ?", admin, id)
	return n == 1, err
}

// deleteIdentities deletes every identity of an admin.
func deleteIdentities(ctx context.Context, tx *store.Tx, admin laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM admin_identities WHERE admin_id = ?", admin)
	return err
}

// insertUsedState notes that a state was used, and reports whether this was the first time.
func insertUsedState(ctx context.Context, tx *store.Tx, hash string, expires time.Time) (bool, error) {
	n, err := tx.Exec(ctx, "INSERT INTO admin_used_states (hash, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING", hash,
		store.Micros(expires))
	return n == 1, err
}
