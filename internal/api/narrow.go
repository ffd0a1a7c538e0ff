package api

import (
	"context"

	"laurel"
	"laurel/internal/tenancy"
)

// narrow limits the key's scope to the organization and website that the request names; the website stays open where
// the key and the request leave it open, as lists allow (contract 1.3).
func (a *API) narrow(ctx context.Context, t Tenant) (laurel.Scope, error) {
	return a.cfg.Tenancy.Narrow(ctx, scopeOf(ctx), t.OrganizationID.ID, t.WebsiteID.ID, tenancy.AnyWebsite)
}

// narrowToWebsite does the same for an operation on one website. Errors: Invalid "websiteId is required".
func (a *API) narrowToWebsite(ctx context.Context, organizationID, websiteID laurel.ID) (laurel.Scope, error) {
	return a.cfg.Tenancy.Narrow(ctx, scopeOf(ctx), organizationID, websiteID, tenancy.OneWebsite)
}
