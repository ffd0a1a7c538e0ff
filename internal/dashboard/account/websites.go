package account

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/tenancy"
)

// websitesData is the page of all websites.
type websitesData struct {
	Query         string
	Organizations []organizationSites
}

type organizationSites struct {
	web.OrganizationAccess
	Older string
}

// Name returns the name of the organization.
func (h organizationSites) Name() string { return h.Organization.Name }

// List are the websites on this page.
func (h organizationSites) List() []tenancy.Website { return h.Sites }

// websitesPage shows the websites on which the admin has a role, by organization. With a search in the query, it shows
// only those whose name contains the text. Each organization has pages of its own; the page of one shows no other.
func websitesPage(c *call) (web.View, error) {
	query := c.URL.Query()
	data := websitesData{Query: query.Get("q")}
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	for _, access := range c.Organizations {
		sitePage := laurel.PageRequest{Limit: page.Limit}
		if !page.StartingAfter.IsZero() {
			if query.Get("organization") != access.OrganizationID.String() {
				continue
			}
			sitePage = page
		}
		found := organizationSites{OrganizationAccess: access}
		filter := tenancy.WebsiteFilter{Name: data.Query}
		if found.Sites, sitePage, err = c.ListSites(access.Membership, filter, sitePage); err != nil {
			return web.View{}, err
		}
		if !sitePage.StartingAfter.IsZero() {
			query.Set("organization", access.OrganizationID.String())
			query.Set("startingAfter", sitePage.StartingAfter.String())
			found.Older = c.Path("websites") + "?" + query.Encode()
		}
		if len(found.Sites) > 0 {
			data.Organizations = append(data.Organizations, found)
		}
	}
	return web.Show("websites", "Websites", data)
}
