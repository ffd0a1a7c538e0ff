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

// listSites reads a page of the websites of an organization on which the admin has a role: all websites if the role is
// for the organization, otherwise only the websites for which the admin has one. next is the request for the page after
// it; it has no cursor if this is the last page.
func (c *request) listSites(
	membership admins.Membership,
	filter tenancy.WebsiteFilter,
	page laurel.PageRequest,
) (sites []tenancy.Website, next laurel.PageRequest, err error) {
	scope := laurel.Scope{
		OrganizationID: membership.OrganizationID, Role: laurel.RoleOrganization, ActorID: membership.UserID,
	}
	if membership.Role == "" {
		filter.IDs = slices.SortedFunc(maps.Keys(membership.Websites), laurel.ID.Compare)
	}
	list, err := c.d.Tenancy.ListWebsites(c.Context(), scope, filter, page)
	if err != nil {
		return nil, next, err
	}
	if list.HasNextPage {
		next = laurel.PageRequest{Limit: page.Limit, StartingAfter: list.Data[len(list.Data)-1].ID}
	}
	return list.Data, next, nil
}

// ManySites reports whether an organization has more websites than the menu lists.
func (s screen) ManySites() bool {
	for _, access := range s.organizations {
		if access.HasMoreSites {
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

// websitesPage shows the websites on which the admin has a role, by organization. With a search in the query, it shows
// only those whose name contains the text. Each organization has pages of its own; the page of one shows no other.
func websitesPage(c *request) (view, error) {
	query := c.URL.Query()
	data := websitesData{Query: query.Get("q")}
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	for _, access := range c.organizations {
		sitePage := laurel.PageRequest{Limit: page.Limit}
		if !page.StartingAfter.IsZero() {
			if query.Get("organization") != access.OrganizationID.String() {
				continue
			}
			sitePage = page
		}
		found := organizationSites{organizationAccess: access}
		filter := tenancy.WebsiteFilter{Name: data.Query}
		if found.Sites, sitePage, err = c.listSites(access.Membership, filter, sitePage); err != nil {
			return view{}, err
		}
		if !sitePage.StartingAfter.IsZero() {
			query.Set("organization", access.OrganizationID.String())
			query.Set("startingAfter", sitePage.StartingAfter.String())
			found.Older = c.d.path("websites") + "?" + query.Encode()
		}
		if len(found.Sites) > 0 {
			data.Organizations = append(data.Organizations, found)
		}
	}
	return pageView("websites", "Websites", data)
}
