package dashboard

import (
	"cmp"
	"context"
	"errors"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/program"
	"laurel/internal/tenancy"
)

// setupRoutes lead to a website, or create the first one.
var setupRoutes = []route{
	adminsGet("", "", startPage),
	adminsGet("/setup", "", setupPage),
	adminsPost("/setup", "", idempotent(createProgram)),
	adminsGet("/websites", "websites", websitesPage),
}

// startPage redirects to the website that was visited last, or to the setup if there is none.
func startPage(c *request) (view, error) {
	if site, found := c.lastVisitedSite(); found {
		return view{redirectTo: c.d.path(site.ID)}, nil
	}
	return view{redirectTo: c.d.path("setup")}, nil
}

// lastVisitedSite returns the website that the session visited last, else the first one that the admin may see, and
// false if there is none.
func (c *request) lastVisitedSite() (tenancy.Website, bool) {
	if lastVisited, err := laurel.ParseID(c.d.sessions.GetString(c.session, lastSiteKey)); err == nil {
		for _, access := range c.organizations {
			if access.RoleOn(lastVisited) == "" {
				continue
			}
			site, err := c.d.Tenancy.Website(c.Context(), laurel.Scope{OrganizationID: access.OrganizationID}, lastVisited)
			if err == nil {
				return site, true
			}
		}
	}
	for _, access := range c.organizations {
		for _, site := range access.Sites {
			return site, true
		}
	}
	return tenancy.Website{}, false
}

// LastSite returns the website that a page without one leads back to; nil if there is none.
func (s screen) LastSite() *tenancy.Website {
	site, found := s.lastVisitedSite()
	if !found {
		return nil
	}
	return &site
}

// lastSiteKey is the session key of the website that was visited last.
const lastSiteKey = "site"

// setupData is the data of the form that founds a program.
type setupData struct {
	In     program.Input
	Faults map[string]string
	First  bool // the admin has no organization yet
}

// mayCreateOrganization reports whether the admin may create an organization: owners of one may, and anyone as long as
// there is none.
func (c *request) mayCreateOrganization() (bool, error) {
	for _, access := range c.organizations {
		if isOwner(access.Membership) {
			return true, nil
		}
	}
	existing, err := c.d.Tenancy.ListOrganizations(c.Context(), laurel.PageRequest{Limit: 1})
	return err == nil && len(existing.Data) == 0, err
}

func isOwner(m admins.Membership) bool { return m.Role == tenancy.RoleSuperAdmin }

// errNoAccess is shown to an admin without any role.
func errNoAccess() error {
	return laurel.Errorf(laurel.Forbidden, "You don’t have a role on any website. Ask an owner for an invitation.")
}

// setupPage shows the form that creates a program. Admins who may not create an organization are refused.
func setupPage(c *request) (view, error) {
	if may, err := c.mayCreateOrganization(); err != nil || !may {
		return view{}, cmp.Or(err, errNoAccess())
	}
	return pageView("setup", "Set up your program", setupData{First: len(c.organizations) == 0})
}

// createProgram creates an organization with a website and a currency, and makes the admin its owner. Invalid input
// shows the form again.
func createProgram(c *request) (view, error) {
	if may, err := c.mayCreateOrganization(); err != nil || !may {
		return view{}, cmp.Or(err, errNoAccess())
	}
	in := program.Input{
		Organization: c.PostFormValue("organization"), Website: c.PostFormValue("website"),
		Currency: c.PostFormValue("currency"), Symbol: c.PostFormValue("symbol"), Request: c.scope.Request,
	}
	ctx := c.Context()
	made, err := program.CreateProgram(ctx, c.d.Tenancy, c.d.Ledger, in, func(ctx context.Context, id laurel.ID) error {
		return c.d.Admins.MakeOwner(ctx, c.admin.ID, id)
	})
	var refused *laurel.Error
	if errors.As(err, &refused) && refused.Code == laurel.Invalid {
		return refusedView("setup", "Set up your program", setupData{In: in, Faults: faultTexts(refused), First: len(c.organizations) == 0}), nil
	}
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.d.path(made.WebsiteID, "keys", "new"), "Program created. Now create the API key for your server.")
}
