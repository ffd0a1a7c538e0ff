package auctions

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

var table = store.NewRecords[Auction]("auctions", "Auction")

// leasedAuctions describes the queue of auctions that are to be closed, or have bidders to refund.
var leasedAuctions = worker.QueueTable{
	Table: "auctions", Key: "id", Due: "due_at", Open: "due_at IS NOT NULL", OwnerColumn: "website_id",
	Columns: table.Columns(),
}

// listAuctions reads a page of auctions, newest first. Errors: Invalid for an unknown cursor.
func listAuctions(
	ctx context.Context, db *store.DB, scope laurel.Scope, f Filter, page laurel.PageRequest,
) (laurel.Page[Auction], error) {
	w := store.OfTenant(scope)
	if f.Status != "" {
		w.Add("status = ?", f.Status)
	}
	if f.Type != "" {
		w.Add("type = ?", f.Type)
	}
	if f.Begun != nil {
		comparison := " > ?"
		if *f.Begun {
			comparison = " <= ?"
		}
		w.Add("starts_at"+comparison, store.Micros(db.Now()))
	}
	order := store.List{Where: w, Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true}
	return table.Page(ctx, db, order, page)
}

// hasOpenAuction reports whether an auction in a currency is open, or has ended and has bidders to refund.
func hasOpenAuction(ctx context.Context, q store.Queryer, scope laurel.Scope, currency laurel.ID) (bool, error) {
	var w store.Where
	w.Add("loyalty_currency_id = ? AND due_at IS NOT NULL", currency)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT id FROM auctions"+w.String()+" LIMIT 1", w.Args...)
	return len(ids) > 0, err
}

// cancelOpenAuctions cancels the open auctions of a currency and makes them due, so that the queue refunds their
// bidders. It locks them in the order of their ids, as Works do, to avoid deadlocks. (An open auction always has a
// due_at; the condition on it lets an index find the few rows.)
func cancelOpenAuctions(ctx context.Context, tx *store.Tx, scope laurel.Scope, currency laurel.ID) error {
	var w store.Where
	w.Add("loyalty_currency_id = ? AND due_at IS NOT NULL", currency)
	w.Tenant(tx.Engine().NoIndexPrefix(), scope)
	w.Add("status = '" + InProgress + "'")
	var ids []laurel.ID
	if err := tx.Select(
		ctx, &ids, "SELECT id FROM auctions"+w.String()+" ORDER BY id"+tx.ForUpdate(), w.Args...); err != nil {
		return err
	}
	now := store.Micros(tx.Now())
	rows := make([][]any, len(ids))
	for i, id := range ids {
		rows[i] = []any{id, Cancelled, now, now}
	}
	_, err := tx.UpdateRows(ctx, store.Update{
		Table: "auctions", Keys: store.Columns("id uuid"),
		Set: store.Columns("status text, due_at bigint, updated_at bigint"),
	}, rows)
	return err
}
