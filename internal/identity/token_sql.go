package identity

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

// selectTokensValidFrom returns the time before which the user's tokens are revoked, or sql.ErrNoRows if the user is
// no member of the scope's website.
func selectTokensValidFrom(ctx context.Context, q store.Queryer, scope laurel.Scope, user laurel.ID) (int64, error) {
	var from int64
	err := q.Get(
		ctx,
		&from,
		"SELECT tokens_valid_from FROM members WHERE organization_id = ? AND website_id = ? AND user_id = ?",
		scope.OrganizationID,
		scope.WebsiteID,
		user,
	)
	return from, err
}

// raiseTokensValidFrom revokes all tokens issued so far, and returns 0 if the user is no member. It always increases
// the stored time, whatever the clock says: every token so far was issued at or before the stored time or now.
func raiseTokensValidFrom(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID) (int64, error) {
	now := store.Micros(tx.Now())
	return tx.Exec(
		ctx,
		`UPDATE members SET tokens_valid_from = CASE WHEN tokens_valid_from >= ? THEN tokens_valid_from + 1 ELSE ? END
		WHERE organization_id = ? AND website_id = ? AND user_id = ?`,
		now,
		now+1,
		scope.OrganizationID,
		scope.WebsiteID,
		user,
	)
}

// Sealed describes the sealed texts of this package.
var Sealed = vault.SealedColumns{Table: "member_secrets", ID: "id", PlaceID: "id",
	Columns: []string{"secret"}, Where: "secret <> ''",
	Reseal: func(of laurel.ID, text string, move vault.Resealer) (string, error) {
		return move(text, false, secretContext(of))
	}}

// selectSecrets reads the secrets that are not retired, newest first.
func selectSecrets(ctx context.Context, q store.Queryer, scope laurel.Scope) ([]memberSecret, error) {
	var rows []memberSecret
	err := q.Select(ctx, &rows, `SELECT id, secret, created_at FROM member_secrets
		WHERE organization_id = ? AND website_id = ? AND retired_at IS NULL ORDER BY created_at DESC`, scope.OrganizationID, scope.WebsiteID)
	return rows, err
}

// insertSecret inserts a new secret of the scope's website.
func insertSecret(ctx context.Context, tx *store.Tx, scope laurel.Scope, m memberSecret) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO member_secrets (id, organization_id, website_id, secret, created_at) VALUES (?, ?, ?, ?, ?)",
		m.ID,
		scope.OrganizationID,
		scope.WebsiteID,
		m.Sealed,
		m.CreatedAt,
	)
	return err
}

// retireSecrets marks secrets as retired now: the tokens that they have signed are invalid.
func retireSecrets(ctx context.Context, tx *store.Tx, list []memberSecret) error {
	for _, m := range list {
		if _, err := tx.Exec(
			ctx,
			"UPDATE member_secrets SET retired_at = ? WHERE id = ?",
			store.Micros(tx.Now()),
			m.ID,
		); err != nil {
			return err
		}
	}
	return nil
}
