package app

import (
	"context"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/tenancy"
)

// OrganizationRecord is an organization as the command line prints it.
type OrganizationRecord struct {
	ID       laurel.ID       `json:"id"`
	Name     string          `json:"name"`
	Websites []WebsiteRecord `json:"websites"` // newest first
}

// WebsiteRecord is a website as the command line prints it.
type WebsiteRecord struct {
	ID   laurel.ID `json:"id"`
	Name string    `json:"name"`
}

const operatorPage = 1000 // how many records the command line reads at a time

// ListOrganizations returns every live organization with its websites, newest first.
func (a *App) ListOrganizations(ctx context.Context) ([]OrganizationRecord, error) {
	organizations, err := a.organizations(ctx)
	if err != nil {
		return nil, err
	}
	records := make([]OrganizationRecord, len(organizations))
	for i, o := range organizations {
		records[i] = OrganizationRecord{ID: o.ID, Name: o.Name}
		if records[i].Websites, err = a.websites(
			ctx,
			laurel.Scope{OrganizationID: o.ID, Role: laurel.RoleOrganization},
		); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// OnlyOrganization returns the database's only organization, without its websites: the default of commands without
// --organization. Errors: Refused if there is none; Invalid if there are several.
func (a *App) OnlyOrganization(ctx context.Context) (OrganizationRecord, error) {
	found, err := a.Tenancy.ListOrganizations(ctx, laurel.PageRequest{Limit: 1})
	switch {
	case err != nil:
		return OrganizationRecord{}, err
	case len(found.Data) == 0:
		return OrganizationRecord{}, laurel.Errorf(laurel.Refused, "there is no organization yet: run laurel init to create one")
	case found.HasNextPage:
		return OrganizationRecord{}, laurel.Errorf(
			laurel.Invalid,
			"--organization is required: there are several, see laurel organizations list",
		)
	}
	return OrganizationRecord{ID: found.Data[0].ID, Name: found.Data[0].Name}, nil
}

// organizations returns every live organization, newest first.
func (a *App) organizations(ctx context.Context) ([]tenancy.Organization, error) {
	var all []tenancy.Organization
	page := laurel.PageRequest{Limit: operatorPage}
	for {
		found, err := a.Tenancy.ListOrganizations(ctx, page)
		if err != nil {
			return nil, err
		}
		all = append(all, found.Data...)
		if !found.HasNextPage {
			return all, nil
		}
		page.StartingAfter = all[len(all)-1].ID
	}
}

// websites returns every live website of the organization of a scope, newest first.
func (a *App) websites(ctx context.Context, scope laurel.Scope) ([]WebsiteRecord, error) {
	all := []WebsiteRecord{}
	page := laurel.PageRequest{Limit: operatorPage}
	for {
		found, err := a.Tenancy.ListWebsites(ctx, scope, tenancy.WebsiteFilter{}, page)
		if err != nil {
			return nil, err
		}
		for _, w := range found.Data {
			all = append(all, WebsiteRecord{ID: w.ID, Name: w.Name})
			page.StartingAfter = w.ID
		}
		if !found.HasNextPage {
			return all, nil
		}
	}
}

// warnOfNamesake logs a warning if an organization of this name exists: names need not be unique.
func (a *App) warnOfNamesake(ctx context.Context, name string) error {
	organizations, err := a.organizations(ctx)
	for _, o := range organizations {
		if o.Name == name {
			a.log.Warn(
				"an organization of this name exists already; a second one is made",
				slog.String("name", name),
				slog.String("existing", o.ID.String()),
			)
			break
		}
	}
	return err
}

// SignTerms records when the terms of a website were signed; a nil time stands for now. Errors: NotFound "Website";
// Refused for a time in the future.
func (a *App) SignTerms(
	ctx context.Context, organization, website laurel.ID, at *laurel.Timestamp,
) (tenancy.Website, error) {
	scope := laurel.Scope{OrganizationID: organization, Role: laurel.RoleOrganization}
	var moment time.Time
	if at != nil {
		moment = at.Time
	}
	return a.Tenancy.SignTerms(ctx, scope, website, moment)
}
