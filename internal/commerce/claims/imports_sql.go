package claims

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// importRow is the stored form of an import of an allocation list.
type importRow struct {
	ID             laurel.ID            `db:"id"`
	OrganizationID laurel.ID            `db:"organization_id"`
	WebsiteID      laurel.ID            `db:"website_id"`
	TokenClaimID   laurel.ID            `db:"token_claim_id" update:"no"`
	URL            string               `db:"url" update:"no"`
	Decimals       int64                `db:"decimals" update:"no"`
	Status         string               `db:"status"`
	Message        string               `db:"message"`
	Digest         string               `db:"digest"`
	Position       int64                `db:"position"`
	HoldsRows      bool                 `db:"holds_rows"`
	DueAt          laurel.Timestamp     `db:"due_at" update:"no"` // written by the queue
	Attempts       int64                `db:"attempts" update:"no"`
	CreatedAt      laurel.Timestamp     `db:"created_at"`
	UpdatedAt      laurel.Timestamp     `db:"updated_at"`
	FinishedAt     laurel.NullTimestamp `db:"finished_at"`
	Total          int64                `db:"total"`
	RowsRead       int64                `db:"rows_read"`
	Skipped        int64                `db:"skipped"`
	Replaced       int64                `db:"replaced"`
	BadRows        laurel.List[string]  `db:"bad_rows"`
}

func (r importRow) scope() laurel.Scope {
	return laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Role: laurel.RoleWebsite}
}

var importTable = store.NewRecords[importRow]("token_claim_imports", "Import")

// leasedImports describes the queue of imports. A website has one at a time.
var leasedImports = worker.QueueTable{
	Table: "token_claim_imports", Key: "id", Due: "due_at", Columns: importTable.Columns(), Open: "finished_at IS NULL",
	WhileLeased: "status = 'processing'", Attempts: "attempts", OwnerColumn: "website_id",
	Series:   worker.Series{Column: "website_id"},
	Finished: worker.Finished{When: "NOT holds_rows", At: "finished_at", KeepFor: 30 * 24 * time.Hour},
}

// insertImport puts an import of the token claim's list in the queue, with the id c.DataJobID.
func insertImport(ctx context.Context, tx *store.Tx, c TokenClaim) error {
	now := laurel.Timestamp{Time: tx.Now()}
	_, err := importTable.Insert(ctx, tx, &importRow{
		ID: c.DataJobID.ID, OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID, TokenClaimID: c.ID, URL: *c.CSVURL,
		Decimals: c.Decimals, Status: Pending, DueAt: now, CreatedAt: now, UpdatedAt: now,
	}, "")
	return err
}

// saveImport writes the changeable columns of a leased import.
func saveImport(ctx context.Context, tx *store.Tx, r *importRow) error {
	r.UpdatedAt.Time = tx.Now()
	return importTable.Update(ctx, tx, r)
}

// cancelOpenImport cancels the open import of a token claim, if there is one.
func cancelOpenImport(ctx context.Context, tx *store.Tx, claim laurel.ID) error {
	now := store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		`UPDATE token_claim_imports SET status = 'cancelled', finished_at = ?, updated_at = ? WHERE finished_at IS NULL
		AND token_claim_id = ?`,
		now, now, claim,
	)
	return err
}

// findImport reads an import, or returns false if there is none.
func findImport(ctx context.Context, q store.Queryer, id laurel.ID) (importRow, bool, error) {
	r, err := importTable.Get(ctx, q, (&store.Where{}).With("id = ?", id), "")
	if laurel.CodeOf(err) == laurel.NotFound {
		return r, false, nil
	}
	return r, err == nil, err
}

// lockClaim locks and reads the token claim of an import, deleted or not.
func lockClaim(ctx context.Context, tx *store.Tx, id laurel.ID) (TokenClaim, error) {
	return table.Get(ctx, tx, (&store.Where{}).With("id = ?", id), tx.ForUpdate())
}

var insertAllocations = store.Insert{
	Table:   "token_claim_allocations",
	Columns: store.Columns("import_id uuid, wallet_address text, units text, node bigint, place bigint"),
}

var insertBlocks = store.Insert{
	Table:   "token_claim_blocks",
	Columns: store.Columns("import_id uuid, head bigint, nodes bytea"),
}

// removalsPerChunk is how many rows one transaction removes.
const removalsPerChunk = 5000

// clearImportChunk removes up to removalsPerChunk allocations of an import and, if these were the last ones, up to
// removalsPerChunk blocks. It reports whether no allocation and no block remains.
func clearImportChunk(ctx context.Context, tx *store.Tx, id laurel.ID) (last bool, err error) {
	n, err := tx.Exec(ctx, `DELETE FROM token_claim_allocations WHERE import_id = ? AND wallet_address IN (SELECT
		wallet_address FROM token_claim_allocations WHERE import_id = ? ORDER BY wallet_address LIMIT ?)`, id, id, removalsPerChunk)
	if err != nil || n == removalsPerChunk {
		return false, err
	}
	n, err = tx.Exec(ctx, `DELETE FROM token_claim_blocks WHERE import_id = ? AND head IN (SELECT head FROM
		token_claim_blocks WHERE import_id = ? ORDER BY head LIMIT ?)`, id, id, removalsPerChunk)
	if err != nil || n == removalsPerChunk {
		return false, err
	}
	_, err = tx.Exec(ctx, "UPDATE token_claim_imports SET holds_rows = FALSE WHERE id = ?", id)
	return true, err
}

// importsToClear returns up to 100 ended imports whose allocations are not needed. The valid import of a deleted token
// claim is needed only if a wallet has claimed: its rows record the claims.
func importsToClear(ctx context.Context, q store.Queryer) (ids []laurel.ID, err error) {
	err = q.Select(ctx, &ids, `SELECT t.id FROM token_claim_imports t WHERE t.finished_at IS NOT NULL AND t.holds_rows
		AND NOT EXISTS (SELECT 1 FROM token_claims c WHERE c.id = t.token_claim_id AND c.current_import_id = t.id
		AND (c.deleted_at IS NULL OR c.claimed_wallets > 0))
		ORDER BY t.finished_at LIMIT 100`)
	return ids, err
}
