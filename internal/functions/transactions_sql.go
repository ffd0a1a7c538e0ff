package functions

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const transactionColumns = `id, organization_id, website_id, function_id, run_id, source_id, position, call, status, message,
	tx_hash, due_at, created_at, updated_at`

type transactionRow struct {
	Transaction
	SourceID  laurel.ID `db:"source_id"`
	Position  int64     `db:"position"`
	Status    string    `db:"status"`
	Message   string    `db:"message"`
	TxHash    string    `db:"tx_hash"`
	DueAt     int64     `db:"due_at"`
	CreatedAt int64     `db:"created_at"`
	UpdatedAt int64     `db:"updated_at"`
}

// transactionLeases describes the table of transactions to the queue. Finished ones are stored as long as runs.
var transactionLeases = worker.QueueTable{
	Table: "function_transactions", Key: "id", Due: "due_at", Open: "status = 'waiting'", Attempts: "attempts",
	OwnerColumn: "website_id", Columns: transactionColumns,
	Finished: worker.Finished{When: "status <> 'waiting'", At: "updated_at", KeepFor: runRetention},
}

// hasTransactions reports whether a run of the same function and source has requested transactions already.
func hasTransactions(ctx context.Context, tx *store.Tx, r Run, source laurel.ID) (bool, error) {
	var n int
	err := tx.Get(
		ctx,
		&n,
		"SELECT COUNT(*) FROM function_transactions WHERE website_id = ? AND function_id = ? AND source_id = ?",
		r.WebsiteID, r.FunctionID, source,
	)
	return n > 0, err
}

var insertTransaction = store.Insert{
	Table:    "function_transactions",
	Conflict: store.IgnoreConflicts,
	Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid, function_id uuid, run_id uuid, source_id uuid,
		position bigint, call text, status text, message text, tx_hash text, attempts bigint, due_at bigint,
		created_at bigint, updated_at bigint`),
}

// insertTransactions inserts requested transactions. It returns store.ErrRerun if another node has inserted some of
// them.
func insertTransactions(ctx context.Context, tx *store.Tx, rows []transactionRow) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{
			r.ID, r.OrganizationID, r.WebsiteID, r.FunctionID, r.RunID, r.SourceID, r.Position, r.Call, r.Status, "", "", 0,
			r.DueAt, r.CreatedAt, r.UpdatedAt,
		}
	}
	n, err := tx.InsertRows(ctx, insertTransaction, values)
	if err == nil && n < int64(len(rows)) {
		return store.ErrRerun
	}
	return err
}

// saveTransaction writes the status of a leased transaction.
func saveTransaction(ctx context.Context, tx *store.Tx, r *transactionRow) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE function_transactions SET status = ?, message = ?, tx_hash = ?, updated_at = ? WHERE id = ?",
		r.Status, r.Message, r.TxHash, r.UpdatedAt, r.ID,
	)
	return err
}
