package account

import (
	"cmp"
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/program"
)

// setupRoutes lead to a website, or create the first one.
var setupRoutes = []route{
	web.AdminsGet("", "", startPage),
	web.AdminsGet("/setup", "", setupPage),
	web.AdminsPost("/setup", "", web.Idempotent(createProgram)),
	web.AdminsGet("/websites", "websites", websitesPage),
}

// startPage redirects to the website that was visited last, or to the setup if there is none.
func startPage(c *call) (web.View, error) {
	if site, found := c.LastVisitedSite(); found {
		return web.View{RedirectTo: c.Path(site.ID)}, nil
	}
	return web.View{RedirectTo: c.Path("setup")}, nil
}

// setupData is the data of the form that founds a program.
type setupData struct {
	In     program.Input
	Faults map[string]string
	First  bool // the admin has no organization yet
}

// mayCreateOrganization reports whether the admin may create an organization: owners of one may, and anyone as long as
// there is none.
func (c *call) mayCreateOrganization() (bool, error) {
	for _, access := range c.Organizations {
		if web.IsOwner(access.Membership) {
			return true, nil
		}
	}
	existing, err := c.Tenancy.ListOrganizations(c.Context(), laurel.PageRequest{Limit: 1})
	return err == nil && len(existing.Data) == 0, err
}

// errNoAccess is shown to an admin without any role.
func errNoAccess() error {
	return laurel.Errorf(laurel.Forbidden, "You don’t have a role on any website. Ask an owner for an invitation.")
}

// setupPage shows the form that creates a program. Admins who may not create an organization are refused.
func setupPage(c *call) (web.View, error) {
	if may, err := c.mayCreateOrganization(); err != nil || !may {
		return web.View{}, cmp.Or(err, errNoAccess())
	}
	return web.Show("setup", "Set up your program", setupData{First: len(c.Organizations) == 0})
}

// createProgram creates an organization with a website and a currency, and makes the admin its owner. Invalid input
// shows the form again.
func createProgram(c *call) (web.View, error) {
	if may, err := c.mayCreateOrganization(); err != nil || !may {
		return web.View{}, cmp.Or(err, errNoAccess())
	}
	in := program.Input{
		Organization: c.PostFormValue("organization"), Website: c.PostFormValue("website"),
		Currency: c.PostFormValue("currency"), Symbol: c.PostFormValue("symbol"), Request: c.Scope.Request,
	}
	ctx := c.Context()
	made, err := program.CreateProgram(ctx, c.Tenancy, c.Ledger, in, func(ctx context.Context, id laurel.ID) error {
		return c.Admins.MakeOwner(ctx, c.Admin.ID, id)
	})
	var refused *laurel.Error
	if errors.As(err, &refused) && refused.Code == laurel.Invalid {
		return web.Refused("setup", "Set up your program", setupData{In: in, Faults: web.FaultTexts(refused), First: len(c.Organizations) == 0}), nil
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.Path(made.WebsiteID, "keys", "new"), "Program created. Now create the API key for your server.")
}
