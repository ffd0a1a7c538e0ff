package webhooks

import (
	"context"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// senderRow is an item of the send queue: one per subscription, leased by a node while it sends.
type senderRow struct {
	SubscriptionID laurel.ID `db:"subscription_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	MoveHeldTo     string    `db:"kept_become"` // the status that held deliveries move to; "": they stay
}

// senderQueueTable describes the table of senders to the queue.
var senderQueueTable = worker.QueueTable{
	Table: "subscription_senders", Key: "subscription_id", Due: "due_at", Open: "due_at IS NOT NULL",
	OwnerColumn: "subscription_id", Columns: "subscription_id, organization_id, website_id, kept_become",
}

// lockSender locks the sender row of a subscription, if there is one. A transaction that writes the sender row and the
// subscription locks the sender row first, as the end of a batch does.
func lockSender(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) error {
	var w store.Where
	w.Add("subscription_id = ?", id)
	w.Tenant("", scope)
	var found []laurel.ID
	return tx.Select(ctx, &found, "SELECT subscription_id FROM subscription_senders"+w.String()+tx.ForUpdate(), w.Args...)
}

// markSenderLeased stores that a node sends the deliveries of a subscription, so that wakeSender does not change when
// it is due.
func markSenderLeased(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE subscription_senders SET held = TRUE WHERE subscription_id = ?", id)
	return err
}

// wakeSender makes a subscription due for sending now. If a node is sending its deliveries, it only locks the row: the
// node looks for further deliveries when it releases the row. moveHeldTo, unless "", is the status to which held
// deliveries are to be moved.
func wakeSender(ctx context.Context, tx *store.Tx, id laurel.ID, moveHeldTo string) error {
	_, err := tx.Exec(ctx, `UPDATE subscription_senders SET kept_become = CASE WHEN `+tx.Typed("text")+` = '' THEN kept_become ELSE `+tx.Typed("text")+` END,
		due_at = CASE WHEN held THEN due_at ELSE `+tx.Typed("bigint")+` END WHERE subscription_id = ?`,
		moveHeldTo, moveHeldTo, store.Micros(tx.Now()), id)
	return err
}

var senderWake = store.Update{
	Table: "subscription_senders", Keys: store.Columns("subscription_id uuid"),
	Set: store.Columns("day bigint, day_events bigint"),
}

// wakeSenders makes many subscriptions due for sending now. Those that a node is sending for (held) stay as they are:
// it looks for further deliveries itself. It also writes dayCountRows, which say how many events each subscription got
// today.
func wakeSenders(ctx context.Context, tx *store.Tx, ids []laurel.ID, dayCountRows [][]any) error {
	if _, err := tx.UpdateRows(ctx, senderWake, dayCountRows); err != nil || len(ids) == 0 {
		return err
	}
	var w store.Where
	store.InArray(&w, tx, "subscription_id", "uuid", ids)
	_, err := tx.Exec(ctx, "UPDATE subscription_senders SET due_at = CASE WHEN held THEN due_at ELSE "+tx.Typed("bigint")+" END"+w.String(),
		append([]any{store.Micros(tx.Now())}, w.Args...)...)
	return err
}

// releaseSender ends the lease of a subscription. The subscription becomes due when the next attempt at one of its
// deliveries is due. movedTo is the status to which the node has moved held deliveries, or "". If a caller has
// requested another status meanwhile, the subscription is due at once.
func releaseSender(ctx context.Context, tx *store.Tx, id laurel.ID, movedTo string) error {
	due, err := nextAttemptDue(ctx, tx, id)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE subscription_senders SET held = FALSE,
		due_at = CASE WHEN kept_become <> ? AND kept_become <> '' THEN `+tx.Typed("bigint")+` ELSE `+tx.Typed("bigint")+` END,
		kept_become = CASE WHEN kept_become = ? THEN '' ELSE kept_become END WHERE subscription_id = ?`,
		movedTo, store.Micros(tx.Now()), store.OrNull(due), movedTo, id)
	return err
}

// saveFailures writes since when and how often a subscription has failed, and whether it is disabled.
func saveFailures(ctx context.Context, tx *store.Tx, s Subscription) error {
	_, err := tx.Exec(ctx, `UPDATE subscriptions SET consecutive_failures = ?, failing_since = ?, disabled_at = ?,
		disabled_reason = ? WHERE id = ?`, s.ConsecutiveFailures, s.FailingSince, s.DisabledAt, s.DisabledReason, s.ID)
	return err
}

// selectWatchedWebsites returns which of the websites have live subscriptions to tables.
func selectWatchedWebsites(ctx context.Context, q store.Queryer, websites []laurel.ID) (map[laurel.ID]bool, error) {
	var w store.Where
	store.InArray(&w, q, "website_id", "uuid", websites)
	w.Add("live AND table_name IS NOT NULL")
	var found []laurel.ID
	err := q.Select(ctx, &found, "SELECT DISTINCT website_id FROM subscription_sources"+w.String(), w.Args...)
	out := map[laurel.ID]bool{}
	for _, id := range found {
		out[id] = true
	}
	return out, err
}

// selectLiveSubscriptions returns the subscriptions to platform tables of the websites, without deleted ones, in the
// order of their ids.
func selectLiveSubscriptions(ctx context.Context, q store.Queryer, websites []laurel.ID) ([]Subscription, error) {
	if len(websites) == 0 {
		return nil, nil
	}
	var w store.Where
	store.InArray(&w, q, "website_id", "uuid", websites)
	w.Add("deleted_at IS NULL AND type = ?", Platform)
	return table.Select(ctx, q, &w, "id")
}

// selectDayCounts returns, by subscription, the last day on which it got events, and how many it got on that day.
func selectDayCounts(ctx context.Context, q store.Queryer, ids []laurel.ID) (dayCounts, error) {
	out := dayCounts{}
	if len(ids) == 0 {
		return out, nil
	}
	var w store.Where
	store.InArray(&w, q, "subscription_id", "uuid", ids)
	var rows []struct {
		ID     laurel.ID `db:"subscription_id"`
		Day    int64     `db:"day"`
		Events int64     `db:"day_events"`
	}
	err := q.Select(ctx, &rows, "SELECT subscription_id, day, day_events FROM subscription_senders"+w.String(), w.Args...)
	for _, r := range rows {
		out[r.ID] = &dayCount{day: r.Day, events: r.Events}
	}
	return out, err
}
