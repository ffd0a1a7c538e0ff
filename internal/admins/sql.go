package admins

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

var adminTable = store.NewRecords[adminRow]("admins", "Admin")

type adminRow struct {
	ID           laurel.ID `db:"id"`
	Email        string    `db:"email" update:"no"`
	Name         string    `db:"name"`
	PasswordHash string    `db:"password_hash"` // "": the admin has no password
	TOTPSecret   *string   `db:"totp_secret"`   // sealed
	TOTPStep     int64     `db:"totp_step"`
	TimeZone     string    `db:"time_zone"`
	Credentials  int64     `db:"credentials_version"`
	CreatedAt    int64     `db:"created_at"`
	UpdatedAt    int64     `db:"updated_at"`
}

func (r adminRow) admin() Admin {
	return Admin{
		ID: r.ID, Email: r.Email, Name: r.Name, TimeZone: r.TimeZone, SecondFactor: r.TOTPSecret != nil,
		HasPassword: r.PasswordHash != "",
		Credentials: r.Credentials, CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt),
	}
}

// secretContext binds the sealed secret of a second factor to its admin.
func secretContext(admin laurel.ID) string { return "admin totp " + admin.String() }

// Sealed describes the sealed texts of this package.
var Sealed = vault.SealedColumns{
	Table: "admins", ID: "id", PlaceID: "id", Columns: []string{"totp_secret"}, Where: "totp_secret IS NOT NULL",
	Reseal: func(of laurel.ID, text string, move vault.Resealer) (string, error) {
		return move(text, false, secretContext(of))
	},
}

// findAdmin returns an admin, or sql.ErrNoRows.
func findAdmin(ctx context.Context, q store.Queryer, id laurel.ID) (row adminRow, err error) {
	err = q.Get(ctx, &row, adminTable.Query()+" WHERE id = ?", id)
	return row, err
}

// findAdminByEmail returns the admin with a normalized e-mail address, or sql.ErrNoRows.
func findAdminByEmail(ctx context.Context, q store.Queryer, email string) (row adminRow, err error) {
	err = q.Get(ctx, &row, adminTable.Query()+" WHERE email = ?", email)
	return row, err
}

func lockAdmin(ctx context.Context, tx *store.Tx, id laurel.ID) (row adminRow, err error) {
	err = tx.Get(ctx, &row, adminTable.Query()+" WHERE id = ?"+tx.ForUpdate(), id)
	return row, err
}

// hasAdmins reports whether there is an admin.
func hasAdmins(ctx context.Context, q store.Queryer) (bool, error) {
	var found []int
	err := q.Select(ctx, &found, "SELECT 1 FROM admins LIMIT 1")
	return len(found) > 0, err
}

// replaceCodes replaces the hashes of an admin's recovery codes; nil removes all.
func replaceCodes(ctx context.Context, tx *store.Tx, admin laurel.ID, hashes []string) error {
	if _, err := tx.Exec(ctx, "DELETE FROM admin_recovery_codes WHERE admin_id = ?", admin); err != nil {
		return err
	}
	rows := make([][]any, len(hashes))
	for i, hash := range hashes {
		rows[i] = []any{admin, hash}
	}
	_, err := tx.InsertRows(
		ctx,
		store.Insert{Table: "admin_recovery_codes", Columns: store.Columns("admin_id uuid, hash text")},
		rows,
	)
	return err
}

// useCode deletes a recovery code and reports whether it existed.
func useCode(ctx context.Context, tx *store.Tx, admin laurel.ID, hash string) (bool, error) {
	n, err := tx.Exec(ctx, "DELETE FROM admin_recovery_codes WHERE admin_id = ? AND hash = ?", admin, hash)
	return n == 1, err
}

func countCodes(ctx context.Context, q store.Queryer, admin laurel.ID) (n int, err error) {
	err = q.Get(ctx, &n, "SELECT COUNT(*) FROM admin_recovery_codes WHERE admin_id = ?", admin)
	return n, err
}
