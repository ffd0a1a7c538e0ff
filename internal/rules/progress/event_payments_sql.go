package progress

import (
	"context"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const selectEventPayment = `SELECT t.loyalty_rule_id, t.event_key, t.organization_id, t.website_id, t.subject_id, t.user_id,
	t.window_key, t.amount, t.loyalty_transaction_id, t.happened_at, t.published_at, t.paid_at, t.removed_at, t.kept, t.reversal_id
	FROM rule_event_payments t`

// FindEventPayment returns the payment for an event, read without locks; a new one if there is none.
func FindEventPayment(ctx context.Context, q store.Queryer, k EventKey) (EventPayment, error) {
	found := EventPayment{}
	err := q.Get(ctx, &found, selectEventPayment+" WHERE t.loyalty_rule_id = ? AND t.event_key = ?", k.Rule, k.Key)
	if store.IsNoRows(err) {
		return *EventPayments.New(k), nil
	}
	return found, err
}

// HasKeptPayment reports whether a rule keeps points for the transaction of an event, which was in another block
// before.
func HasKeptPayment(ctx context.Context, q store.Queryer, k EventKey) (bool, error) {
	parts := strings.Split(k.Key, ":") // chain, block, transaction and place
	if len(parts) != 4 {               //nolint:mnd // see above
		return false, nil
	}
	var w store.Where
	w.Add("loyalty_rule_id = ? AND kept", k.Rule)
	w.Add("event_key LIKE ?", parts[0]+":%:"+parts[2]+":%")
	w.Add("event_key NOT LIKE ?", parts[0]+":"+parts[1]+":%")
	var found []string
	err := q.Select(ctx, &found, "SELECT event_key FROM rule_event_payments"+w.String()+" LIMIT 1", w.Args...)
	return len(found) > 0, err
}

// ListEventPayments returns a page of the events that a rule has given points for, the latest payment first, with those
// whose blocks have left the chain since. page.StartingAfter is the transaction of the last payment before the page.
func ListEventPayments(
	ctx context.Context, q store.Queryer, scope laurel.Scope, rule laurel.ID, page laurel.PageRequest,
) (laurel.Page[EventPayment], error) {
	var w store.Where
	w.Add("t.loyalty_rule_id = ?", rule)
	w.Tenant("t.", scope)
	w.Add("t.loyalty_transaction_id IS NOT NULL")
	if !page.StartingAfter.IsZero() {
		w.Add("t.loyalty_transaction_id < ?", page.StartingAfter)
	}
	return store.SelectPage[EventPayment](ctx, q, page.Limit,
		selectEventPayment+w.String()+" ORDER BY t.loyalty_transaction_id DESC", w.Args...)
}

// saveEventPayments inserts new rows and updates the others. It returns store.ErrRerun if another transaction has
// inserted one.
func saveEventPayments(ctx context.Context, tx *store.Tx, rows []*EventPayment) error {
	var inserts, updates [][]any
	for _, p := range rows {
		values := []any{
			p.SubjectID, p.UserID, p.Window, p.Amount, p.TransactionID, p.HappenedAt, p.PublishedAt, p.PaidAt,
			store.OrNull(p.RemovedAt), p.IsKept, p.ReversalID,
		}
		if p.isNew {
			inserts = append(inserts, append([]any{p.RuleID, p.Key, p.OrganizationID, p.WebsiteID}, values...))
		} else {
			updates = append(updates, append([]any{p.RuleID, p.Key}, values...))
		}
	}
	const set = `subject_id uuid, user_id uuid, window_key text, amount bigint, loyalty_transaction_id uuid,
		happened_at bigint, published_at bigint, paid_at bigint, removed_at bigint, kept boolean, reversal_id uuid`
	n, err := tx.InsertRows(ctx, store.Insert{
		Table: "rule_event_payments", Conflict: store.IgnoreConflicts,
		Columns: store.Columns("loyalty_rule_id uuid, event_key text, organization_id uuid, website_id uuid, " + set),
	}, inserts)
	if err != nil {
		return err
	}
	if n < int64(len(inserts)) {
		return store.ErrRerun
	}
	_, err = tx.UpdateRows(ctx, store.Update{
		Table: "rule_event_payments", Keys: store.Columns("loyalty_rule_id uuid, event_key text"), Set: store.Columns(set),
	}, updates)
	return err
}
