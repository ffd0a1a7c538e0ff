package badges

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/report"
)

// givenBadge is the response to granting or revoking a badge.
type givenBadge struct {
	Message string         `json:"message"`
	Data    givenBadgeUser `json:"data"`
}

type givenBadgeUser struct {
	ID             laurel.ID `json:"id"`
	LoyaltyBadgeID laurel.ID `json:"loyaltyBadgeId"`
	UserID         laurel.ID `json:"userId"`
	Status         string    `json:"status" enum:"active,inactive,revoked"`
}

// grantShaper returns the function that makes the response to granting or revoking a badge.
func grantShaper(message string) func(badges.BadgeUser) givenBadge {
	return func(u badges.BadgeUser) givenBadge {
		return givenBadge{message, givenBadgeUser{u.ID, u.BadgeID, u.UserID, u.Status}}
	}
}

// statusOr returns the status in a body, or fallback if there is none.
func statusOr(status *string, fallback string) string {
	if status == nil {
		return fallback
	}
	return *status
}

// checkNamesUser refuses a body that names no user.
func checkNamesUser(user caller.NamedUser) error {
	var f laurel.Faults
	user.Ref().Validate(&f)
	return f.Err()
}

type rewardBadgeInput struct {
	rest.PathID
	rest.Tenant
	Body rewardBadgeBody
}

type rewardBadgeBody struct {
	caller.NamedUser
	rest.TenantBody
	Status *string `json:"status,omitempty"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (rewardBadgeBody) Bounds() laurel.Bounds { return statusBounds(badges.Active, badges.Inactive) }

// statusBounds returns the limits of a property status with a default and one other value.
func statusBounds(defaultStatus, other string) laurel.Bounds {
	return laurel.Bounds{
		Keywords: map[string]laurel.Keywords{"status": {"enum": []string{defaultStatus, other}, "default": defaultStatus}},
	}
}

// grant grants a badge to the user that the body names, or with status inactive only records it as not granted.
func (h *handlers) grant(ctx context.Context, in *rewardBadgeInput) (*rest.Response[givenBadge], error) {
	scope, err := h.Caller.Narrow(ctx, in.Or(in.Body.Tenant()))
	if err == nil {
		err = checkNamesUser(in.Body.NamedUser)
	}
	if err != nil {
		return nil, err
	}
	u, err := h.Badges.SetByCaller(ctx, scope, in.ID.ID, in.Body.Ref(), statusOr(in.Body.Status, badges.Active))
	return rest.ResponseOf(u, err, grantShaper("Badge rewarded"))
}

type revokeBadgeInput struct {
	rest.PathID
	rest.Tenant
	Body revokeBadgeBody
}

type revokeBadgeBody struct {
	caller.NamedUser
	rest.TenantBody
	Status *string `json:"status,omitempty"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (revokeBadgeBody) Bounds() laurel.Bounds { return statusBounds(badges.Revoked, badges.Inactive) }

// revoke takes a badge from the user that the body names. The status of the body decides how: revoked, the default, or
// inactive.
func (h *handlers) revoke(ctx context.Context, in *revokeBadgeInput) (*rest.Response[givenBadge], error) {
	scope, err := h.Caller.Narrow(ctx, in.Or(in.Body.Tenant()))
	if err == nil {
		err = checkNamesUser(in.Body.NamedUser)
	}
	if err != nil {
		return nil, err
	}
	u, err := h.Badges.Revoke(ctx, scope, in.ID.ID, in.Body.Ref(), statusOr(in.Body.Status, badges.Revoked))
	return rest.ResponseOf(u, err, grantShaper("Badge revoked"))
}

// statusNames lists the statuses of badge users.
type statusNames struct{}

// Values returns them.
func (statusNames) Values() []string { return badges.Statuses() }

type listBadgeUsersInput struct {
	rest.Paging
	LoyaltyBadgeID rest.ID                  `query:"loyaltyBadgeId" required:"true"`
	Status         rest.ManyOf[statusNames] `query:"status"`
	WalletAddress  rest.Addresses           `query:"walletAddress"`
	UserID         rest.IDs                 `query:"userId"`
}

// listUsers returns a page of the holders of a badge and of members on the way to it, with their progress.
func (h *handlers) listUsers(ctx context.Context, in *listBadgeUsersInput) (*rest.Page[listedBadgeUser], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	users := caller.Users{UserID: in.UserID, WalletAddress: in.WalletAddress}
	if err := h.Caller.CheckUserFilter(ctx, scope, users); err != nil {
		return nil, err
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	page, err := h.Report.BadgeUsers(ctx, scope, report.BadgeUserFilter{
		BadgeID: in.LoyaltyBadgeID.ID, Statuses: in.Status.Values,
		HolderFilter: report.HolderFilter{Users: users.Filter(), Client: scope.Role == laurel.RoleClient},
	}, in.Page())
	if err != nil {
		return nil, err
	}
	return rest.ListOf(page, nil, func(u report.BadgeUser) listedBadgeUser {
		return listedBadgeUser{shapeUser(viewer, u, u.Progress), laurel.Stamp(u.DeletedAt.Time)}
	})
}

type updateBadgeUserInput struct {
	rest.PathID
	rest.Tenant
	Body struct {
		rest.TenantBody
		DismissedInUI *bool `json:"dismissedInUi,omitempty"`
		HideInUI      *bool `json:"hideInUi,omitempty"`
	}
}

// updateUser hides or dismisses a badge of a member. A client key changes badges of its token's member only, unless the
// website trusts client keys.
func (h *handlers) updateUser(ctx context.Context, in *updateBadgeUserInput) (*rest.Response[BadgeUser], error) {
	scope, err := h.Caller.Narrow(ctx, in.Or(in.Body.Tenant()))
	if err != nil {
		return nil, err
	}
	var member laurel.ID
	if scope.Role == laurel.RoleClient && !rest.TrustsClientUsers(ctx) {
		if member, err = rest.MemberOf(ctx); err != nil {
			return nil, err
		}
	}
	flags := badges.BadgeUserSettings{HideInUI: in.Body.HideInUI, DismissedInUI: in.Body.DismissedInUI}
	u, err := h.Badges.SetFlags(ctx, scope, in.ID.ID, member, flags)
	return h.userResponse(ctx, scope, u, err)
}

// getUser returns a BadgeUser, to show what it is now.
func (h *handlers) getUser(ctx context.Context, in *rest.PathID) (*rest.Response[BadgeUser], error) {
	scope := rest.ScopeOf(ctx)
	u, err := h.Badges.GetBadgeUser(ctx, scope, in.ID.ID)
	return h.userResponse(ctx, scope, u, err)
}

// userResponse returns the response with one BadgeUser. If err is not nil, it only returns err.
func (h *handlers) userResponse(
	ctx context.Context, scope laurel.Scope, u badges.BadgeUser, err error,
) (*rest.Response[BadgeUser], error) {
	if err != nil {
		return nil, err
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	rows, err := h.Report.BadgeUsersByID(ctx, scope, []laurel.ID{u.ID})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, laurel.Missing("Badge user") // its badge was deleted since
	}
	return rest.ResponseOf(rows[0], nil, func(r report.BadgeUser) BadgeUser { return shapeUser(viewer, r, u.Progress) })
}
