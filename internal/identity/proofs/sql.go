package proofs

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// nonceChunk bounds the nonces that one transaction deletes.
const nonceChunk = 1000

// insertNonce stores a nonce of the scope's website, and reports whether it is new.
func insertNonce(ctx context.Context, tx *store.Tx, scope laurel.Scope, n nonce) (isNew bool, err error) {
	inserted, err := tx.Exec(ctx, `INSERT INTO wallet_nonces (website_id, organization_id, nonce_hash, expires_at)
		VALUES (?, ?, ?, ?) ON CONFLICT (website_id, nonce_hash) DO NOTHING`,
		scope.WebsiteID, scope.OrganizationID, n.hash, store.Micros(n.expiresAt))
	return inserted > 0, err
}

// deleteNonces deletes up to nonceChunk nonces that expired before a time, and returns how many it has deleted.
func deleteNonces(ctx context.Context, tx *store.Tx, before time.Time) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM wallet_nonces WHERE (website_id, nonce_hash) IN
		(SELECT website_id, nonce_hash FROM wallet_nonces WHERE expires_at < ? LIMIT ?)`, store.Micros(before), nonceChunk)
}
