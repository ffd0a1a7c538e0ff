package reversals

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Row says how much of a transaction is reversed.
type Row struct {
	TransactionID  laurel.ID     `db:"loyalty_transaction_id"`
	OrganizationID laurel.ID     `db:"organization_id"`
	WebsiteID      laurel.ID     `db:"website_id"`
	Amount         laurel.Amount `db:"amount"` // of a transaction with one part, with what balances did not cover
	IsWhole        bool          `db:"is_whole"`
	IsReopened     bool          `db:"is_reopened"` // the windows that it had closed are free
	CreatedAt      int64         `db:"created_at"`
	UpdatedAt      int64         `db:"updated_at"`
	isNew          bool          // not in the database yet
}

const selectRow = `SELECT t.loyalty_transaction_id, t.organization_id, t.website_id, t.amount, t.is_whole, t.is_reopened,
	t.created_at, t.updated_at FROM transaction_reversals t`

// Rows are the rows of transaction_reversals.
var Rows = &store.Table[laurel.ID, Row]{
	Name: "reversals", Rank: store.LockRankReversals,
	Compare: laurel.ID.Compare,
	Query:   selectRow,
	Key:     store.Columns("loyalty_transaction_id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(r *Row) laurel.ID { return r.TransactionID },
	New:     func(id laurel.ID) *Row { return &Row{TransactionID: id, isNew: true} },
	Save:    saveRows,
}

// MarkWhole notes that a transaction is reversed as a whole and its windows are free, by something else than Reverse.
// The caller has locked the row.
func MarkWhole(b *store.Batch, scope laurel.Scope, transaction laurel.ID) {
	row, now := Rows.Changed(b, transaction), store.Micros(b.Now())
	if row.isNew {
		row.OrganizationID, row.WebsiteID, row.CreatedAt = scope.OrganizationID, scope.WebsiteID, now
	}
	row.IsWhole, row.IsReopened, row.UpdatedAt = true, true, now
}

// saveRows inserts new rows and updates the others. It returns store.ErrRerun if another transaction has inserted one.
func saveRows(ctx context.Context, tx *store.Tx, rows []*Row) error {
	var inserts, updates [][]any
	for _, r := range rows {
		if r.isNew {
			inserts = append(inserts, []any{
				r.TransactionID, r.OrganizationID, r.WebsiteID, r.Amount, r.IsWhole, r.IsReopened, r.CreatedAt, r.UpdatedAt,
			})
		} else {
			updates = append(updates, []any{r.TransactionID, r.Amount, r.IsWhole, r.IsReopened, r.UpdatedAt})
		}
	}
	n, err := tx.InsertRows(ctx, store.Insert{
		Table: "transaction_reversals", Conflict: store.IgnoreConflicts,
		Columns: store.Columns(`loyalty_transaction_id uuid, organization_id uuid, website_id uuid, amount bigint,
			is_whole boolean, is_reopened boolean, created_at bigint, updated_at bigint`),
	}, inserts)
	if err != nil {
		return err
	}
	if n < int64(len(inserts)) {
		return store.ErrRerun
	}
	_, err = tx.UpdateRows(ctx, store.Update{
		Table: "transaction_reversals", Keys: store.Columns("loyalty_transaction_id uuid"),
		Set: store.Columns("amount bigint, is_whole boolean, is_reopened boolean, updated_at bigint"),
	}, updates)
	return err
}
