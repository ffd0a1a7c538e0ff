package commerce

import (
	"context"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/contracts"
)

// contract is contract 3.23.
type contract struct {
	contracts.Contract
	ABI abi `json:"abi,omitempty" doc:"As it was sent; absent with includeAbi=false"`
}

// abi is a JSON array, or the text of one.
type abi json.RawMessage

// MarshalJSON writes the stored value.
func (a abi) MarshalJSON() ([]byte, error) { return a, nil }

// Schema documents an array of objects, the text of one, or none.
func (abi) Schema(huma.Registry) *huma.Schema { return rest.ArrayOrText() }

// shapeWithABI returns a contract as responses show it, with its ABI, which is null if the contract has none.
func shapeWithABI(c contracts.Contract) contract {
	if c.ABI == nil {
		return contract{c, abi("null")}
	}
	return contract{c, abi(c.ABI)}
}

// shapeWithoutABI returns a contract as responses show it, without its ABI.
func shapeWithoutABI(c contracts.Contract) contract { return contract{Contract: c} }

type listContractsInput struct {
	rest.Paging
	ID         rest.ID   `query:"id"`
	Search     string    `query:"search" doc:"A part of the name or the address"`
	Cursor     rest.ID   `query:"cursor" doc:"Another name of startingAfter"`
	IncludeABI rest.Bool `query:"includeAbi" doc:"Default true"`
}

// listContracts returns a page of contracts, without their ABIs if includeAbi is false. cursor is another name of
// startingAfter.
func (h *handlers) listContracts(ctx context.Context, in *listContractsInput) (*rest.Page[contract], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page := in.Page()
	if page.StartingAfter.IsZero() {
		page.StartingAfter = in.Cursor.ID
	}
	withABI := in.IncludeABI.Or(true)
	found, err := h.Contracts.List(
		ctx, scope, contracts.Filter{ID: in.ID.ID, Search: in.Search, WithoutABI: !withABI}, page)
	if !withABI {
		return rest.ListOf(found, err, shapeWithoutABI)
	}
	return rest.ListOf(found, err, shapeWithABI)
}
