package contracts

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// ERC20 is the type of contracts of fungible tokens (EIP-20).
const ERC20 = "erc20"

// GetForShare returns a live contract of the scope's website and keeps it from being deleted until the transaction
// ends, for a record that is about to use it. Errors: NotFound "Contract".
func (s *Service) GetForShare(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Contract, error) {
	return table.Get(ctx, tx, store.LiveByID(scope, id), tx.ForShare())
}

// ByID returns the contracts with these ids that are in the scope, deleted ones too, without their ABIs.
func (s *Service) ByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (map[laurel.ID]Contract, error) {
	return selectByID(ctx, s.db, scope, ids)
}
