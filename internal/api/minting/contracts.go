package minting

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/commerce/minting"
)

type listContractsInput struct {
	rest.Paging
	ShowOnMarketplace rest.Bool `query:"showOnMarketplace"`
	IncludeDeleted    rest.Bool `query:"includeDeleted"`
}

type listContractsOutput struct {
	Body listContractsBody
}

type listContractsBody struct {
	Data        []mintingContract `json:"data"`
	HasNextPage bool              `json:"hasNextPage"`
	Stats       []contractStats   `json:"stats"`
}

// contractStats sums up the assets and mints of a contract.
type contractStats struct {
	MintingContractID laurel.ID     `json:"mintingContractId"`
	Count             contractCount `json:"_count"`
	Sum               contractSum   `json:"_sum"`
}

type contractCount struct {
	IsListed int64 `json:"isListed" doc:"Live assets that are listed"`
}

type contractSum struct {
	Quantity       *int64 `json:"quantity"`
	QuantityMinted *int64 `json:"quantityMinted"`
}

// listContracts returns a page of minting contracts, and sums over the assets of each. The page ends early if the
// assets would not fit into one response.
func (h *handlers) listContracts(ctx context.Context, in *listContractsInput) (*listContractsOutput, error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Minting.Contracts(ctx, scope, minting.ContractFilter{
		OnMarketplace: in.ShowOnMarketplace.Ptr(), WithDeleted: in.IncludeDeleted.Value,
	}, in.Page())
	if err != nil {
		return nil, err
	}
	related, fit, err := h.loadContext(ctx, scope, page.Data)
	if err != nil {
		return nil, err
	}
	page = budget.FirstItems(page, fit)
	shaped := laurel.MapPage(page, related.contract)
	out := &listContractsOutput{Body: listContractsBody{shaped.Data, shaped.HasNextPage, []contractStats{}}}
	for _, c := range page.Data {
		stats := contractStats{MintingContractID: c.ID}
		if summary, ok := related.summaries[c.ID]; ok {
			stats.Count.IsListed = summary.Listed
			stats.Sum = contractSum{&summary.Quantity, &summary.Minted}
		}
		out.Body.Stats = append(out.Body.Stats, stats)
	}
	return out, nil
}

// contractResponse returns the response with one contract that was read or written. If err is not nil, it only returns
// err.
func (h *handlers) contractResponse(
	ctx context.Context, scope laurel.Scope, c minting.Contract, err error,
) (*rest.Response[mintingContract], error) {
	if err != nil {
		return nil, err
	}
	related, _, err := h.loadContext(ctx, scope.At(c.WebsiteID), []minting.Contract{c})
	return rest.ResponseOf(c, err, related.contract)
}

type createMintingContractBody struct {
	rest.TenantBody
	rest.RecordBody[minting.Contract]
}

// Creates marks the properties that a new contract needs as required.
func (createMintingContractBody) Creates() {}

type createContractInput struct {
	Body createMintingContractBody
}

// createContract creates a minting contract in a website.
func (h *handlers) createContract(
	ctx context.Context, in *createContractInput,
) (*rest.Response[mintingContract], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	c, err := h.Minting.CreateContract(ctx, scope, in.Body.Patch)
	return h.contractResponse(ctx, scope, c, err)
}

type updateMintingContractBody struct {
	rest.TenantBody
	rest.RecordBody[minting.Contract]
}

type updateContractInput struct {
	rest.PathID
	Body updateMintingContractBody
}

// updateContract changes the properties of a minting contract that the body sets.
func (h *handlers) updateContract(
	ctx context.Context, in *updateContractInput,
) (*rest.Response[mintingContract], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	c, err := h.Minting.UpdateContract(ctx, scope, in.ID.ID, in.Body.Patch)
	return h.contractResponse(ctx, scope, c, err)
}
