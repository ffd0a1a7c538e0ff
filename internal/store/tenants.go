package store

import (
	"context"

	"laurel.example/laurel"
)

// CountByTenant counts the rows of a query: those of the scope's website, and those of its whole organization. The
// query selects the column website_id of the organization's rows; its only placeholder is for the id of the
// organization.
func CountByTenant(
	ctx context.Context, q Queryer, query string, scope laurel.Scope,
) (website, organization int, err error) {
	var found struct {
		Website      int `db:"of_website"`
		Organization int `db:"of_organization"`
	}
	err = q.Get(ctx, &found, "SELECT COUNT(CASE WHEN d.website_id = ? THEN 1 END) AS of_website, COUNT(*) AS of_organization FROM ("+
		query+") d", scope.WebsiteID, scope.OrganizationID)
	return found.Website, found.Organization, err
}
