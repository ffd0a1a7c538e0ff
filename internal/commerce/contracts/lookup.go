package contracts

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// ERC20 is the type of contracts of fungible tokens (EIP-20).
const ERC20 = "erc20"

// GetForShare returns a live contract of the scope's website, which stays until the transaction ends: for what is about to
// name it. Errors: NotFound "Contract".
func (s *Service) GetForShare(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Contract, error) {
	return find(ctx, tx, scope, id, tx.ForShare())
}

// ByID returns those of the contracts that are in the scope, deleted ones too, without their ABIs.
func (s *Service) ByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (map[laurel.ID]Contract, error) {
	return selectByID(ctx, s.db, scope, ids)
}
