package main

import (
	"fmt"
	"os"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
)

type organizationsCommand struct {
	List organizationsList `cmd:"" help:"List every organization with its websites."`
}

type organizationsList struct {
	JSON bool `help:"Print a JSON array."`
}

// Run prints one line per website; an organization without one has a line of its own.
func (c organizationsList) Run(e environment) error {
	return e.withApp(func(a *app.App) error {
		organizations, err := a.ListOrganizations(e.ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(organizations)
		}
		table := newTable("ORGANIZATION", "NAME", "WEBSITE", "NAME")
		for _, o := range organizations {
			if len(o.Websites) == 0 {
				table.addRow(o.ID.String(), o.Name, "none", "")
			}
			for _, w := range o.Websites {
				table.addRow(o.ID.String(), o.Name, w.ID.String(), w.Name)
			}
		}
		return table.print()
	})
}

// organizationFlag is the flag of every command that works within one organization.
type organizationFlag struct {
	Organization laurel.ID `help:"Organization ID. Optional if there is exactly one organization."`
}

// withOrganization runs f for the organization with an id. For the zero id it takes the only organization of the
// database, and prints which that is.
func (e environment) withOrganization(organization laurel.ID, f func(*app.App, laurel.ID) error) error {
	return e.withApp(func(a *app.App) error {
		if organization.IsZero() {
			only, err := a.OnlyOrganization(e.ctx)
			if err != nil {
				return err
			}
			organization = only.ID
			fmt.Fprintf(os.Stderr, "organization %s (%s)\n", only.ID, printable(only.Name))
		}
		return f(a, organization)
	})
}
