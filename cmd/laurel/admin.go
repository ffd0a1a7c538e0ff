package main

import (
	"fmt"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
)

type adminCommand struct {
	Invite adminInvite `cmd:"" help:"Print an invitation link that gives a person a role in the dashboard. It works once and expires in seven days."`
	Link   adminLink   `cmd:"" help:"Print a link with which an admin who is locked out sets a new password, or signs in if passwords are turned off. It works once and expires in an hour."`
}

// publicURLFlag is the flag of commands that print links.
type publicURLFlag struct {
	PublicURL string `name:"public-url" help:"Public URL of the service, including the prefix." env:"LAUREL_PUBLIC_URL" default:"http://127.0.0.1:8080"`
}

func (f publicURLFlag) print(path string) { fmt.Println(strings.TrimSuffix(f.PublicURL, "/") + path) }

type adminInvite struct {
	organizationFlag
	publicURLFlag
	Website laurel.ID `help:"Website ID. By default, the role is for every website of the organization."`
	Role    string    `help:"Role: owner, manager, support, developer or viewer." enum:"owner,manager,support,developer,viewer" default:"owner"`
	Email   string    `required:"" help:"E-mail address of the person to invite. The link works only for this address."`
}

// roleWords are the roles of people as the command line calls them.
var roleWords = map[string]laurel.Role{
	"owner": app.RoleOwner, "manager": app.RoleManager, "support": app.RoleSupport, "developer": app.RoleDeveloper,
	"viewer": app.RoleViewer,
}

// Run creates an invitation and prints its link.
func (c adminInvite) Run(e environment) error {
	return e.withOrganization(c.Organization, func(a *app.App, organization laurel.ID) error {
		path, err := a.AdminInvite(e.ctx, organization, c.Website, roleWords[c.Role], c.Email)
		if err != nil {
			return err
		}
		c.print(path)
		return nil
	})
}

type adminLink struct {
	publicURLFlag
	Email string `arg:"" help:"E-mail address of the admin."`
}

// Run creates a link to reset an admin's password and prints it.
func (c adminLink) Run(e environment) error {
	return e.withApp(func(a *app.App) error {
		path, err := a.RecoveryLink(e.ctx, c.Email)
		if err != nil {
			return err
		}
		c.print(path)
		return nil
	})
}
