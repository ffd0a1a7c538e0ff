package collections

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

var table = store.NewRecords[Collection]("website_collections", "Collection")

// onConflict leaves a collection out if the website has a live one with the same network and address.
const onConflict = "ON CONFLICT (website_id, network, collection_address) WHERE deleted_at IS NULL DO NOTHING"

// live returns the condition for live collections of the scope.
func live(scope laurel.Scope) *store.Where { return ofTenant(scope).With("deleted_at IS NULL") }

// byID returns the condition for one live collection of the scope.
func byID(scope laurel.Scope, id laurel.ID) *store.Where { return live(scope).With("id = ?", id) }

// ofTenant returns the condition for all collections of the scope, deleted ones included.
func ofTenant(scope laurel.Scope) *store.Where {
	w := &store.Where{}
	w.Tenant("", scope)
	return w
}

// bySort lists live collections by sortId; a deleted one still works as a cursor.
func bySort(scope laurel.Scope) store.List {
	return store.List{Where: live(scope), Cursors: ofTenant(scope), Order: []string{"sort_id", "created_at", "id"}}
}

// SetMintingContract stores which minting contract mints the tokens of a live collection. The zero contract clears it.
// With the zero collection it does nothing. It runs in the transaction that changes the contract.
func SetMintingContract(ctx context.Context, tx *store.Tx, scope laurel.Scope, collection, contract laurel.ID) error {
	if collection.IsZero() {
		return nil
	}
	w := byID(scope, collection)
	_, err := tx.Exec(
		ctx,
		"UPDATE website_collections SET minting_contract_id = ?, updated_at = ?"+w.String(),
		append([]any{contract, store.Micros(tx.Now())}, w.Args...)...)
	return err
}
