package ledger

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var updateReceivable = store.Update{
	Table: "loyalty_accounts", Keys: store.Columns("id uuid"), Set: store.Columns("receivable bigint"),
}

// saveReceivables writes what accounts owe where that has changed. Most postings change none.
func saveReceivables(ctx context.Context, tx *store.Tx, rows []*account) error {
	var changed [][]any
	for _, a := range rows {
		if a.owedChanged {
			changed = append(changed, []any{a.ID, a.Receivable})
		}
	}
	_, err := tx.UpdateRows(ctx, updateReceivable, changed)
	return err
}

// Receivables returns what accounts of the scope owe of points that were taken back, by id. Accounts that owe nothing
// are left out.
func (s *Service) Receivables(
	ctx context.Context, scope laurel.Scope, ids []laurel.ID,
) (map[laurel.ID]laurel.Amount, error) {
	out := map[laurel.ID]laurel.Amount{}
	if len(ids) == 0 {
		return out, nil
	}
	var w store.Where
	store.In(&w, "id", ids)
	w.Tenant("", scope)
	w.Add("receivable > 0")
	var rows []struct {
		ID   laurel.ID     `db:"id"`
		Owed laurel.Amount `db:"receivable"`
	}
	err := s.db.Select(ctx, &rows, "SELECT id, receivable FROM loyalty_accounts"+w.String(), w.Args...)
	for _, r := range rows {
		out[r.ID] = r.Owed
	}
	return out, err
}
