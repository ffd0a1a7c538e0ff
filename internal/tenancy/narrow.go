package tenancy

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// Need says what an operation makes of a call that names no website.
type Need bool

// The needs: writes and completions happen on one website, lists may cover all of the organization.
const (
	AnyWebsite Need = false
	OneWebsite Need = true
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
	need Need,
) (laurel.Scope, error) {
	if !organizationID.IsZero() && organizationID != key.OrganizationID {
		return laurel.Scope{}, laurel.Errorf(laurel.Forbidden, "API key does not have access to this organization")
	}
	switch {
	case websiteID.IsZero() && (need == AnyWebsite || !key.WebsiteID.IsZero()):
		return key, nil
	case websiteID.IsZero():
		return s.only(ctx, key)
	case !key.WebsiteID.IsZero():
		return key, within(websiteID == key.WebsiteID)
	}
	org, err := s.owner(ctx, websiteID)
	if err != nil {
		return laurel.Scope{}, err
	}
	return key.At(websiteID), within(org == key.OrganizationID)
}

func within(own bool) error {
	if own {
		return nil
	}
	return laurel.Errorf(laurel.Forbidden, "API key does not have access to this website")
}

func (s *Service) only(ctx context.Context, key laurel.Scope) (laurel.Scope, error) {
	site, err := s.sole.get(ctx, cacheID(key.OrganizationID), func(ctx context.Context) (laurel.ID, error) {
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

// owner returns the website's organization, zero where there is no such website. Only owners that exist are kept, so a
// new website is known everywhere at once.
func (s *Service) owner(ctx context.Context, website laurel.ID) (laurel.ID, error) {
	org, err := s.owners.get(ctx, cacheID(website), func(ctx context.Context) (laurel.ID, error) {
		return ownerOf(ctx, s.db, website)
	})
	if store.NoRows(err) {
		return laurel.ID{}, nil
	}
	return org, err
}
