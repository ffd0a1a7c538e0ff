package admins

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const linkColumns = `id, kind, organization_id, website_id, role_type, email, admin_id, created_by, created_at, expires_at,
	used_at`

type linkRow struct {
	ID             laurel.ID `db:"id"`
	Kind           LinkKind  `db:"kind"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Role           *string   `db:"role_type"`
	Email          *string   `db:"email"`
	AdminID        laurel.ID `db:"admin_id"`
	CreatedByID    laurel.ID `db:"created_by"`
	CreatedAt      int64     `db:"created_at"`
	ExpiresAt      int64     `db:"expires_at"`
	UsedAt         *int64    `db:"used_at"`
}

// link decodes the row.
func (r linkRow) link() Link {
	l := Link{
		ID: r.ID, Kind: r.Kind, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, AdminID: r.AdminID,
		CreatedByID: r.CreatedByID, CreatedAt: store.Time(r.CreatedAt), ExpiresAt: store.Time(r.ExpiresAt),
	}
	if r.Role != nil {
		l.Role = laurel.Role(*r.Role)
	}
	if r.Email != nil {
		l.Email = *r.Email
	}
	if r.UsedAt != nil {
		at := store.Time(*r.UsedAt)
		l.UsedAt = &at
	}
	return l
}

func insertLink(ctx context.Context, tx *store.Tx, hash string, l Link) error {
	_, err := tx.Exec(ctx, "INSERT INTO admin_links (hash, "+linkColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
		hash, l.ID, string(l.Kind), l.OrganizationID, l.WebsiteID, nullIfEmpty(string(l.Role)), nullIfEmpty(l.Email),
		l.AdminID, l.CreatedByID, store.Micros(l.CreatedAt), store.Micros(l.ExpiresAt))
	return err
}

// nullIfEmpty returns the stored form of a text: NULL if it is empty.
func nullIfEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// findLink reads the link with the hash of a token, even if it was used or has expired; sql.ErrNoRows if there is none.
// lock is a clause such as tx.ForUpdate(), or "" for none.
func findLink(ctx context.Context, q store.Queryer, hash, lock string) (linkRow, error) {
	var row linkRow
	err := q.Get(ctx, &row, "SELECT "+linkColumns+" FROM admin_links WHERE hash = ?"+lock, hash)
	return row, err
}

func markUsed(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE admin_links SET used_at = ? WHERE id = ?", store.Micros(tx.Now()), id)
	return err
}

// selectOpenInvitations reads the unused invitations to an organization that have not expired, newest first.
func selectOpenInvitations(ctx context.Context, q store.Queryer, organization laurel.ID, now int64) ([]linkRow, error) {
	var rows []linkRow
	err := q.Select(ctx, &rows, "SELECT "+linkColumns+` FROM admin_links
		WHERE organization_id = ? AND kind = ? AND used_at IS NULL AND expires_at > ? ORDER BY created_at DESC, id DESC`,
		organization, string(InviteLink), now)
	return rows, err
}

// deleteInvitation deletes an unused invitation to an organization, and reports whether there was one.
func deleteInvitation(ctx context.Context, tx *store.Tx, organization, id laurel.ID) (bool, error) {
	n, err := tx.Exec(
		ctx,
		"DELETE FROM admin_links WHERE organization_id = ? AND id = ? AND kind = ? AND used_at IS NULL",
		organization,
		id,
		string(InviteLink),
	)
	return n == 1, err
}

// deleteInvitations deletes all unused invitations to an organization that an admin created.
func deleteInvitations(ctx context.Context, tx *store.Tx, organization, creator laurel.ID) error {
	_, err := tx.Exec(
		ctx,
		"DELETE FROM admin_links WHERE organization_id = ? AND created_by = ? AND kind = ? AND used_at IS NULL",
		organization,
		creator,
		string(InviteLink),
	)
	return err
}

// deleteLinksOfAdmin deletes all unused links that let an admin in.
func deleteLinksOfAdmin(ctx context.Context, tx *store.Tx, admin laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM admin_links WHERE admin_id = ? AND used_at IS NULL", admin)
	return err
}

// lockFirstAdmin makes requests that create the first admin run one by one, so that the second one finds the admin of
// the first. The lock ends with the transaction. On SQLite all writes run one by one anyway.
func lockFirstAdmin(ctx context.Context, tx *store.Tx) error {
	if tx.Engine() == store.SQLite {
		return nil
	}
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended('first admin', 0))")
	return err
}
