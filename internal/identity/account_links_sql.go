package identity

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// useAccountLink notes that a link of the website is used, and forgets those that have expired. It reports whether this
// is its first use.
func useAccountLink(ctx context.Context, tx *store.Tx, scope laurel.Scope, link SignedID) (bool, error) {
	if _, err := tx.Exec(
		ctx,
		"DELETE FROM used_account_links WHERE website_id = ? AND expires_at < ?",
		scope.WebsiteID,
		store.Micros(tx.Now()),
	); err != nil {
		return false, err
	}
	n, err := tx.Exec(
		ctx,
		`INSERT INTO used_account_links (organization_id, website_id, id, expires_at)
		VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		scope.OrganizationID, scope.WebsiteID, link.ID, store.Micros(link.ExpiresAt),
	)
	return n == 1, err
}
