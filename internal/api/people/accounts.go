package people

import (
	"context"

	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
)

type moveAccountInput struct {
	Body struct {
		caller.NamedUser
		rest.TenantBody
		AccountLinkData string `json:"accountLinkData" doc:"Of the refusal MAXIMUM_ACCOUNT_LINKED"`
	}
}

// moveAccount moves an account to the user who has proved it.
func (h *handlers) moveAccount(ctx context.Context, in *moveAccountInput) (*rest.Response[success], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	user, err := h.Caller.ActingUser(ctx, scope, in.Body.Ref())
	if err != nil {
		return nil, err
	}
	err = h.Identity.MoveAccount(ctx, scope, in.Body.AccountLinkData, user)
	return rest.ResponseOf(success{Message: "Success"}, err, func(s success) success { return s })
}
