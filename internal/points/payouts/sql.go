package payouts

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

var table = store.NewRecords[Payout]("payouts", "Payout")

// payoutQueueTable describes the queue of payouts.
var payoutQueueTable = worker.QueueTable{
	Table: "payouts", Key: "id", Due: "due_at", Open: "status IN ('waiting', 'sent')", Attempts: "attempts", OwnerColumn: "website_id",
	Columns: table.Columns(),
}

// readPayout returns a payout of the scope. Errors: NotFound "Payout".
func readPayout(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Payout, error) {
	return table.Get(ctx, q, store.OfTenant(scope).With("id = ?", id), "")
}

// retryPayout makes a failed payout wait for the driver again, as if it had not been tried, and reports whether it had
// failed. It changes no other payout.
func retryPayout(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (bool, error) {
	now := store.Micros(tx.Now())
	var w store.Where
	w.Add("id = ? AND status = 'failed'", id)
	w.Tenant("", scope)
	n, err := tx.Exec(
		ctx,
		"UPDATE payouts SET status = 'waiting', message = '', attempts = 0, faults = 0, due_at = ?, updated_at = ?"+w.String(),
		append([]any{now, now}, w.Args...)...)
	return n > 0, err
}

// listPayouts returns a page of the payouts that match the filter, newest first. It returns laurel.ErrCursor if
// page.StartingAfter is no payout of the scope.
func listPayouts(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Payout], error) {
	w := store.OfTenant(scope)
	store.In(w, "status", f.Statuses)
	store.In(w, "loyalty_rule_id", f.RuleIDs)
	store.In(w, "user_id", f.UserIDs)
	store.In(w, "wallet_address", f.Wallets)
	order := store.List{Where: w, Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true}
	return table.Page(ctx, q, order, page)
}
