package functions

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
	"laurel.example/laurel/internal/worker"
)

var table = store.NewRecords[Function]("functions", "Function")

// Sealed lists the sealed columns of functions, for a change of LAUREL_SECRET.
var Sealed = vault.SealedColumns{
	Table: "functions", ID: "id", PlaceID: "id", Columns: []string{"secrets_sealed"}, Where: "secrets_sealed IS NOT NULL",
	Reseal: func(of laurel.ID, text string, move vault.Resealer) (string, error) {
		return move(text, false, secretsPlace(of))
	},
}

// tickLeases describes the table of functions to the queue of cron expressions.
var tickLeases = worker.QueueTable{
	Table: "functions", Key: "id", Due: "due_at", Open: "cron IS NOT NULL AND NOT disabled AND deleted_at IS NULL",
	OwnerColumn: "website_id", Columns: table.Columns(),
}

// countFunctions counts the live functions of a website and of its organization.
func countFunctions(
	ctx context.Context, tx *store.Tx, scope laurel.Scope,
) (ofWebsite, ofOrganization int, err error) {
	return store.CountByTenant(ctx, tx,
		"SELECT website_id FROM functions WHERE organization_id = ? AND deleted_at IS NULL", scope)
}

// insertVersion inserts the code of a function as its version f.Version.
func insertVersion(ctx context.Context, tx *store.Tx, f Function) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO function_versions (organization_id, website_id, function_id, version, code, created_at)
		VALUES (?, ?, ?, ?, ?, ?)`,
		f.OrganizationID, f.WebsiteID, f.ID, f.Version, f.Code, f.UpdatedAt,
	)
	return err
}

// saveTick writes the next tick of a function that the queue has leased.
func saveTick(ctx context.Context, tx *store.Tx, f *Function) error {
	_, err := tx.Exec(ctx, "UPDATE functions SET tick_at = ? WHERE id = ?", f.TickAt, f.ID)
	return err
}

// findCode reads the code of version f.Version of a function. Errors: sql.ErrNoRows if there is no such version.
func findCode(ctx context.Context, q store.Queryer, f Function) (code string, err error) {
	err = q.Get(
		ctx,
		&code,
		"SELECT code FROM function_versions WHERE website_id = ? AND function_id = ? AND version = ?",
		f.WebsiteID, f.ID, f.Version,
	)
	return code, err
}

// selectLiveFunctions returns which of the ids are live functions of the scope.
func selectLiveFunctions(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
) (map[laurel.ID]bool, error) {
	out := map[laurel.ID]bool{}
	if len(ids) == 0 {
		return out, nil
	}
	w := store.Live(scope)
	store.In(w, "id", ids)
	var found []laurel.ID
	err := q.Select(ctx, &found, "SELECT id FROM functions"+w.String(), w.Args...)
	for _, id := range found {
		out[id] = true
	}
	return out, err
}

// listFunctions reads a page of live functions, newest first; with ids, only these. Errors: Invalid for an unknown
// cursor.
func listFunctions(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[Function], error) {
	w := store.Live(scope)
	store.In(w, "id", ids)
	order := store.List{Where: w, Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true}
	return table.Page(ctx, q, order, page)
}

// LiveAmong returns those of the functions that belong to the scope and are not deleted.
func LiveAmong(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]laurel.ID, error) {
	return store.SelectLiveIDs(ctx, q, scope, "functions", ids)
}
