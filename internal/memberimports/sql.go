package memberimports

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// importRow is the stored form of an import.
type importRow struct {
	ID             laurel.ID            `db:"id"`
	OrganizationID laurel.ID            `db:"organization_id"`
	WebsiteID      laurel.ID            `db:"website_id"`
	CreatedByID    laurel.NullID        `db:"created_by_id" update:"no"`
	URL            string               `db:"url" update:"no"` // empty: a command or a page has read the file
	FileName       string               `db:"file_name" update:"no"`
	CurrencyID     laurel.NullID        `db:"loyalty_currency_id"`
	Status         string               `db:"status"`
	Message        string               `db:"message"`
	Digest         string               `db:"digest"`
	IsStaged       bool                 `db:"is_staged"` // all rows of the file are good, and stored
	HoldsRows      bool                 `db:"holds_rows"`
	Total          int64                `db:"total"`
	Written        int64                `db:"written"`
	Position       int64                `db:"position"` // the line of the last row that is imported
	NewMembers     int64                `db:"new_members"`
	Openings       int64                `db:"opening_balances"`
	IgnoredColumns laurel.List[string]  `db:"ignored_columns"`
	DueAt          laurel.Timestamp     `db:"due_at" update:"no"` // written by the queue
	Attempts       int64                `db:"attempts" update:"no"`
	CreatedAt      laurel.Timestamp     `db:"created_at"`
	UpdatedAt      laurel.Timestamp     `db:"updated_at"`
	FinishedAt     laurel.NullTimestamp `db:"finished_at"`
}

// scope returns the scope in which the import writes: that of its website, for the caller who has started it.
func (r *importRow) scope() laurel.Scope {
	return laurel.Scope{
		OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Role: laurel.RoleWebsite, ActorID: r.CreatedByID.ID,
	}
}

// toImport returns the import as callers see it.
func (r importRow) toImport() Import {
	return Import{
		ID: r.ID, WebsiteID: r.WebsiteID, FileName: r.FileName, CurrencyID: r.CurrencyID, Status: r.Status,
		Message: r.Message, Total: r.Total, Written: r.Written, NewMembers: r.NewMembers, Openings: r.Openings,
		CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time, FinishedAt: r.FinishedAt.Time,
	}
}

var importTable = store.NewRecords[importRow]("member_imports", "Import")

// leasedImports describes the queue of imports. A website has one at a time. Imports are stored for ever: entries name
// them.
var leasedImports = worker.QueueTable{
	Table: "member_imports", Key: "id", Due: "due_at", Columns: importTable.Columns(), Open: "finished_at IS NULL",
	WhileLeased: "status = 'processing'", Attempts: "attempts", OwnerColumn: "website_id",
	Series: worker.Series{Column: "website_id"},
}

// newRow returns a new import of the scope's website, which is due now.
func newRow(tx *store.Tx, scope laurel.Scope, currency laurel.ID) importRow {
	now := laurel.Timestamp{Time: tx.Now()}
	return importRow{
		ID: tx.NewID(), OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID,
		CreatedByID: laurel.NullableID(scope.ActorID), CurrencyID: laurel.NullableID(currency), Status: Pending,
		DueAt: now, CreatedAt: now, UpdatedAt: now,
	}
}

// saveImport writes the changeable columns of a leased import.
func saveImport(ctx context.Context, tx *store.Tx, r *importRow) error {
	r.UpdatedAt.Time = tx.NowAfter(r.UpdatedAt.Time)
	return importTable.Update(ctx, tx, r)
}

func importByID(scope laurel.Scope, id laurel.ID) *store.Where {
	return store.OfTenant(scope).With("id = ?", id)
}

// listImports reads a page of the imports of the scope, newest first.
func listImports(
	ctx context.Context, q store.Queryer, scope laurel.Scope, page laurel.PageRequest,
) (laurel.Page[importRow], error) {
	return importTable.Page(ctx, q, store.List{
		Where: store.OfTenant(scope), Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true,
	}, page)
}

// hasOpenImport reports whether an open import of the scope names the currency.
func hasOpenImport(ctx context.Context, q store.Queryer, scope laurel.Scope, currency laurel.ID) (bool, error) {
	w := store.OfTenant(scope).With("finished_at IS NULL").With("loyalty_currency_id = ?", currency)
	n, err := importTable.Count(ctx, q, w)
	return n > 0, err
}

// findEarlierImport returns the newest import of the same bytes that a command or a page has started on the scope's
// website, with opening balances of the same currency, if it is complete, or open with all of its rows stored; false if
// there is none.
func findEarlierImport(
	ctx context.Context, q store.Queryer, scope laurel.Scope, digest string, currency laurel.ID,
) (importRow, bool, error) {
	w := store.OfTenant(scope).With("url = ''").With("digest = ?", digest).With("is_staged").
		With("status IN ('pending', 'processing', 'complete')")
	if currency.IsZero() {
		w.Add("loyalty_currency_id IS NULL")
	} else {
		w.Add("loyalty_currency_id = ?", currency)
	}
	rows, err := importTable.Select(ctx, q, w, "created_at DESC, id DESC")
	if err != nil || len(rows) == 0 {
		return importRow{}, false, err
	}
	return rows[0], true, nil
}

// lockPending locks an import and returns it.
func lockPending(ctx context.Context, tx *store.Tx, id laurel.ID) (importRow, error) {
	return importTable.Get(ctx, tx, (&store.Where{}).With("id = ?", id).With("status = 'pending'"), tx.ForUpdate())
}

// makeDue makes an import due at a moment.
func makeDue(ctx context.Context, tx *store.Tx, r *importRow) error {
	_, err := tx.Exec(ctx, "UPDATE member_imports SET due_at = ? WHERE id = ?", store.Micros(r.DueAt.Time), r.ID)
	return err
}

// memberRow is a good row of a file. An empty text keeps what is stored of the member.
type memberRow struct {
	ImportID           laurel.ID            `db:"import_id" update:"key"`
	Line               int64                `db:"line" update:"key"`
	Wallet             string               `db:"wallet_address"`
	ExternalIdentifier string               `db:"external_identifier"`
	DisplayName        string               `db:"display_name"`
	EmailAddress       string               `db:"email_address"`
	PhoneNumber        string               `db:"phone_number"`
	JoinedAt           laurel.NullTimestamp `db:"joined_at"`
	Balance            laurel.Amount        `db:"balance"`
}

var rowTable = store.NewRecords[memberRow]("member_import_rows", "Row")

// rowsAfter reads up to limit rows of an import after a line, in their order.
func rowsAfter(
	ctx context.Context, q store.Queryer, id laurel.ID, line int64, limit int,
) (rows []memberRow, err error) {
	err = q.Select(ctx, &rows, rowTable.Query()+" WHERE import_id = ? AND line > ? ORDER BY line LIMIT ?", id, line, limit)
	return rows, err
}

// rowsPerDeletion is how many rows one transaction removes.
const rowsPerDeletion = 5000

// clearChunk removes up to rowsPerDeletion rows of an import. It reports whether none remains.
func clearChunk(ctx context.Context, tx *store.Tx, id laurel.ID) (last bool, err error) {
	n, err := tx.Exec(ctx, `DELETE FROM member_import_rows WHERE import_id = ? AND line IN (SELECT line
		FROM member_import_rows WHERE import_id = ? ORDER BY line LIMIT ?)`, id, id, rowsPerDeletion)
	return n < rowsPerDeletion, err
}

// markCleared records that an import has no rows.
func markCleared(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE member_imports SET holds_rows = FALSE WHERE id = ?", id)
	return err
}

// importsToClear returns up to 100 ended imports whose rows are still stored.
func importsToClear(ctx context.Context, q store.Queryer) (ids []laurel.ID, err error) {
	err = q.Select(ctx, &ids, `SELECT id FROM member_imports WHERE finished_at IS NOT NULL AND holds_rows
		ORDER BY finished_at LIMIT 100`)
	return ids, err
}
