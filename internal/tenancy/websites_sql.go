package tenancy

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var (
	organizations = store.NewRecords[Organization]("organizations", "Organization")
	websites      = store.NewRecords[Website]("websites", "Website")
)

func countWebsites(ctx context.Context, tx *store.Tx, organization laurel.ID) (n int, err error) {
	err = tx.Get(ctx, &n, "SELECT COUNT(*) FROM websites WHERE organization_id = ?", organization)
	return n, err
}

// whereOrganization returns the condition for the organization with the id.
func whereOrganization(id laurel.ID) *store.Where { return (&store.Where{}).With("id = ?", id) }

// listOrganizations reads a page of the live organizations, newest first. Errors: Invalid for an unknown cursor.
func listOrganizations(
	ctx context.Context, q store.Queryer, page laurel.PageRequest,
) (laurel.Page[Organization], error) {
	live := (&store.Where{}).With("deleted_at IS NULL")
	return organizations.Page(ctx, q, newest(live, live), page)
}

func renameOrganization(ctx context.Context, tx *store.Tx, id laurel.ID, name string) error {
	n, err := tx.Exec(ctx, "UPDATE organizations SET name = ?, updated_at = ? WHERE id = ?", name, store.Micros(tx.Now()), id)
	if err == nil && n == 0 {
		return laurel.Missing("Organization")
	}
	return err
}

// whereWebsites returns the condition for the websites of the scope.
func whereWebsites(scope laurel.Scope) *store.Where {
	w := &store.Where{}
	w.Add("organization_id = ?", scope.OrganizationID)
	if !scope.WebsiteID.IsZero() {
		w.Add("id = ?", scope.WebsiteID)
	}
	return w
}

// whereWebsite returns the condition for the website with the id, if it is one of the scope.
func whereWebsite(scope laurel.Scope, id laurel.ID) *store.Where {
	return whereWebsites(scope).With("id = ?", id)
}

// listWebsites reads a page of the scope's websites that the filter selects, newest first. Errors: Invalid for an
// unknown cursor.
func listWebsites(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	filter WebsiteFilter,
	page laurel.PageRequest,
) (laurel.Page[Website], error) {
	w := whereWebsites(scope)
	if filter.Name != "" {
		if err := (store.TextSearch{Table: "websites", Text: "name"}).AddContains(ctx, q, w, filter.Name); err != nil {
			return laurel.Page[Website]{}, err
		}
	}
	if filter.IDs != nil && len(filter.IDs) == 0 { // no website is named; nil names all
		return laurel.Page[Website]{}, nil
	}
	store.In(w, "id", filter.IDs)
	return websites.Page(ctx, q, newest(w, whereWebsites(scope)), page)
}

// newest lists the records that w selects, newest first; those that meet cursors are cursors.
func newest(w, cursors *store.Where) store.List {
	return store.List{Where: w, Cursors: cursors, Order: []string{"created_at", "id"}, Newest: true}
}

// selectOnlyWebsite reads the id of the organization's website if it has exactly one, else the zero id.
func selectOnlyWebsite(ctx context.Context, q store.Queryer, org laurel.ID) (laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT id FROM websites WHERE organization_id = ? LIMIT 2", org)
	if err != nil || len(ids) != 1 {
		return laurel.ID{}, err
	}
	return ids[0], nil
}

func selectOwningOrganization(ctx context.Context, q store.Queryer, website laurel.ID) (laurel.ID, error) {
	var org laurel.ID
	err := q.Get(ctx, &org, "SELECT organization_id FROM websites WHERE id = ?", website)
	return org, err
}

func organizationIDs(ctx context.Context, q store.Queryer) ([]laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT id FROM organizations ORDER BY id")
	return ids, err
}
