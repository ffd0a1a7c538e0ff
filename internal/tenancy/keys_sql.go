package tenancy

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var apiKeys = store.NewRecords[APIKey]("api_keys", "API key")

// revokeKey sets the time at which a key was revoked and returns the key; one that was revoked before keeps its time.
// It returns sql.ErrNoRows if the scope has no such key.
func revokeKey(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (k APIKey, err error) {
	w := store.OfTenant(scope).With("id = ?", id)
	err = tx.Get(
		ctx,
		&k,
		"UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ?)"+w.String()+" RETURNING "+apiKeys.Columns(),
		append([]any{store.Micros(tx.Now())}, w.Args...)...)
	return k, err
}

// authRow holds the columns that authenticating a request needs.
type authRow struct {
	ID               laurel.ID            `db:"id"`
	OrganizationID   laurel.ID            `db:"organization_id"`
	WebsiteID        laurel.ID            `db:"website_id"`
	Role             laurel.Role          `db:"role_type"`
	UserID           laurel.ID            `db:"user_id"`
	AllowedOrigins   laurel.List[string]  `db:"allowed_origins"`
	ExpiresAt        laurel.NullTimestamp `db:"expires_at"`
	TrustClientUsers bool                 `db:"trust_client_users"`
}

// findKey reads the key with the hash, with the settings of its website. It returns nil if there is no such key, it is
// revoked, or its organization is deleted. The caller checks whether it has expired.
func findKey(ctx context.Context, q store.Queryer, hash string) (*cachedKey, error) {
	var r authRow
	err := q.Get(
		ctx,
		&r,
		`SELECT k.id, k.organization_id, k.website_id, k.role_type, k.user_id, k.allowed_origins, k.expires_at,
			COALESCE(w.trust_client_users, FALSE) AS trust_client_users
		FROM api_keys k JOIN organizations o ON o.id = k.organization_id LEFT JOIN websites w ON w.id = k.website_id
		WHERE k.hash = ? AND k.revoked_at IS NULL AND o.deleted_at IS NULL`,
		hash,
	)
	if store.IsNoRows(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &cachedKey{
		key: Key{
			Scope: laurel.Scope{
				OrganizationID: r.OrganizationID,
				WebsiteID:      r.WebsiteID,
				KeyID:          r.ID,
				ActorID:        r.UserID,
				Role:           r.Role,
			},
			AllowedOrigins:   r.AllowedOrigins,
			TrustClientUsers: r.TrustClientUsers,
		},
		expires: r.ExpiresAt,
	}, nil
}

// writeUses writes when keys were last used. If another node has written a time that is less than minWriteInterval
// before, or later, that one stays.
func writeUses(ctx context.Context, tx *store.Tx, due []keyUse) error {
	for _, u := range due {
		_, err := tx.Exec(
			ctx,
			"UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)",
			store.Micros(u.at),
			u.key,
			store.Micros(u.at.Add(-minWriteInterval)),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

func organizationOfKey(ctx context.Context, q store.Queryer, id laurel.ID) (laurel.ID, error) {
	var org laurel.ID
	err := q.Get(ctx, &org, "SELECT organization_id FROM api_keys WHERE id = ?", id)
	return org, err
}
