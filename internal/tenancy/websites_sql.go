package tenancy

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

func insertOrganization(ctx context.Context, tx *store.Tx, o Organization) error {
	_, err := tx.Exec(ctx, "INSERT INTO organizations (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)",
		o.ID, o.Name, store.Micros(o.CreatedAt), store.Micros(o.UpdatedAt))
	return err
}

const organizationColumns = "id, name, created_at, updated_at, deleted_at"

type organizationRow struct {
	ID        laurel.ID `db:"id"`
	Name      string    `db:"name"`
	CreatedAt int64     `db:"created_at"`
	UpdatedAt int64     `db:"updated_at"`
	DeletedAt *int64    `db:"deleted_at"`
}

// organization returns the organization that the row holds.
func (r organizationRow) organization() Organization {
	return Organization{
		ID:        r.ID,
		Name:      r.Name,
		CreatedAt: store.Time(r.CreatedAt),
		UpdatedAt: store.Time(r.UpdatedAt),
		DeletedAt: nullTime(r.DeletedAt),
	}
}

// findOrganization reads an organization. Errors: NotFound "Organization".
func findOrganization(ctx context.Context, q store.Queryer, id laurel.ID) (Organization, error) {
	var row organizationRow
	err := q.Get(ctx, &row, "SELECT "+organizationColumns+" FROM organizations WHERE id = ?", id)
	if store.IsNoRows(err) {
		return Organization{}, laurel.Missing("Organization")
	}
	return row.organization(), err
}

// selectOrganizations reads a page of the live organizations, newest first. Errors: Invalid for an unknown cursor.
func selectOrganizations(
	ctx context.Context,
	q store.Queryer,
	page laurel.PageRequest,
) (laurel.Page[organizationRow], error) {
	var none laurel.Page[organizationRow]
	w := &store.Where{}
	w.Add("deleted_at IS NULL")
	if !page.StartingAfter.IsZero() {
		if err := continueAfter(ctx, q, "organizations", w, page.StartingAfter); err != nil {
			return none, err
		}
	}
	return store.SelectPage[organizationRow](
		ctx,
		q,
		page.Limit,
		"SELECT "+organizationColumns+" FROM organizations"+w.String()+" ORDER BY created_at DESC, id DESC",
		w.Args...)
}

const websiteColumns = `id, organization_id, name, home_url, chat_server_url, messenger_url, microblog_username, photo_platform_username,
	trust_client_users, terms_signed_at, created_at, updated_at`

type websiteRow struct {
	ID                    laurel.ID `db:"id"`
	OrganizationID        laurel.ID `db:"organization_id"`
	Name                  string    `db:"name"`
	HomeURL               *string   `db:"home_url"`
	ChatServerURL         *string   `db:"chat_server_url"`
	MessengerURL          *string   `db:"messenger_url"`
	MicroblogUsername     *string   `db:"microblog_username"`
	PhotoPlatformUsername *string   `db:"photo_platform_username"`
	TrustClientUsers      bool      `db:"trust_client_users"`
	TermsSignedAt         *int64    `db:"terms_signed_at"`
	CreatedAt             int64     `db:"created_at"`
	UpdatedAt             int64     `db:"updated_at"`
}

// website returns the website that the row holds.
func (r websiteRow) website() Website {
	return Website{
		ID: r.ID, OrganizationID: r.OrganizationID, Name: r.Name, HomeURL: r.HomeURL, ChatServerURL: r.ChatServerURL,
		MessengerURL: r.MessengerURL, MicroblogUsername: r.MicroblogUsername, PhotoPlatformUsername: r.PhotoPlatformUsername,
		TrustClientUsers: r.TrustClientUsers, TermsSignedAt: nullTime(r.TermsSignedAt),
		CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt),
	}
}

func countWebsites(ctx context.Context, tx *store.Tx, organization laurel.ID) (n int, err error) {
	err = tx.Get(ctx, &n, "SELECT COUNT(*) FROM websites WHERE organization_id = ?", organization)
	return n, err
}

// insertWebsite inserts a new website, whose terms are not signed yet.
func insertWebsite(ctx context.Context, tx *store.Tx, w Website) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO websites ("+websiteColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)",
		w.ID,
		w.OrganizationID,
		w.Name,
		w.HomeURL,
		w.ChatServerURL,
		w.MessengerURL,
		w.MicroblogUsername,
		w.PhotoPlatformUsername,
		w.TrustClientUsers,
		store.Micros(w.CreatedAt),
		store.Micros(w.UpdatedAt),
	)
	return err
}

func renameOrganization(ctx context.Context, tx *store.Tx, id laurel.ID, name string) error {
	n, err := tx.Exec(ctx, "UPDATE organizations SET name = ?, updated_at = ? WHERE id = ?", name, store.Micros(tx.Now()), id)
	if err == nil && n == 0 {
		return laurel.Missing("Organization")
	}
	return err
}

// updateWebsite writes the columns of a website that can change. The transaction has locked the row.
func updateWebsite(ctx context.Context, tx *store.Tx, w Website) error {
	_, err := tx.Exec(
		ctx,
		`UPDATE websites SET name = ?, home_url = ?, chat_server_url = ?, messenger_url = ?, microblog_username = ?,
			photo_platform_username = ?, trust_client_users = ?, updated_at = ?
		WHERE id = ? AND organization_id = ?`,
		w.Name,
		w.HomeURL,
		w.ChatServerURL,
		w.MessengerURL,
		w.MicroblogUsername,
		w.PhotoPlatformUsername,
		w.TrustClientUsers,
		store.Micros(w.UpdatedAt),
		w.ID,
		w.OrganizationID,
	)
	return err
}

// lockWebsite reads a website of the scope and locks its row. Errors: NotFound "Website".
func lockWebsite(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Website, error) {
	w := whereWebsites(scope)
	w.Add("id = ?", id)
	var row websiteRow
	err := tx.Get(ctx, &row, "SELECT "+websiteColumns+" FROM websites"+w.String()+tx.ForUpdate(), w.Args...)
	if store.IsNoRows(err) {
		return Website{}, laurel.Missing("Website")
	}
	return row.website(), err
}

func signTerms(ctx context.Context, tx *store.Tx, w Website) error {
	_, err := tx.Exec(
		ctx, "UPDATE websites SET terms_signed_at = ?, updated_at = ? WHERE id = ?",
		store.Micros(*w.TermsSignedAt), store.Micros(w.UpdatedAt), w.ID,
	)
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

// selectWebsites reads a page of the scope's websites that the filter selects, newest first. Errors: Invalid for an
// unknown cursor.
func selectWebsites(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	filter WebsiteFilter,
	page laurel.PageRequest,
) (laurel.Page[websiteRow], error) {
	var none laurel.Page[websiteRow]
	w := whereWebsites(scope)
	if !page.StartingAfter.IsZero() {
		if err := continueAfter(ctx, q, "websites", w, page.StartingAfter); err != nil {
			return none, err
		}
	}
	if filter.Name != "" {
		if err := (store.TextSearch{Table: "websites", Text: "name"}).AddContains(ctx, q, w, filter.Name); err != nil {
			return none, err
		}
	}
	if filter.IDs != nil && len(filter.IDs) == 0 { // no website is named; nil names all
		return none, nil
	}
	store.In(w, "id", filter.IDs)
	return store.SelectPage[websiteRow](
		ctx,
		q,
		page.Limit,
		"SELECT "+websiteColumns+" FROM websites"+w.String()+" ORDER BY created_at DESC, id DESC",
		w.Args...)
}

// continueAfter adds to w the condition that a page of a list, newest first, begins after the row with the cursor's id.
// That must be a row of the table that satisfies w. Errors: Invalid for any other id.
func continueAfter(ctx context.Context, q store.Queryer, table string, w *store.Where, cursor laurel.ID) error {
	var createdAt int64
	found := *w
	found.Add("id = ?", cursor)
	err := q.Get(ctx, &createdAt, "SELECT created_at FROM "+table+found.String(), found.Args...)
	if store.IsNoRows(err) {
		return laurel.ErrCursor()
	}
	w.After("created_at", "id", true /* descending */, createdAt, cursor)
	return err
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
