package commerce

import (
	"context"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/commerce/contracts"
)

// contract is contract 3.23.
type contract struct {
	ID             laurel.ID         `json:"id"`
	OrganizationID laurel.ID         `json:"organizationId"`
	WebsiteID      laurel.ID         `json:"websiteId"`
	Name           *string           `json:"name"`
	Address        string            `json:"address"`
	ChainID        *int64            `json:"chainId"`
	Type           string            `json:"type"`
	ABI            abi               `json:"abi,omitempty" doc:"As it was sent; absent with includeAbi=false"`
	IconURL        *string           `json:"iconUrl,omitempty"`
	CreatedAt      laurel.Timestamp  `json:"createdAt"`
	UpdatedAt      laurel.Timestamp  `json:"updatedAt"`
	DeletedAt      *laurel.Timestamp `json:"deletedAt,omitempty"`
}

// abi is a JSON array, or the text of one.
type abi json.RawMessage

// MarshalJSON writes the stored value.
func (a abi) MarshalJSON() ([]byte, error) { return a, nil }

// Schema documents an array of objects, the text of one, or none.
func (abi) Schema(huma.Registry) *huma.Schema { return rest.ArrayOrText() }

// shapeWithABI returns a contract as responses show it, with its ABI, which is null if the contract has none.
func shapeWithABI(c contracts.Contract) contract {
	out := shapeWithoutABI(c)
	if out.ABI = abi(c.ABI); c.ABI == nil {
		out.ABI = abi("null")
	}
	return out
}

// shapeWithoutABI returns a contract as responses show it, without its ABI.
func shapeWithoutABI(c contracts.Contract) contract {
	return contract{
		ID: c.ID, OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID, Name: c.Name, Address: c.Address,
		ChainID: c.ChainID, Type: c.Type, IconURL: c.IconURL, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
		DeletedAt: laurel.Stamp(c.DeletedAt.Time),
	}
}

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

type contractInput struct {
	rest.PathID
	rest.Tenant
}

// getContract returns a contract with its ABI.
func (h *handlers) getContract(ctx context.Context, in *contractInput) (*rest.Response[contract], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	c, err := h.Contracts.Get(ctx, scope, in.ID.ID)
	return rest.ResponseOf(c, err, shapeWithABI)
}

type createContractBody struct {
	rest.TenantBody
	contracts.Input
}

// Creates marks the properties that a new contract needs as required.
func (createContractBody) Creates() {}

type createContractInput struct {
	Body createContractBody
}

// createContract registers a contract in a website.
func (h *handlers) createContract(ctx context.Context, in *createContractInput) (*rest.Response[contract], error) {
	t := in.Body.Tenant()
	scope, err := h.Caller.NarrowToWebsite(ctx, t.OrganizationID.ID, t.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	c, err := h.Contracts.Create(ctx, scope, in.Body.Input)
	return rest.ResponseOf(c, err, shapeWithABI)
}

type updateContractBody struct {
	rest.TenantBody
	contracts.Input
}

type updateContractInput struct {
	rest.PathID
	Body updateContractBody
}

// updateContract changes the properties of a contract that the body sets.
func (h *handlers) updateContract(ctx context.Context, in *updateContractInput) (*rest.Response[contract], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	c, err := h.Contracts.Update(ctx, scope, in.ID.ID, in.Body.Input)
	return rest.ResponseOf(c, err, shapeWithABI)
}

// deleteContract deletes a contract and returns it.
func (h *handlers) deleteContract(ctx context.Context, in *contractInput) (*rest.Response[contract], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	c, err := h.Contracts.Delete(ctx, scope, in.ID.ID)
	return rest.ResponseOf(c, err, shapeWithABI)
}
