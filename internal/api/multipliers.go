package api

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/report"
)

// multiplier is contract 3.20.
type multiplier struct {
	ID                 laurel.ID         `json:"id"`
	OrganizationID     laurel.ID         `json:"organizationId"`
	WebsiteID          laurel.ID         `json:"websiteId"`
	UserID             laurel.ID         `json:"userId"`
	User               shortUser         `json:"user"`
	Multiplier         laurel.Amount     `json:"multiplier"`
	Title              *string           `json:"title"`
	Description        *string           `json:"description"`
	ExternalIdentifier *string           `json:"externalIdentifier"`
	LoyaltyCurrencyIDs []laurel.ID       `json:"loyaltyCurrencyIds" doc:"Empty: all currencies"`
	LoyaltyRuleID      *laurel.ID        `json:"loyaltyRuleId,omitempty" doc:"The rule that gave it"`
	LoyaltyBadgeID     *laurel.ID        `json:"loyaltyBadgeId,omitempty" doc:"The badge that gave it"`
	CreatedAt          laurel.Timestamp  `json:"createdAt"`
	UpdatedAt          laurel.Timestamp  `json:"updatedAt"`
	DeletedAt          *laurel.Timestamp `json:"deletedAt"`
}

func shapeMultiplier(v identity.Viewer, m report.Multiplier) multiplier {
	stamp := func(t time.Time) laurel.Timestamp { return laurel.Timestamp{Time: t} }
	return multiplier{
		ID:                 m.ID,
		OrganizationID:     m.OrganizationID,
		WebsiteID:          m.WebsiteID,
		UserID:             m.UserID,
		User:               shapeName(v, m.UserID, m.Wallet),
		Multiplier:         m.Value,
		Title:              m.Title,
		Description:        m.Description,
		ExternalIdentifier: m.ExternalIdentifier,
		LoyaltyCurrencyIDs: m.CurrencyIDs(),
		LoyaltyRuleID:      m.RuleID.Ptr(),
		LoyaltyBadgeID:     m.BadgeID.Ptr(),
		CreatedAt:          stamp(m.CreatedAt()),
		UpdatedAt:          stamp(m.UpdatedAt()),
		DeletedAt:          laurel.Stamp(m.DeletedAt()),
	}
}

// written returns a multiplier as it was written.
func (a *API) written(
	ctx context.Context,
	scope laurel.Scope,
	m engagement.Multiplier,
	err error,
) (*answer[multiplier], error) {
	if err != nil {
		return nil, err
	}
	wallets, err := a.cfg.Identity.WalletsOf(ctx, scope, []laurel.ID{m.UserID})
	return answerOf(m, err, func(m engagement.Multiplier) multiplier {
		out := multiplier{
			ID:                 m.ID,
			OrganizationID:     m.OrganizationID,
			WebsiteID:          m.WebsiteID,
			UserID:             m.UserID,
			User:               shortUser{ID: m.UserID},
			Multiplier:         m.Value,
			Title:              m.Title,
			Description:        m.Description,
			ExternalIdentifier: m.ExternalIdentifier,
			LoyaltyCurrencyIDs: append([]laurel.ID{}, m.CurrencyIDs...),
			LoyaltyRuleID:      m.RuleID.Ptr(),
			LoyaltyBadgeID:     m.BadgeID.Ptr(),
			CreatedAt:          laurel.Timestamp{Time: m.CreatedAt},
			UpdatedAt:          laurel.Timestamp{Time: m.UpdatedAt},
			DeletedAt:          laurel.Stamp(m.DeletedAt),
		}
		if w := wallets[m.UserID]; w != "" {
			out.User.WalletAddress = &w
		}
		return out
	})
}

type listMultipliersInput struct {
	List
	Users
	ExternalIdentifier    string `query:"externalIdentifier" doc:"Of the multiplier"`
	WalletGroupIdentifier string `query:"walletGroupIdentifier"`
	IncludeDeleted        Bool   `query:"includeDeleted"`
}

func (a *API) listMultipliers(ctx context.Context, in *listMultipliersInput) (*answer[list[multiplier]], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := a.mayAsk(ctx, scope, in.Users); err != nil {
		return nil, err
	}
	viewer, err := a.viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	f := report.MultiplierFilter{
		Users:              in.filter(),
		ExternalIdentifier: in.ExternalIdentifier,
		WithDeleted:        in.IncludeDeleted.Value,
	}
	f.Users.WalletGroupIdentifier = in.WalletGroupIdentifier
	page, err := a.cfg.Report.Multipliers(ctx, scope, f, in.page())
	return listOf(page, err, func(m report.Multiplier) multiplier { return shapeMultiplier(viewer, m) })
}

type giveMultiplierBody struct {
	engagement.MultiplierInput
	Named
	TenantBody
	ExternalIdentifier laurel.Optional[string] `json:"externalIdentifier,omitzero" doc:"Names one live multiplier of the website"`
}

func (giveMultiplierBody) creates() {}

type giveMultiplierInput struct {
	Body giveMultiplierBody
}

func (a *API) giveMultiplier(ctx context.Context, in *giveMultiplierInput) (*answer[multiplier], error) {
	scope, err := a.narrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	m, err := a.cfg.Engagement.GiveMultiplier(
		ctx,
		scope,
		engagement.GiveMultiplierInput{MultiplierInput: in.Body.MultiplierInput, User: in.Body.ref(),
			ExternalIdentifier: in.Body.ExternalIdentifier.Ptr()},
	)
	return a.written(ctx, scope, m, err)
}

type updateMultiplierInput struct {
	PathID
	Body struct {
		engagement.MultiplierInput
		TenantBody
	}
}

func (a *API) updateMultiplier(ctx context.Context, in *updateMultiplierInput) (*answer[multiplier], error) {
	scope, err := a.narrow(ctx, in.Body.tenant())
	if err != nil {
		return nil, err
	}
	m, err := a.cfg.Engagement.UpdateMultiplier(ctx, scope, in.ID.ID, in.Body.MultiplierInput)
	return a.written(ctx, scope, m, err)
}

type deleteMultiplierInput struct {
	PathID
	Tenant
}

func (a *API) deleteMultiplier(ctx context.Context, in *deleteMultiplierInput) (*answer[idBody], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	m, err := a.cfg.Engagement.DeleteMultiplier(ctx, scope, in.ID.ID)
	return answerOf(m, err, func(m engagement.Multiplier) idBody { return idBody{m.ID} })
}

type deleteNamedMultiplierInput struct {
	Tenant
	ExternalIdentifier string `query:"externalIdentifier" doc:"Also accepted in the body"`
	Body               struct {
		TenantBody
		ExternalIdentifier string `json:"externalIdentifier,omitempty"`
	}
}

func (a *API) deleteNamedMultiplier(ctx context.Context, in *deleteNamedMultiplierInput) (*answer[multiplier], error) {
	tenant, external := in.or(in.Body.tenant()), in.ExternalIdentifier
	if in.Body.ExternalIdentifier != "" {
		external = in.Body.ExternalIdentifier
	}
	scope, err := a.narrowToWebsite(ctx, tenant.OrganizationID.ID, tenant.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	m, err := a.cfg.Engagement.DeleteMultiplierNamed(ctx, scope, external)
	return a.written(ctx, scope, m, err)
}
