package minting

import (
	"context"
	"errors"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/evm"
)

const (
	loyaltyCurrency = "loyalty"
	nativeCurrency  = "native"
	activeStatus    = "active"
	pastStatus      = "past"
	ascending       = "asc"
	descending      = "desc"
)

// TokenIDs is a query parameter: one or many token ids.
type TokenIDs struct{ rest.Strings }

// Schema documents the array form.
func (TokenIDs) Schema(huma.Registry) *huma.Schema {
	return rest.ManySchema(&huma.Schema{Type: huma.TypeInteger})
}

// Lists of the values of query parameters.
type (
	currencyTypes struct{} // how assets are paid for
	assetStatuses struct{}
	assetOrders   struct{} // in which assets can be listed (contract 2)
	directions    struct{}
	networks      struct{} // that contracts can be on
)

func (currencyTypes) Values() []string { return []string{loyaltyCurrency, nativeCurrency} }
func (assetStatuses) Values() []string { return []string{activeStatus, pastStatus} }
func (assetOrders) Values() []string {
	return []string{minting.ByPrice, minting.ByStartsAt, minting.ByNr}
}
func (directions) Values() []string { return []string{ascending, descending} }
func (networks) Values() []string   { return evm.Networks() }

type listAssetsInput struct {
	rest.Paging
	Network                rest.OneOf[networks]      `query:"network"`
	IncludeMetadata        rest.Bool                 `query:"includeMetadata"`
	IncludeDeleted         rest.Bool                 `query:"includeDeleted"`
	IsHidden               rest.Bool                 `query:"isHidden" doc:"true: hidden ones too"`
	IsListed               rest.Bool                 `query:"isListed"`
	ContractAddress        rest.Address              `query:"contractAddress"`
	CurrencyType           rest.OneOf[currencyTypes] `query:"currencyType"`
	MintingContractAssetID rest.ID                   `query:"mintingContractAssetId"`
	MintingContractIDs     rest.IDs                  `query:"mintingContractIds"`
	Status                 rest.OneOf[assetStatuses] `query:"status"`
	TokenID                TokenIDs                  `query:"tokenId"`
	WalletAddress          rest.Addresses            `query:"walletAddress" doc:"Assets that these have minted"`
	SortBy                 rest.OneOf[assetOrders]   `query:"sortBy"`
	SortDir                rest.OneOf[directions]    `query:"sortDir" doc:"Default asc with sortBy"`
}

// filter returns the filter of assets that the query parameters ask for. Errors: Invalid.
func (in *listAssetsInput) filter() (minting.AssetFilter, error) {
	var f laurel.Faults
	// Without sortBy the newest come first; with it, the order is ascending. sortDir overrides both.
	out := minting.AssetFilter{
		ContractIDs: in.MintingContractIDs.Values, Address: in.ContractAddress.Text, Network: string(in.Network),
		Listed: in.IsListed.Ptr(), WithHidden: in.IsHidden.Value, WithDeleted: in.IncludeDeleted.Value,
		WithMetadata: in.IncludeMetadata.Value, Active: in.Status == activeStatus, Past: in.Status == pastStatus,
		SortBy: string(in.SortBy), Ascending: in.SortBy != "" && in.SortDir != descending || in.SortDir == ascending,
	}
	if !in.MintingContractAssetID.IsZero() {
		out.IDs = []laurel.ID{in.MintingContractAssetID.ID}
	}
	if in.CurrencyType != "" {
		onChain := in.CurrencyType == nativeCurrency
		out.Native = &onChain
	}
	for _, text := range in.TokenID.Values {
		id, err := strconv.ParseInt(text, 10, 64)
		switch {
		case errors.Is(err, strconv.ErrRange):
			id = -1 // no token has it
		case err != nil:
			f.Add("tokenId", "must be a number")
		}
		out.TokenIDs = append(out.TokenIDs, id)
	}
	out.MintedBy = in.WalletAddress.Values
	return out, f.Err()
}

const maxTokenID = 128

// listAssets returns a page of the assets that match the parameters, with their auction items.
func (h *handlers) listAssets(ctx context.Context, in *listAssetsInput) (*rest.Page[mintingAsset], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	filter, err := in.filter()
	if err != nil {
		return nil, err
	}
	if err := h.Caller.CheckUserFilter(ctx, scope, caller.Users{WalletAddress: in.WalletAddress}); err != nil {
		return nil, err
	}
	page, err := h.Minting.Assets(ctx, scope, filter, in.Page())
	if err != nil {
		return nil, err
	}
	ids := make([]laurel.ID, len(page.Data))
	for i, a := range page.Data {
		ids[i] = a.ID
	}
	auctions, err := h.auctionItems(ctx, scope, ids)
	return rest.ListOf(page, err, assetContext{auctions: auctions}.asset)
}

type getAssetInput struct {
	rest.PathID
	rest.Tenant
	IncludeMetadata rest.Bool `query:"includeMetadata"`
}

// getAsset returns an asset, with its metadata if includeMetadata is set.
func (h *handlers) getAsset(ctx context.Context, in *getAssetInput) (*rest.Response[mintingAsset], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	a, err := h.Minting.Asset(ctx, scope, in.ID.ID)
	return h.assetResponse(ctx, scope, a, in.IncludeMetadata.Value, err)
}

// assetResponse returns the response with one asset that was read or written, and its metadata if metadata is set. If
// err is not nil, it only returns err.
func (h *handlers) assetResponse(
	ctx context.Context, scope laurel.Scope, a minting.Asset, metadata bool, err error,
) (*rest.Response[mintingAsset], error) {
	if err != nil {
		return nil, err
	}
	if !metadata {
		a.Metadata = nil
	}
	auctions, err := h.auctionItems(ctx, scope.At(a.WebsiteID), []laurel.ID{a.ID})
	return rest.ResponseOf(a, err, assetContext{auctions: auctions}.asset)
}

type createMintingAssetBody struct {
	rest.TenantBody
	rest.RecordBody[minting.Asset]
}

// Creates marks the properties that a new asset needs as required.
func (createMintingAssetBody) Creates() {}

type createAssetInput struct {
	Body createMintingAssetBody
}

// createAsset creates an asset in a minting contract.
func (h *handlers) createAsset(ctx context.Context, in *createAssetInput) (*rest.Response[mintingAsset], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	a, err := h.Minting.CreateAsset(ctx, scope, in.Body.Patch)
	return h.assetResponse(ctx, scope, a, false, err)
}

type updateMintingAssetBody struct {
	rest.TenantBody
	rest.RecordBody[minting.Asset]
}

type updateAssetInput struct {
	rest.PathID
	Body updateMintingAssetBody
}

// updateAsset changes the properties of an asset that the body sets.
func (h *handlers) updateAsset(ctx context.Context, in *updateAssetInput) (*rest.Response[mintingAsset], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	a, err := h.Minting.UpdateAsset(ctx, scope, in.ID.ID, in.Body.Patch)
	return h.assetResponse(ctx, scope, a, false, err)
}

// deleteAsset deletes an asset and returns it.
func (h *handlers) deleteAsset(ctx context.Context, in *caller.RecordID) (*rest.Response[mintingAsset], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	a, err := h.Minting.DeleteAsset(ctx, scope, in.ID.ID)
	return h.assetResponse(ctx, scope, a, false, err)
}

// allowEntry is an entry of an allowlist (contract 3.25).
type allowEntry struct {
	ID                     laurel.ID `json:"id"`
	MintingContractAssetID laurel.ID `json:"mintingContractAssetId"`
	WalletAddress          string    `json:"walletAddress"`
	TotalQuantity          int64     `json:"totalQuantity"`
	QuantityMinted         int64     `json:"quantityMinted"`
}

func shapeAllowEntry(e minting.AllowEntry) allowEntry {
	return allowEntry{e.ID, e.AssetID, e.Wallet, e.Quantity, e.Minted}
}

type listAllowedInput struct {
	rest.Paging
	MintingContractAssetID rest.ID      `query:"mintingContractAssetId" required:"true"`
	WalletAddress          rest.Address `query:"walletAddress"`
}

// listAllowlist returns a page of the allowlist of an asset.
func (h *handlers) listAllowlist(ctx context.Context, in *listAllowedInput) (*rest.Page[allowEntry], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Minting.Allowlist(
		ctx, scope, in.MintingContractAssetID.ID, in.WalletAddress.Text, in.Page())
	return rest.ListOf(page, err, shapeAllowEntry)
}

type allowBody struct {
	rest.TenantBody
	MintingContractAssetID laurel.ID                 `json:"mintingContractAssetId"`
	Entries                []minting.AllowEntryInput `json:"entries"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (allowBody) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"entries": {"minItems": 1, "maxItems": minting.MaxAllowEntries()},
	}}
}

type allowInput struct {
	Body allowBody
}

type allowOutput struct {
	Body struct {
		CreatedCount           int64     `json:"createdCount"`
		MintingContractAssetID laurel.ID `json:"mintingContractAssetId"`
	}
}

// addToAllowlist writes entries of the allowlist of an asset and returns how many are new.
func (h *handlers) addToAllowlist(ctx context.Context, in *allowInput) (*allowOutput, error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	out := &allowOutput{}
	out.Body.MintingContractAssetID = in.Body.MintingContractAssetID
	out.Body.CreatedCount, err = h.Minting.AddToAllowlist(ctx, scope, in.Body.MintingContractAssetID, in.Body.Entries)
	if err != nil {
		return nil, err
	}
	return out, nil
}

type tokenGateInput struct {
	rest.Tenant
	CollectionAddress      rest.Address         `query:"collectionAddress" required:"true"`
	MintingContractAssetID rest.ID              `query:"mintingContractAssetId" required:"true"`
	MintingContractID      rest.ID              `query:"mintingContractId" required:"true"`
	Network                rest.OneOf[networks] `query:"network" required:"true"`
	TokenID                string               `query:"tokenId" required:"true"`
}

type tokenGateOutput struct {
	Body struct {
		Eligible bool   `json:"eligible"`
		Message  string `json:"message"`
	}
}

// tokenGate returns whether owning a token of a collection gives access to an asset whose contract requires such
// tokens, and a message that says why.
func (h *handlers) tokenGate(ctx context.Context, in *tokenGateInput) (*tokenGateOutput, error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	var f laurel.Faults
	f.Text("tokenId", in.TokenID, 0, maxTokenID)
	if err := f.Err(); err != nil {
		return nil, err
	}
	gate := minting.Gate{
		AssetID: in.MintingContractAssetID.ID, ContractID: in.MintingContractID.ID, TokenID: in.TokenID,
		Collection: minting.GatingCollection{Address: in.CollectionAddress.Text, Network: string(in.Network)},
	}
	out := &tokenGateOutput{}
	out.Body.Eligible, out.Body.Message, err = h.Minting.OpensGate(ctx, scope, gate)
	if err != nil {
		return nil, err
	}
	return out, nil
}
