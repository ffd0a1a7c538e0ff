package connect

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// emailLink is a link that proves an e-mail address.
type emailLink struct {
	ID             laurel.ID            `db:"id"`
	OrganizationID laurel.ID            `db:"organization_id"`
	WebsiteID      laurel.ID            `db:"website_id"`
	UserID         laurel.ID            `db:"user_id"`
	EmailAddress   string               `db:"email_address"`
	TokenHash      string               `db:"token_hash"`
	Redirect       string               `db:"redirect"`
	CreatedAt      laurel.Timestamp     `db:"created_at"`
	ExpiresAt      laurel.Timestamp     `db:"expires_at"`
	UsedAt         laurel.NullTimestamp `db:"used_at"`
}

var emailLinks = store.NewRecords[emailLink]("email_links", "Link")

// selectLink reads the link whose token has the hash, or returns sql.ErrNoRows if there is none. lock is the suffix
// that locks its row, or "".
func selectLink(ctx context.Context, q store.Queryer, hash, lock string) (l emailLink, err error) {
	err = q.Get(ctx, &l, emailLinks.Query()+" WHERE token_hash = ?"+lock, hash)
	return l, err
}

// useLink marks a locked link as used.
func useLink(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE email_links SET used_at = ? WHERE id = ?", store.Micros(tx.Now()), id)
	return err
}

// deleteOldLinks deletes the links that expired before a time, and returns how many it has deleted.
func deleteOldLinks(ctx context.Context, tx *store.Tx, before time.Time) (int64, error) {
	return tx.Exec(ctx, "DELETE FROM email_links WHERE id IN (SELECT id FROM email_links WHERE expires_at < ? "+
		"ORDER BY expires_at LIMIT ?)", store.Micros(before), deleteChunk)
}
