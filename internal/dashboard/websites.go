package dashboard

import (
	"maps"
	"slices"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/tenancy"
)

// maxSwitchSites bounds the websites of an organization in the menu that switches between them.
const maxSwitchSites = 20

// listSites reads a page of the websites of an organization in which the admin has a role. next is the request for the
// page after it; it has no cursor if this is the last one.
func (c *request) listSites(
	m admins.Membership,
	f tenancy.WebsiteFilter,
	page laurel.PageRequest,
) (out []tenancy.Website, next laurel.PageRequest, err error) {
	scope := laurel.Scope{OrganizationID: m.OrganizationID, Role: laurel.RoleOrganization, ActorID: m.UserID}
	if m.Role == "" {
		f.IDs = slices.SortedFunc(maps.Keys(m.Websites), laurel.ID.Compare)
	}
	list, err := c.d.Tenancy.ListWebsites(c.Context(), scope, f, page)
	if err != nil {
		return nil, next, err
	}
	if list.HasNextPage {
		next = laurel.PageRequest{Limit: page.Limit, StartingAfter: list.Data[len(list.Data)-1].ID}
	}
	return list.Data, next, nil
}

// ManySites reports whether the menu does not list all websites.
func (s screen) ManySites() bool {
	for _, h := range s.organizations {
		if h.HasMoreSites {
			return true
		}
	}
	return false
}

// websitesData is the page of all websites.
type websitesData struct {
	Query         string
	Organizations []organizationSites
}

type organizationSites struct {
	organizationAccess
	Older string
}

// Name returns the name of the organization.
func (h organizationSites) Name() string { return h.Organization.Name }

// List are the websites on this page.
func (h organizationSites) List() []tenancy.Website { return h.Sites }

// websitesPage lists the websites in which the admin has a role, by organization, or those whose name contains a text.
func websitesPage(c *request) (view, error) {
	query := c.URL.Query()
	data := websitesData{Query: query.Get("q")}
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	for _, h := range c.organizations {
		at := laurel.PageRequest{Limit: page.Limit}
		if !page.StartingAfter.IsZero() {
			if query.Get("organization") != h.OrganizationID.String() {
				continue
			}
			at = page
		}
		found := organizationSites{organizationAccess: h}
		if found.Sites, at, err = c.listSites(h.Membership, tenancy.WebsiteFilter{Name: data.Query}, at); err != nil {
			return view{}, err
		}
		if !at.StartingAfter.IsZero() {
			query.Set("organization", h.OrganizationID.String())
			query.Set("startingAfter", at.StartingAfter.String())
			found.Older = c.d.path("websites") + "?" + query.Encode()
		}
		if len(found.Sites) > 0 {
			data.Organizations = append(data.Organizations, found)
		}
	}
	return pageView("websites", "Websites", data)
}
