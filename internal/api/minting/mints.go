package minting

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
)

type mintBody struct {
	rest.TenantBody
	caller.NamedUser
	AssetID           laurel.ID                  `json:"assetId"`
	ContractID        laurel.ID                  `json:"contractId"`
	Quantity          laurel.Optional[int64]     `json:"quantity,omitzero"`
	EmailAddress      laurel.Optional[string]    `json:"emailAddress,omitzero"`
	CustomInputValue  laurel.Optional[string]    `json:"customInputValue,omitzero"`
	ShippingID        laurel.Optional[laurel.ID] `json:"shippingId,omitzero"`
	ShippingOrderType laurel.Optional[string]    `json:"shippingOrderType,omitzero" doc:"Recorded"`
	AgreedToSendW9    laurel.Optional[bool]      `json:"agreedToSendW9,omitzero" doc:"Recorded"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (mintBody) Bounds() laurel.Bounds { return minting.Order{}.Bounds() }

// order converts the body of a request to an order of package minting: by default of one item.
func (b mintBody) order() minting.Order {
	o := minting.Order{
		AssetID: b.AssetID, ContractID: b.ContractID, User: b.Ref(), Quantity: 1, Email: b.EmailAddress.Value,
		CustomInput: b.CustomInputValue.Value, ShippingID: b.ShippingID.Value, ShippingType: b.ShippingOrderType.Value,
		AgreedToSendW9: b.AgreedToSendW9.Value,
	}
	if n := b.Quantity.Ptr(); n != nil {
		o.Quantity = *n
	}
	return o
}

type mintInput struct {
	Body mintBody
}

type mintOutput struct {
	Body struct {
		MintingContractAssetMintStatusID laurel.ID `json:"mintingContractAssetMintStatusId"`
	}
}

// mint mints items of an asset for a user. A client key needs the member token of that user, and its mints are limited
// per minute.
func (h *handlers) mint(ctx context.Context, in *mintInput) (*mintOutput, error) {
	order := in.Body.order()
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	if scope.Role == laurel.RoleClient {
		if err := h.Caller.CheckProvesMember(ctx, scope, order.User); err != nil {
			return nil, err
		}
		if err := h.limitMints(ctx, scope); err != nil {
			return nil, err
		}
	}
	made, err := h.Minting.Mint(ctx, scope, order)
	if err != nil {
		return nil, err
	}
	out := &mintOutput{}
	out.Body.MintingContractAssetMintStatusID = made.ID
	return out, nil
}

// mintsPerUser is how many mints a member may make through client keys per minute (contract 1.9).
const mintsPerUser = 5

// limitMints counts a mint through a client key for the member of its token. Errors: RateLimited if the member has used
// up mintsPerUser of this minute.
func (h *handlers) limitMints(ctx context.Context, scope laurel.Scope) error {
	if h.LimitsOff {
		return nil
	}
	member, err := rest.MemberOf(ctx)
	if err != nil {
		return err
	}
	name := "mint:" + scope.WebsiteID.String() + ":" + member.String()
	allowed, err := h.Tenancy.Allow(ctx, name, mintsPerUser, time.Minute)
	if err != nil {
		return err
	}
	return rest.ReportSharedLimit(ctx, "mints", mintsPerUser, time.Minute, allowed)
}

// mintStatuses lists the statuses of mints.
type mintStatuses struct{}

// Values returns them.
func (mintStatuses) Values() []string { return minting.Statuses() }

type listMintsInput struct {
	rest.Paging
	caller.Users
	Status rest.ManyOf[mintStatuses] `query:"status"`
}

// listMints returns a page of mints. A client key gets those of one user, whose member token it needs even if the
// website trusts client keys.
func (h *handlers) listMints(ctx context.Context, in *listMintsInput) (*rest.Page[mintStatus], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := h.Caller.RestrictToOwn(ctx, scope, &in.Users); err != nil {
		return nil, err
	}
	if scope.Role == laurel.RoleClient {
		if err := h.Caller.CheckProvesMember(ctx, scope, singleUser(in.Users)); err != nil {
			return nil, err
		}
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	page, err := h.Report.Mints(ctx, scope, report.MintFilter{Users: in.Filter(), Statuses: in.Status.Values}, in.Page())
	return rest.ListOf(page, err, mintShaper(scope, viewer))
}

// singleUser returns the only user in a filter, as RestrictToOwn demands of client keys.
func singleUser(u caller.Users) identity.Ref {
	if len(u.UserID.Values) == 1 {
		return identity.Ref{UserID: u.UserID.Values[0]}
	}
	return identity.Ref{Wallet: u.WalletAddress.Values[0]}
}

// getOwnMint returns a mint and the scope of the request. With a client key it returns only mints of the member of its
// token. Errors: NotFound "Mint", also for a mint of another member.
func (h *handlers) getOwnMint(ctx context.Context, t rest.Tenant, id laurel.ID) (laurel.Scope, minting.Mint, error) {
	scope, err := h.Caller.Narrow(ctx, t)
	if err != nil {
		return scope, minting.Mint{}, err
	}
	var member laurel.ID
	if scope.Role == laurel.RoleClient {
		if member, err = rest.MemberOf(ctx); err != nil {
			return scope, minting.Mint{}, err
		}
	}
	m, err := h.Minting.GetMint(ctx, scope, id)
	if err == nil && !member.IsZero() && m.UserID != member {
		err = laurel.Missing("Mint")
	}
	return scope, m, err
}

// getMint returns a mint. With a client key it returns only mints of the member of its token.
func (h *handlers) getMint(ctx context.Context, in *caller.RecordID) (*rest.Response[mintStatus], error) {
	scope, m, err := h.getOwnMint(ctx, in.Tenant, in.ID.ID)
	if err != nil {
		return nil, err
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	return rest.ResponseOf(m, err, mintShaper(scope, viewer))
}

type reportMintBody struct {
	rest.TenantBody
	Status string                  `json:"status"`
	TxHash laurel.Optional[string] `json:"txHash,omitzero"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (reportMintBody) Bounds() laurel.Bounds { return minting.Report{}.Bounds() }

type reportMintInput struct {
	rest.PathID
	Body reportMintBody
}

type reportMintOutput struct {
	Body struct {
		Message string `json:"message" enum:"Success"`
	}
}

// reportMint records the result of a mint on a blockchain. Only a secret key can report that it failed.
func (h *handlers) reportMint(ctx context.Context, in *reportMintInput) (*reportMintOutput, error) {
	scope, m, err := h.getOwnMint(ctx, in.Body.Tenant(), in.ID.ID)
	if err != nil {
		return nil, err
	}
	if scope.Role == laurel.RoleClient && in.Body.Status == minting.Failed {
		return nil, laurel.Errorf(laurel.Refused, "Only a secret key can report failed")
	}
	report := minting.Report{Status: in.Body.Status, TxHash: in.Body.TxHash.Value}
	if err := h.Minting.Report(ctx, scope, m.ID, report); err != nil {
		return nil, err
	}
	out := &reportMintOutput{}
	out.Body.Message = "Success"
	return out, nil
}
