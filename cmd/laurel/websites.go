package main

import (
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
)

type websitesCommand struct {
	Terms websitesTerms `cmd:"" help:"Record when the terms of a website were signed."`
}

type websitesTerms struct {
	organizationFlag
	Website laurel.ID         `arg:"" help:"Website ID; see laurel organizations list."`
	At      *laurel.Timestamp `help:"When they were signed, such as 2026-01-15 or 2026-01-15T12:00:00Z. Default: now."`
}

// Run records when the terms of the website were signed, and prints that time.
func (c websitesTerms) Run(e environment) error {
	return e.withOrganization(c.Organization, func(a *app.App, organization laurel.ID) error {
		signed, err := a.SignTerms(e.ctx, organization, c.Website, c.At)
		if err != nil {
			return err
		}
		fmt.Printf("The terms of %s were signed at %s\n", printable(signed.Name), signed.TermsSignedAt)
		return nil
	})
}
