package tenancy

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// WebsiteNeed says whether an operation needs exactly one website.
type WebsiteNeed bool

// The needs: writes and completions happen on one website, lists may cover the whole organization.
const (
	AnyWebsite WebsiteNeed = false
	OneWebsite WebsiteNeed = true
)

func cacheID(id laurel.ID) string { return string(id[:]) }

// Narrow returns the key's scope limited to the organization and website that a call names (contract 1.3); zero ids
// are absent. If the call names no website, a website key implies its own, and an organization key the organization's
// only one. An organization key without a website gets the whole organization, or Invalid "websiteId is required" if
// one website is needed. Errors: Forbidden for another tenant's organization or website.
func (s *Service) Narrow(
	ctx context.Context,
	key laurel.Scope,
	organizationID, websiteID laurel.ID,
	need WebsiteNeed,
) (laurel.Scope, error) {
	if !organizationID.IsZero() && organizationID != key.OrganizationID {
		return laurel.Scope{}, laurel.Errorf(laurel.Forbidden, "API key does not have access to this organization")
	}
	switch {
	case websiteID.IsZero() && (need == AnyWebsite || !key.WebsiteID.IsZero()):
		return key, nil
	case websiteID.IsZero():
		return s.onlyWebsite(ctx, key)
	case !key.WebsiteID.IsZero():
		return key, requireOwn(websiteID == key.WebsiteID)
	}
	org, err := s.organizationOf(ctx, websiteID)
	if err != nil {
		return laurel.Scope{}, err
	}
	return key.At(websiteID), requireOwn(org == key.OrganizationID)
}

// requireOwn returns Forbidden for a website of another tenant.
func requireOwn(isOwn bool) error {
	if isOwn {
		return nil
	}
	return laurel.Errorf(laurel.Forbidden, "API key does not have access to this website")
}

// onlyWebsite returns the scope of the organization's only website, and Invalid if it has none or several.
func (s *Service) onlyWebsite(ctx context.Context, key laurel.Scope) (laurel.Scope, error) {
	site, err := s.soleWebsites.getOrRead(ctx, cacheID(key.OrganizationID), func(ctx context.Context) (laurel.ID, error) {
		return soleWebsite(ctx, s.db, key.OrganizationID)
	})
	if err != nil {
		return laurel.Scope{}, err
	}
	if site.IsZero() {
		var f laurel.Faults
		f.Add("websiteId", "is required")
		return laurel.Scope{}, f.Err()
	}
	return key.At(site), nil
}

// organizationOf returns the website's organization, or the zero id if there is no such website. A missing website is
// not cached, so a new one is found at once on all nodes.
func (s *Service) organizationOf(ctx context.Context, website laurel.ID) (laurel.ID, error) {
	org, err := s.websiteOwners.getOrRead(ctx, cacheID(website), func(ctx context.Context) (laurel.ID, error) {
		return selectOwner(ctx, s.db, website)
	})
	if store.IsNoRows(err) {
		return laurel.ID{}, nil
	}
	return org, err
}
