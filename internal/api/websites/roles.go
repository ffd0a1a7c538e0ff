package websites

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/tenancy"
)

// userRole is contract 3.36.
type userRole struct {
	ID             laurel.ID            `json:"id"`
	OrganizationID laurel.ID            `json:"organizationId"`
	WebsiteID      laurel.ID            `json:"websiteId"`
	UserID         laurel.ID            `json:"userId"`
	WalletAddress  *string              `json:"walletAddress"`
	RoleType       laurel.Role          `json:"roleType"`
	CreatedAt      laurel.Timestamp     `json:"createdAt"`
	UpdatedAt      laurel.Timestamp     `json:"updatedAt"`
	DeletedAt      laurel.NullTimestamp `json:"deletedAt"`
}

// shapeRoles returns roles as responses show them, in the order of list, each with the wallet of its user if there is
// one.
func (h *handlers) shapeRoles(ctx context.Context, scope laurel.Scope, list []tenancy.UserRole) ([]userRole, error) {
	users := make([]laurel.ID, len(list))
	for i, r := range list {
		users[i] = r.UserID
	}
	wallets, err := h.Identity.WalletsOf(ctx, scope, users)
	out := make([]userRole, len(list))
	for i, r := range list {
		out[i] = userRole{
			ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, UserID: r.UserID, RoleType: r.Role,
			CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, DeletedAt: r.DeletedAt,
		}
		if wallet, ok := wallets[r.UserID]; ok {
			out[i].WalletAddress = &wallet
		}
	}
	return out, err
}

type changeRolesInput struct {
	Body changeRolesInputBody
}

type changeRolesInputBody struct {
	rest.TenantBody
	WebsiteUserRoles []roleChange `json:"websiteUserRoles" nullable:"false"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (changeRolesInputBody) Bounds() laurel.Bounds {
	return laurel.Bounds{
		NotNull:  []string{"websiteUserRoles"},
		Keywords: map[string]laurel.Keywords{"websiteUserRoles": {"minItems": 1, "maxItems": tenancy.MaxRoleChanges}},
	}
}

type roleChange struct {
	RoleType      laurel.Role       `json:"roleType"`
	WalletAddress string            `json:"walletAddress"`
	DeletedAt     *laurel.Timestamp `json:"deletedAt,omitempty" doc:"Any time revokes the role, at the time of the call"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (roleChange) Bounds() laurel.Bounds { return tenancy.RoleChange{}.Bounds() }

type changedRoles struct {
	Data []userRole `json:"data" nullable:"false"`
}

// changeRoles grants and revokes roles of users on a website, all or none.
func (h *handlers) changeRoles(ctx context.Context, in *changeRolesInput) (*rest.Response[changedRoles], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	changes := make([]tenancy.RoleChange, len(in.Body.WebsiteUserRoles))
	for i, c := range in.Body.WebsiteUserRoles {
		wallet := identity.NormalizeWallet(c.WalletAddress)
		changes[i] = tenancy.RoleChange{Role: c.RoleType, Wallet: wallet, Revoke: c.DeletedAt != nil}
	}
	roles, err := h.Tenancy.ChangeRoles(ctx, scope, changes)
	if err != nil {
		return nil, err
	}
	shaped, err := h.shapeRoles(ctx, scope, roles)
	return rest.ResponseOf(shaped, err, func(list []userRole) changedRoles { return changedRoles{list} })
}

type listRolesInput struct {
	rest.Paging
	UserID rest.ID `query:"userId"`
}

// listRoles returns a page of the roles of users.
func (h *handlers) listRoles(ctx context.Context, in *listRolesInput) (*rest.Page[userRole], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Tenancy.ListRoles(ctx, scope, tenancy.RoleFilter{UserID: in.UserID.ID}, in.Page())
	if err != nil {
		return nil, err
	}
	shaped, err := h.shapeRoles(ctx, scope, page.Data)
	if err != nil {
		return nil, err
	}
	return &rest.Page[userRole]{Body: rest.List[userRole]{Data: shaped, HasNextPage: page.HasNextPage}}, nil
}
