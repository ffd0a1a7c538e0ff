package web

import (
	"maps"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/tenancy"
)

// LastVisitedSite returns the website that the session visited last, else the first one that the admin may see, and
// false if there is none.
func (c *Call) LastVisitedSite() (tenancy.Website, bool) {
	if lastVisited, err := laurel.ParseID(c.Sessions.GetString(c.Session, lastSiteKey)); err == nil {
		for _, access := range c.Organizations {
			if access.RoleOn(lastVisited) == "" {
				continue
			}
			site, err := c.Tenancy.Website(c.Context(), laurel.Scope{OrganizationID: access.OrganizationID}, lastVisited)
			if err == nil {
				return site, true
			}
		}
	}
	for _, access := range c.Organizations {
		for _, site := range access.Sites {
			return site, true
		}
	}
	return tenancy.Website{}, false
}

// LastSite returns the website that a page without one leads back to; nil if there is none.
func (s Screen) LastSite() *tenancy.Website {
	site, found := s.LastVisitedSite()
	if !found {
		return nil
	}
	return &site
}

// lastSiteKey is the session key of the website that was visited last.
const lastSiteKey = "site"

// IsOwner reports whether the admin owns the organization.
func IsOwner(m admins.Membership) bool { return m.Role == tenancy.RoleSuperAdmin }

// IsLocalPath reports whether a path to return to stays on this host. Two slashes at its start would name another one.
func IsLocalPath(to string) bool {
	return strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") && !strings.ContainsAny(to, "\\\r\n\t")
}

// maxSwitchSites bounds the websites of an organization in the menu that switches between them.
const maxSwitchSites = 20

// ListSites reads a page of the websites of an organization on which the admin has a role: all websites if the role is
// for the organization, otherwise only the websites for which the admin has one. next is the request for the page after
// it; it has no cursor if this is the last page.
func (c *Call) ListSites(
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
	list, err := c.Tenancy.ListWebsites(c.Context(), scope, filter, page)
	if err != nil {
		return nil, next, err
	}
	if list.HasNextPage {
		next = laurel.PageRequest{Limit: page.Limit, StartingAfter: list.Data[len(list.Data)-1].ID}
	}
	return list.Data, next, nil
}

// ManySites reports whether an organization has more websites than the menu lists.
func (s Screen) ManySites() bool {
	for _, access := range s.Organizations {
		if access.HasMoreSites {
			return true
		}
	}
	return false
}
