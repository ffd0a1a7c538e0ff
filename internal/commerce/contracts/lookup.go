package contracts

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/abi"
	"laurel.example/laurel/internal/store"
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

// AddressesOn returns the addresses of live contracts of the scope's website on a chain: those with the ids, or all if
// there are none.
func (s *Service) AddressesOn(
	ctx context.Context, scope laurel.Scope, chainID uint64, ids []laurel.ID,
) ([]string, error) {
	return selectAddresses(ctx, s.db, scope, int64(chainID), ids) //nolint:gosec // chain ids have 53 bits
}

// ABIOf returns what a live contract of the scope's website has: its own ABI, with isOwn, or else what the standard of
// its type says. An ABI from before ABIs were checked counts as none if it has faults. Errors: NotFound "Contract".
func ABIOf(
	ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID,
) (c *abi.Contract, isOwn bool, err error) {
	found, isOwn, err := WithABI(ctx, q, scope, id)
	return found.ABI, isOwn, err
}

// parsedABI returns the contract's own ABI, or else what the standard of its type says.
func (c *Contract) parsedABI() (parsed *abi.Contract, isOwn bool) {
	if c.ABI != nil {
		var f laurel.Faults
		if own := abi.ParseContract(&f, "abi", json.RawMessage(c.ABI)); own != nil {
			return own, true
		}
	}
	return abi.Standard(c.Type), false
}

// ContractWithABI is a contract with what it has.
type ContractWithABI struct {
	Contract Contract
	ABI      *abi.Contract
}

// WithABI returns a live contract of the scope's website with its ABI, as ABIOf. Errors: NotFound "Contract".
func WithABI(
	ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID,
) (out ContractWithABI, isOwn bool, err error) {
	if out.Contract, err = table.Get(ctx, q, store.LiveByID(scope, id), ""); err == nil {
		out.ABI, isOwn = out.Contract.parsedABI()
	}
	return out, isOwn, err
}
