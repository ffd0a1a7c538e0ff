package holds

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

var table = store.NewRecords[Hold]("loyalty_holds", "Hold")

// Table reads holds t, also for lists elsewhere.
var Table = table.As("t")

// rows is the table of holds for Works.
var rows = &store.Table[laurel.ID, Hold]{
	Name: "holds", Rank: store.LockRankPointHolds,
	Compare: laurel.ID.Compare,
	Query:   Table.Query(),
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(h *Hold) laurel.ID { return h.ID },
	New:     func(id laurel.ID) *Hold { return &Hold{ID: id, isNew: true} },
	Save:    table.Saver(func(h *Hold) bool { return h.isNew }),
}

// leasedHolds describes the queue of holds that expire.
var leasedHolds = worker.QueueTable{
	Table: "loyalty_holds", Key: "id", Due: "due_at", Open: "status = 'held'", OwnerColumn: "website_id",
	Columns: table.Columns(),
}

// findHold reads a hold of the scope. Errors: NotFound "Hold".
func findHold(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Hold, error) {
	return readHold(ctx, q, scope, "t.id = ?", id)
}

// holdOfTransaction reads the hold whose amount a transaction has debited.
func holdOfTransaction(ctx context.Context, q store.Queryer, scope laurel.Scope, transaction laurel.ID) (Hold, error) {
	return readHold(ctx, q, scope, "t.loyalty_transaction_id = ?", transaction)
}

// readHold reads a hold of the scope. condition is a WHERE condition that selects it, in which id replaces the one "?".
// Errors: NotFound "Hold".
func readHold(ctx context.Context, q store.Queryer, scope laurel.Scope, condition string, id laurel.ID) (Hold, error) {
	var w store.Where
	w.Add(condition, id)
	w.Tenant(q.Engine().NoIndexPrefix()+"t.", scope)
	return Table.Get(ctx, q, &w, "")
}

// hasOpenHold reports whether points of a currency are held.
func hasOpenHold(ctx context.Context, q store.Queryer, scope laurel.Scope, currency laurel.ID) (bool, error) {
	var w store.Where
	w.Add("loyalty_currency_id = ? AND status = 'held'", currency)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT id FROM loyalty_holds"+w.String()+" LIMIT 1", w.Args...)
	return len(ids) > 0, err
}
