package tenancy

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// WebsiteNeed says whether an operation needs exactly one website.
type WebsiteNeed bool

// The needs: writes and completions happen on one website; lists may cover the whole organization.
const (
	WebsiteOptional WebsiteNeed = false
	WebsiteRequired WebsiteNeed = true
)

func cacheID(id laurel.ID) string { return string(id[:]) }

// Narrow returns the key's scope limited to the organization and the website that a call names (contract 1.3); a zero
// id means that the call names none. If it names no website, a website key's scope is its own website. An organization
// key's scope is then, by need, the whole organization (WebsiteOptional), or the organization's only website
// (WebsiteRequired), with the error Invalid "websiteId is required" if there are none or several. Errors: Forbidden for
// an organization or website of another tenant.
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
	case websiteID.IsZero() && (need == WebsiteOptional || !key.WebsiteID.IsZero()):
		return key, nil
	case websiteID.IsZero():
		return s.onlyWebsite(ctx, key)
	case !key.WebsiteID.IsZero():
		return key, errUnlessOwn(websiteID == key.WebsiteID)
	}
	org, err := s.organizationOf(ctx, websiteID)
	if err != nil {
		return laurel.Scope{}, err
	}
	return key.At(websiteID), errUnlessOwn(org == key.OrganizationID)
}

// errUnlessOwn returns nil for an own website, and Forbidden for one of another tenant.
func errUnlessOwn(isOwn bool) error {
	if isOwn {
		return nil
	}
	return laurel.Errorf(laurel.Forbidden, "API key does not have access to this website")
}

// onlyWebsite returns the key's scope limited to the organization's only website, or Invalid "websiteId is required" if
// the organization has none or several.
func (s *Service) onlyWebsite(ctx context.Context, key laurel.Scope) (laurel.Scope, error) {
	site, err := s.onlyWebsites.getOrRead(ctx, cacheID(key.OrganizationID), func(ctx context.Context) (laurel.ID, error) {
		return selectOnlyWebsite(ctx, s.db, key.OrganizationID)
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

// organizationOf returns the organization that owns a website, or the zero id if there is no such website. A missing
// website is not cached, so a new one is found at once on all nodes.
func (s *Service) organizationOf(ctx context.Context, website laurel.ID) (laurel.ID, error) {
	org, err := s.websiteOwners.getOrRead(ctx, cacheID(website), func(ctx context.Context) (laurel.ID, error) {
		return selectOwningOrganization(ctx, s.db, website)
	})
	if store.IsNoRows(err) {
		return laurel.ID{}, nil
	}
	return org, err
}
