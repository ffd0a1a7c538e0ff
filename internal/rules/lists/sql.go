package lists

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
	"laurel.example/laurel/internal/worker"
)

// selectSources reads the sources of a rule or badge by kind.
func selectSources(ctx context.Context, q store.Queryer, owner laurel.ID) (map[Kind]source, error) {
	var rows []source
	err := q.Select(ctx, &rows, selectSource+" WHERE owner_id = ?", owner)
	out := make(map[Kind]source, len(rows))
	for _, r := range rows {
		out[r.Kind] = r
	}
	return out, err
}

const selectSource = "SELECT owner_id, owner, kind, organization_id, website_id, url, current_import_id, next_read_at FROM list_sources"

// upsertSource stores a source and clears the time of its next import. A source keeps its current import unless its url
// changes.
func upsertSource(ctx context.Context, tx *store.Tx, scope laurel.Scope, owner Owner, s Source) error {
	var key any
	if !s.APIKey.IsZero() {
		key = s.APIKey.Sealed()
	}
	now := store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		`INSERT INTO list_sources (owner_id, owner, kind, organization_id, website_id, url, api_key_sealed, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (owner_id, kind) DO UPDATE SET api_key_sealed = excluded.api_key_sealed, updated_at = excluded.updated_at,
		next_read_at = NULL, current_import_id = CASE WHEN list_sources.url = excluded.url THEN list_sources.current_import_id END, url = excluded.url`,
		owner.ID,
		owner.Type,
		s.Kind,
		scope.OrganizationID,
		scope.WebsiteID,
		s.storedURL(),
		key,
		now,
		now,
	)
	return err
}

// removeSource deletes a source and cancels its unfinished import.
func removeSource(ctx context.Context, tx *store.Tx, owner laurel.ID, kind Kind) error {
	if err := cancelUnfinished(ctx, tx, owner, kind); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "DELETE FROM list_sources WHERE owner_id = ? AND kind = ?", owner, kind)
	return err
}

// cancelAllImports cancels the unfinished imports of a rule and schedules no further ones.
func cancelAllImports(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE list_sources SET next_read_at = NULL WHERE owner_id = ? AND organization_id = ? AND website_id = ?",
		rule,
		scope.OrganizationID,
		scope.WebsiteID,
	)
	if err != nil {
		return err
	}
	_, err = tx.Exec(
		ctx,
		cancelImports+" AND organization_id = ? AND website_id = ?",
		store.Micros(tx.Now()),
		store.Micros(tx.Now()),
		rule,
		scope.OrganizationID,
		scope.WebsiteID,
	)
	return err
}

const cancelImports = `UPDATE list_imports SET status = 'cancelled', finished_at = ?, updated_at = ? WHERE finished_at IS NULL AND owner_id = ?`

// cancelUnfinished cancels the import of a list that has not ended yet, if there is one.
func cancelUnfinished(ctx context.Context, tx *store.Tx, owner laurel.ID, kind Kind) error {
	_, err := tx.Exec(ctx, cancelImports+" AND kind = ?", store.Micros(tx.Now()), store.Micros(tx.Now()), owner, kind)
	return err
}

// importRow is an import as it is stored.
type importRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	OwnerID        laurel.ID `db:"owner_id" update:"no"`
	Owner          string    `db:"owner" update:"no"`
	Kind           Kind      `db:"kind" update:"no"`
	URL            string    `db:"url" update:"no"`
	Status         string    `db:"status"`
	Message        string    `db:"message"`
	Total          *int64    `db:"rows_total"`
	Read           int64     `db:"rows_read"`
	Skipped        int64     `db:"rows_skipped"`
	Added          int64     `db:"rows_kept"`
	HoldsRows      bool      `db:"holds_rows"`
	Errors         string    `db:"errors"`
	Position       string    `db:"position"`
	Digest         string    `db:"digest"`
	DueAt          int64     `db:"due_at" update:"no"`   // written by the queue
	Attempts       int64     `db:"attempts" update:"no"` // started so far; distinguishes this node from earlier ones
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	FinishedAt     *int64    `db:"finished_at"`
	lease          *worker.Item[importRow]
	badRows        int64 // bad rows of a file so far; stored in Position
}

func (r importRow) scope() laurel.Scope {
	return laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID}
}

// errors decodes the stored errors.
func (r importRow) errors() []RowError {
	errs := []RowError{}
	_ = json.Unmarshal([]byte(r.Errors), &errs) // valid, as this package wrote it
	return errs
}

// toImport returns the import as callers see it.
func (r importRow) toImport() Import {
	kind, condition := r.Kind.split()
	out := Import{
		ID:        r.ID,
		Owner:     Owner{r.Owner, r.OwnerID},
		Kind:      kind,
		Condition: condition,
		URL:       plainURL(r.URL),
		Status:    r.Status,
		Message:   r.Message,
		Total:     r.Total,
		Read:      r.Read,
		Skipped:   r.Skipped,
		Added:     r.Added,
		Errors:    r.errors(),
		CreatedAt: store.Time(r.CreatedAt),
		UpdatedAt: store.Time(r.UpdatedAt),
	}
	if r.FinishedAt != nil {
		out.FinishedAt = store.Time(*r.FinishedAt)
	}
	return out
}

var importTable = store.NewRecords[importRow]("list_imports", "Import")

// insertImport enqueues an import of a source that is due at once, unless its list has an unfinished import.
func insertImport(ctx context.Context, tx *store.Tx, s source) error {
	now := store.Micros(tx.Now())
	_, err := importTable.Insert(ctx, tx, &importRow{
		ID: tx.NewID(), OrganizationID: s.OrganizationID, WebsiteID: s.WebsiteID, OwnerID: s.OwnerID, Owner: s.Owner,
		Kind: s.Kind, URL: s.URL, Status: Pending, Errors: "[]", DueAt: now, CreatedAt: now, UpdatedAt: now,
	}, store.IgnoreConflicts)
	return err
}

// isImportedOrPending reports whether an import of the source from its address is complete, or has not ended yet.
func isImportedOrPending(ctx context.Context, q store.Queryer, s source) (bool, error) {
	var n int
	err := q.Get(
		ctx,
		&n,
		"SELECT COUNT(*) FROM list_imports WHERE owner_id = ? AND kind = ? AND url = ? AND status IN ('pending', 'processing', 'complete')",
		s.OwnerID,
		s.Kind,
		s.URL,
	)
	return n > 0, err
}

// hasFailedImport reports whether an import of the source from its address has ever failed.
func hasFailedImport(ctx context.Context, q store.Queryer, s source) (bool, error) {
	var n int
	err := q.Get(
		ctx,
		&n,
		"SELECT COUNT(*) FROM list_imports WHERE owner_id = ? AND kind = ? AND url = ? AND status = 'failed'",
		s.OwnerID,
		s.Kind,
		s.URL,
	)
	return n > 0, err
}

// listImports reads a page of the imports of a rule, newest first. A zero rule selects those of all rules and badges in
// the scope.
func listImports(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[importRow], error) {
	w := store.OfTenant(scope)
	if !rule.IsZero() {
		w.Add("owner_id = ? AND owner = ?", rule, OwnerRule)
	}
	return importTable.Page(ctx, q, store.List{Where: w, Cursors: w, Order: []string{"created_at", "id"}, Newest: true}, page)
}

// dueSources selects sources that are due to be imported again and have no unfinished import.
const dueSources = ` WHERE next_read_at <= ? AND NOT EXISTS (SELECT 1 FROM list_imports i WHERE i.owner_id = list_sources.owner_id
	AND i.kind = list_sources.kind AND i.finished_at IS NULL) ORDER BY next_read_at`

// queueTable describes the table of imports to the queue. One import of a website runs at a time.
var queueTable = worker.QueueTable{
	Table: "list_imports", Key: "id", Due: "due_at", Columns: importTable.Columns(), Open: "finished_at IS NULL",
	WhileLeased: "status = 'processing'", Attempts: "attempts", OwnerColumn: "website_id",
	Series:   worker.Series{Column: "website_id"},
	Finished: worker.Finished{When: "NOT holds_rows", At: "finished_at", KeepFor: 30 * 24 * time.Hour},
}

// hasDueSource reports whether any source is due to be imported again.
func hasDueSource(ctx context.Context, q store.Queryer, now time.Time) (bool, error) {
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT owner_id FROM list_sources"+dueSources+" LIMIT 1", store.Micros(now))
	return len(ids) > 0, err
}

// enqueueChunk bounds the imports that one transaction enqueues.
const enqueueChunk = 100

// enqueueDueChunk enqueues imports of up to enqueueChunk sources that are due to be imported again, and returns how
// many sources these were. Sources that another node is enqueueing are passed over.
func enqueueDueChunk(ctx context.Context, tx *store.Tx) (int, error) {
	now := store.Micros(tx.Now())
	var due []source
	err := tx.Select(ctx, &due, selectSource+dueSources+" LIMIT ?"+tx.ForUpdateSkip(), now, enqueueChunk)
	for _, s := range due {
		if _, err := tx.Exec(
			ctx,
			"UPDATE list_sources SET next_read_at = ? WHERE owner_id = ? AND kind = ?",
			store.Micros(tx.Now().Add(reimportInterval)),
			s.OwnerID,
			s.Kind,
		); err != nil {
			return 0, err
		}
		if err := insertImport(ctx, tx, s); err != nil {
			return 0, err
		}
	}
	return len(due), err
}

// saveImport stores the progress of an import.
func saveImport(ctx context.Context, tx *store.Tx, imp *importRow) error {
	imp.UpdatedAt = store.Micros(tx.Now())
	return importTable.Update(ctx, tx, imp)
}

// selectCurrent reads the current import of the list that imp imports, which is an earlier one than imp. It returns the
// zero row if there is none.
func selectCurrent(ctx context.Context, q store.Queryer, imp *importRow) (importRow, error) {
	w := (&store.Where{}).With(
		"id = (SELECT current_import_id FROM list_sources WHERE owner_id = ? AND kind = ?)", imp.OwnerID, imp.Kind)
	row, err := importTable.Get(ctx, q, w, "")
	if laurel.CodeOf(err) == laurel.NotFound {
		return importRow{}, nil
	}
	return row, err
}

// updateSourceAtEnd updates the source of an import that has ended. It schedules the next import at a moment; nil:
// none. It sets the current import of the source to current, unless that is the zero id. It does nothing if the source
// has another address by now.
func updateSourceAtEnd(ctx context.Context, tx *store.Tx, imp *importRow, current laurel.ID, at *int64) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE list_sources SET current_import_id = COALESCE("+tx.Typed(
			"UUID",
		)+", current_import_id), next_read_at = ?, updated_at = ? "+
			"WHERE owner_id = ? AND kind = ? AND url = ?",
		current,
		at,
		store.Micros(tx.Now()),
		imp.OwnerID,
		imp.Kind,
		imp.URL,
	)
	return err
}

// keyPlace returns the place (vault.Place) for which the key of a rule's feed is sealed. It names the property of the
// rule, because the source stores the same sealed text as the rule.
func keyPlace(rule laurel.ID) string { return vault.Place("rule", rule, "customRewardsApiKey") }

// SealedColumns describes the sealed texts of lists, for changing the key that seals them.
var SealedColumns = vault.SealedColumns{Table: "list_sources", ID: "owner_id", PlaceID: "owner_id",
	Columns: []string{"api_key_sealed"}, Where: "api_key_sealed IS NOT NULL",
	Reseal: func(of laurel.ID, text string, move vault.Resealer) (string, error) {
		return move(text, false, keyPlace(of))
	}}

// selectAPIKey reads the key of the feed that an import reads. The condition on the url makes sure that the key is not
// sent to a former address of the feed.
func selectAPIKey(ctx context.Context, q store.Queryer, imp *importRow) (vault.Secret, error) {
	var sealed string
	err := q.Get(ctx, &sealed, `SELECT COALESCE(api_key_sealed, '') FROM list_sources
		WHERE owner_id = ? AND kind = ? AND url = ?`, imp.OwnerID, imp.Kind, imp.URL)
	return vault.StoredSecret(sealed, keyPlace(imp.OwnerID)), err
}
