package collections

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var table = store.NewRecords[Collection]("website_collections", "Collection")

// onConflict leaves a collection out if the website has a live one with the same network and address.
const onConflict = "ON CONFLICT (website_id, network, collection_address) WHERE deleted_at IS NULL DO NOTHING"

// bySort lists live collections by sortId; a deleted one still works as a cursor.
func bySort(scope laurel.Scope) store.List {
	return store.List{
		Where: store.Live(scope), Cursors: store.OfTenant(scope), Order: []string{"sort_id", "created_at", "id"},
	}
}

// FindByAddress returns the live collection of the scope's website with a network and an address. It returns false if
// there is none.
func (s *Service) FindByAddress(
	ctx context.Context, scope laurel.Scope, network, address string,
) (c Collection, found bool, err error) {
	w := store.Live(scope).With("network = ?", network).With("collection_address = ?", address)
	list, err := table.Select(ctx, s.db, w, "")
	if err != nil || len(list) == 0 {
		return Collection{}, false, err
	}
	return list[0], true, nil
}

// SetMintingContract stores which minting contract mints the tokens of a live collection. The zero contract clears it.
// With the zero collection it does nothing. It runs in the transaction that changes the contract.
func SetMintingContract(ctx context.Context, tx *store.Tx, scope laurel.Scope, collection, contract laurel.ID) error {
	if collection.IsZero() {
		return nil
	}
	w := store.LiveByID(scope, collection)
	_, err := tx.Exec(
		ctx,
		"UPDATE website_collections SET minting_contract_id = ?, updated_at = ?"+w.String(),
		append([]any{contract, store.Micros(tx.Now())}, w.Args...)...)
	return err
}
