package people

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/report"
)

// multiplier is contract 3.20.
type multiplier struct {
	engagement.Multiplier
	User caller.ShortUser `json:"user"`
}

// multiplierResponse returns the response with one multiplier that was written. If err is not nil, it only returns err.
func (h *handlers) multiplierResponse(
	ctx context.Context,
	scope laurel.Scope,
	m engagement.Multiplier,
	err error,
) (*rest.Response[multiplier], error) {
	if err != nil {
		return nil, err
	}
	wallets, err := h.Identity.WalletsOf(ctx, scope, []laurel.ID{m.UserID})
	return rest.ResponseOf(m, err, func(m engagement.Multiplier) multiplier {
		user := caller.ShortUser{ID: m.UserID}
		if w := wallets[m.UserID]; w != "" {
			user.WalletAddress = &w
		}
		return multiplier{m, user}
	})
}

type listMultipliersInput struct {
	rest.Paging
	caller.Users
	ExternalIdentifier    string    `query:"externalIdentifier" doc:"The externalIdentifier of the multiplier"`
	WalletGroupIdentifier string    `query:"walletGroupIdentifier"`
	IncludeDeleted        rest.Bool `query:"includeDeleted"`
}

// listMultipliers returns a page of multipliers.
func (h *handlers) listMultipliers(ctx context.Context, in *listMultipliersInput) (*rest.Page[multiplier], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := h.Caller.CheckUserFilter(ctx, scope, in.Users); err != nil {
		return nil, err
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	f := report.MultiplierFilter{
		Users:              in.Filter(),
		ExternalIdentifier: in.ExternalIdentifier,
		WithDeleted:        in.IncludeDeleted.Value,
	}
	f.Users.WalletGroupIdentifier = in.WalletGroupIdentifier
	page, err := h.Report.Multipliers(ctx, scope, f, in.Page())
	return rest.ListOf(page, err, func(m report.Multiplier) multiplier {
		return multiplier{m.Multiplier, caller.ShortUserOf(viewer, m.UserID, m.Wallet)}
	})
}

type giveMultiplierBody struct {
	rest.RecordBody[engagement.Multiplier]
	caller.NamedUser
	rest.TenantBody
	ExternalIdentifier laurel.Optional[string] `json:"externalIdentifier,omitzero" doc:"Names one live multiplier of the website"`
}

func (giveMultiplierBody) Creates() {}

type giveMultiplierInput struct {
	Body giveMultiplierBody
}

// grantMultiplier grants a multiplier to the user that the body names.
func (h *handlers) grantMultiplier(ctx context.Context, in *giveMultiplierInput) (*rest.Response[multiplier], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	m, err := h.Engagement.GrantMultiplier(
		ctx,
		scope,
		engagement.GrantMultiplierInput{MultiplierPatch: in.Body.Patch, User: in.Body.Ref(),
			ExternalIdentifier: in.Body.ExternalIdentifier.Ptr()},
	)
	return h.multiplierResponse(ctx, scope, m, err)
}

type updateMultiplierInput struct {
	rest.PathID
	Body struct {
		rest.RecordBody[engagement.Multiplier]
		rest.TenantBody
	}
}

// updateMultiplier changes the properties of a multiplier that the body sets.
func (h *handlers) updateMultiplier(
	ctx context.Context,
	in *updateMultiplierInput,
) (*rest.Response[multiplier], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	m, err := h.Engagement.UpdateMultiplier(ctx, scope, in.ID.ID, in.Body.Patch)
	return h.multiplierResponse(ctx, scope, m, err)
}

// getMultiplier returns a multiplier, to show what it is now.
func (h *handlers) getMultiplier(ctx context.Context, in *rest.PathID) (*rest.Response[multiplier], error) {
	scope := rest.ScopeOf(ctx)
	m, err := h.Engagement.Multiplier(ctx, scope, in.ID.ID)
	return h.multiplierResponse(ctx, scope, m, err)
}

type deleteMultiplierInput struct {
	rest.PathID
	rest.Tenant
}

// deleteMultiplier deletes a multiplier by its id.
func (h *handlers) deleteMultiplier(
	ctx context.Context,
	in *deleteMultiplierInput,
) (*rest.Response[rest.IDBody], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	m, err := h.Engagement.DeleteMultiplier(ctx, scope, in.ID.ID)
	return rest.ResponseOf(m, err, func(m engagement.Multiplier) rest.IDBody { return rest.IDBody{ID: m.ID} })
}

type deleteNamedMultiplierInput struct {
	rest.Tenant
	ExternalIdentifier string `query:"externalIdentifier" doc:"Also accepted in the body"`
	Body               struct {
		rest.TenantBody
		ExternalIdentifier string `json:"externalIdentifier,omitempty"`
	}
}

// deleteMultiplierByExternalID deletes the multiplier with the externalIdentifier in the query or the body; the body
// takes precedence.
func (h *handlers) deleteMultiplierByExternalID(
	ctx context.Context,
	in *deleteNamedMultiplierInput,
) (*rest.Response[multiplier], error) {
	tenant, externalID := in.Or(in.Body.Tenant()), in.ExternalIdentifier
	if in.Body.ExternalIdentifier != "" {
		externalID = in.Body.ExternalIdentifier
	}
	scope, err := h.Caller.NarrowToWebsite(ctx, tenant.OrganizationID.ID, tenant.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	m, err := h.Engagement.DeleteMultiplierByExternalID(ctx, scope, externalID)
	return h.multiplierResponse(ctx, scope, m, err)
}
