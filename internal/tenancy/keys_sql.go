package tenancy

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/store"
)

const keyColumns = "id, organization_id, website_id, role_type, name, prefix, hash, allowed_origins, user_id, expires_at, last_used_at, revoked_at, created_at"

type keyRow struct {
	ID             laurel.ID   `db:"id"`
	OrganizationID laurel.ID   `db:"organization_id"`
	WebsiteID      laurel.ID   `db:"website_id"`
	Role           laurel.Role `db:"role_type"`
	Name           string      `db:"name"`
	Prefix         string      `db:"prefix"`
	Hash           string      `db:"hash"`
	AllowedOrigins origins     `db:"allowed_origins"`
	UserID         laurel.ID   `db:"user_id"`
	ExpiresAt      *int64      `db:"expires_at"`
	LastUsedAt     *int64      `db:"last_used_at"`
	RevokedAt      *int64      `db:"revoked_at"`
	CreatedAt      int64       `db:"created_at"`
}

// origins is a JSON array in a TEXT column.
type origins []string

// Scan reads what insertKey wrote.
func (o *origins) Scan(src any) error {
	text, _ := src.(string)
	return json.Unmarshal([]byte(text), o)
}

// record returns the key that the row holds, with its times and ids as Go values.
func (r keyRow) record() APIKey {
	return APIKey{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		Role:           r.Role,
		Name:           r.Name,
		Prefix:         r.Prefix,
		AllowedOrigins: r.AllowedOrigins,
		UserID:         r.UserID,
		ExpiresAt:      nullTime(r.ExpiresAt),
		LastUsedAt:     nullTime(r.LastUsedAt),
		RevokedAt:      nullTime(r.RevokedAt),
		CreatedAt:      store.Time(r.CreatedAt),
	}
}

// insertKey writes a new key; of its text only the hash is stored.
func insertKey(ctx context.Context, tx *store.Tx, k NewAPIKey) error {
	list, err := json.Marshal(k.AllowedOrigins)
	if err != nil {
		return err
	}
	var expires *int64
	if k.ExpiresAt != nil {
		us := store.Micros(*k.ExpiresAt)
		expires = &us
	}
	_, err = tx.Exec(
		ctx,
		"INSERT INTO api_keys ("+keyColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?)",
		k.ID,
		k.OrganizationID,
		k.WebsiteID,
		string(k.Role),
		k.Name,
		k.Prefix,
		hashKey(k.Key),
		string(list),
		k.UserID,
		expires,
		store.Micros(k.CreatedAt),
	)
	return err
}

// selectKeys reads a page of the keys of the scope, newest first. Errors: Invalid for an unknown cursor.
func selectKeys(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	page laurel.PageRequest,
) (laurel.Page[keyRow], error) {
	var none laurel.Page[keyRow]
	w := &store.Where{}
	w.Tenant("", scope)
	if !page.StartingAfter.IsZero() {
		if err := continueAfter(ctx, q, "api_keys", w, page.StartingAfter); err != nil {
			return none, err
		}
	}
	return store.SelectPage[keyRow](
		ctx,
		q,
		page.Limit,
		"SELECT "+keyColumns+" FROM api_keys"+w.String()+" ORDER BY created_at DESC, id DESC",
		w.Args...)
}

// revokeKey sets the time at which a key was revoked and returns the key; one that was revoked before keeps its time.
// It returns sql.ErrNoRows if the scope has no such key.
func revokeKey(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (keyRow, error) {
	w := &store.Where{}
	w.Tenant("", scope)
	w.Add("id = ?", id)
	var row keyRow
	err := tx.Get(
		ctx,
		&row,
		"UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ?)"+w.String()+" RETURNING "+keyColumns,
		append([]any{store.Micros(tx.Now())}, w.Args...)...)
	return row, err
}

// authRow holds the columns that authenticating a request needs.
type authRow struct {
	ID               laurel.ID   `db:"id"`
	OrganizationID   laurel.ID   `db:"organization_id"`
	WebsiteID        laurel.ID   `db:"website_id"`
	Role             laurel.Role `db:"role_type"`
	UserID           laurel.ID   `db:"user_id"`
	AllowedOrigins   origins     `db:"allowed_origins"`
	ExpiresAt        *int64      `db:"expires_at"`
	TrustClientUsers bool        `db:"trust_client_users"`
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
		expires: nullTime(r.ExpiresAt),
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
