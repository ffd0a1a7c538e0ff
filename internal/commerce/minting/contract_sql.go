package minting

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var contractTable = store.NewRecords[Contract]("minting_contracts", "Minting contract")

// contracts is the table of contracts for Works. Their locks keep the gates and terms from changing between a decision
// and its commit.
var contracts = &store.Table[laurel.ID, Contract]{
	Name: "minting contracts", Rank: store.LockRankMintingContracts,
	Compare: laurel.ID.Compare,
	Query:   contractTable.As("t").Query(),
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(c *Contract) laurel.ID { return c.ID },
	New:     func(laurel.ID) *Contract { return &Contract{} },
}

// lockContract waits until no Work is minting from the contract, and keeps others out until the transaction ends.
func lockContract(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	return contracts.LockExclusively(ctx, tx, id)
}

// listContracts reads a page of contracts, newest first. Errors: Invalid for an unknown cursor.
func listContracts(
	ctx context.Context, q store.Queryer, scope laurel.Scope, f ContractFilter, page laurel.PageRequest,
) (laurel.Page[Contract], error) {
	w := store.OfTenant(scope)
	if !f.WithDeleted {
		w.Add("deleted_at IS NULL")
	}
	if f.OnMarketplace != nil {
		w.Add("show_on_marketplace = ?", *f.OnMarketplace)
	}
	order := store.List{Where: w, Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true}
	return contractTable.Page(ctx, q, order, page)
}
