package minting

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
)

// Gate is a question to OpensGate: whether a token gives access to an asset whose contract requires tokens.
type Gate struct {
	AssetID    laurel.ID
	ContractID laurel.ID
	Collection GatingCollection
	TokenID    string
}

// OpensGate reports whether a token gives access to an asset: whether the contract requires tokens of its collection,
// and the token exists. It also returns a message for the caller. If no blockchain can be read, it reports false.
// Errors: NotFound "Asset".
func (s *Service) OpensGate(ctx context.Context, scope laurel.Scope, g Gate) (bool, string, error) {
	t, err := s.readTerms(ctx, scope, Order{AssetID: g.AssetID, ContractID: g.ContractID})
	if err != nil {
		return false, "", err
	}
	g.Collection.Address = evm.Normalize(g.Collection.Address)
	if s.Exists == nil || !slices.Contains(t.contract.Collections, g.Collection) {
		return false, msgMustOwn, nil
	}
	exists, err := s.Exists(ctx, g.Collection, g.TokenID)
	if err != nil || !exists {
		return false, msgMustOwn, err
	}
	return true, "The token opens the gate", nil
}
