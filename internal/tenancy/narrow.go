package tenancy

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// WebsiteNeed says what an operation makes of a call that names no website.
type WebsiteNeed bool

// The needs: writes and completions happen on one website, lists may cover all of the organization.
const (
	AnyWebsite WebsiteNeed = false
	OneWebsite WebsiteNeed = true
)

func cacheID(id laurel.ID) string { return string(id[:]) }

// Narrow returns the key's scope limited to what the call names (contract 1.3); zero ids are absent. A website key
// implies its website, an organization key its only one. An organization key that names none gets the whole
// organization, or, where one website is needed, Invalid "websiteId is required". Errors: Forbidden for a foreign
// organization or website.
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

func requireOwn(isOwn bool) error {
	if isOwn {
		return nil
	}
	return laurel.Errorf(laurel.Forbidden, "API key does not have access to this website")
}

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

// organizationOf returns the website's organization, zero where there is no such website. Only owners that exist are
// kept, so a new website is known everywhere at once.
func (s *Service) organizationOf(ctx context.Context, website laurel.ID) (laurel.ID, error) {
	org, err := s.websiteOwners.getOrRead(ctx, cacheID(website), func(ctx context.Context) (laurel.ID, error) {
		return selectOwner(ctx, s.db, website)
	})
	if store.NoRows(err) {
		return laurel.ID{}, nil
	}
	return org, err
}
