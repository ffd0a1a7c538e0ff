package webhooks

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
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

// itemsOf returns the items of a queue. While a node has leased one it is marked as held, so that new events do not
// change when it is due.
func itemsOf[Row any](db *store.DB, queue worker.QueueTable) *worker.Items[Row] {
	return &worker.Items[Row]{
		DB: db, Table: queue, LeaseTime: lease, OnLease: func(ctx context.Context, tx *store.Tx, h *worker.Item[Row]) error {
			_, err := tx.Exec(ctx, "UPDATE "+queue.Table+" SET held = TRUE WHERE "+queue.Key+" = ?", h.Key)
			return err
		},
	}
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

// wakeMany tells subscriptions, in the order of their ids, that there are events for them up to a position, and makes
// them due for sending. A subscription that a node is sending for (held) stays as it is: the node looks for further
// events itself. So does a disabled one, which is made due when it is enabled.
func wakeMany(ctx context.Context, tx *store.Tx, ids []laurel.ID, position int64) error {
	if len(ids) == 0 {
		return nil
	}
	where, args := sendersBehind(tx, ids, "woken_position", position)
	_, err := tx.Exec(ctx, "UPDATE subscription_senders SET woken_position = "+tx.Typed("bigint")+`, due_at = CASE WHEN held
		OR EXISTS (SELECT 1 FROM subscriptions s WHERE s.id = subscription_id AND s.disabled_at IS NOT NULL)
		THEN due_at ELSE `+tx.Typed("bigint")+" END"+where, append([]any{position, store.Micros(tx.Now())}, args...)...)
	return err
}

// sendersBehind returns the condition of those of the subscriptions whose position in the column is lower, which locks
// them in the order of their ids.
func sendersBehind(tx *store.Tx, ids []laurel.ID, column string, position int64) (where string, args []any) {
	var w store.Where
	store.InArray(&w, tx, "subscription_id", "uuid", ids)
	w.Add(column+" < ?", position)
	return " WHERE subscription_id IN (SELECT subscription_id FROM subscription_senders" + w.String() +
		" ORDER BY subscription_id" + tx.ForUpdate() + ")", w.Args
}

// progress is how far a subscription has come in the events of its website.
type progress struct {
	Position int64 `db:"position"`       // all events up to it are decided: they are in blocks, or deliveries of their own
	Woken    int64 `db:"woken_position"` // of the newest event that the subscription may get
	Skip     int64 `db:"skip_position"`  // events up to it are skipped
	dayCount
}

// selectProgress returns how far a subscription has come.
func selectProgress(ctx context.Context, q store.Queryer, id laurel.ID) (p progress, err error) {
	err = q.Get(ctx, &p, `SELECT position, woken_position, skip_position, day, day_events FROM subscription_senders
		WHERE subscription_id = ?`, id)
	return p, err
}

// saveProgress stores the position and the day count of a subscription. The position never moves back.
func saveProgress(ctx context.Context, tx *store.Tx, id laurel.ID, p progress) error {
	_, err := tx.Exec(ctx, `UPDATE subscription_senders SET position = CASE WHEN position > ? THEN position
		ELSE `+tx.Typed("bigint")+` END, day = ?, day_events = ? WHERE subscription_id = ?`,
		p.Position, p.Position, p.Day, p.Events, id)
	return err
}

// skipUpTo has all events of subscriptions, which are in the order of their ids, skipped up to a position. Those that
// are decided already stay as they are.
func skipUpTo(ctx context.Context, tx *store.Tx, ids []laurel.ID, position int64) error {
	if len(ids) == 0 {
		return nil
	}
	where, args := sendersBehind(tx, ids, "skip_position", position)
	_, err := tx.Exec(ctx, "UPDATE subscription_senders SET skip_position = ?"+where, append([]any{position}, args...)...)
	return err
}

// senderRelease is what a node knows when it releases a subscription.
type senderRelease struct {
	movedTo  string // the status to which held deliveries were moved, or ""
	position int64  // all events up to it are decided
	canSend  bool   // the subscription is neither disabled nor deleted
	nextDue  int64  // when the first event behind the position is due; 0: now
}

// releaseSender ends the lease of a subscription. The subscription becomes due when the next attempt at one of its
// deliveries is due, or the first event behind its position. If a caller has requested another status for held
// deliveries meanwhile, the subscription is due at once.
func releaseSender(ctx context.Context, tx *store.Tx, id laurel.ID, r senderRelease) error {
	due, err := nextAttemptDue(ctx, tx, id)
	if err != nil {
		return err
	}
	now := store.Micros(tx.Now())
	var behind any // when the sender is due if there are events behind the position
	if r.canSend {
		behind = max(now, r.nextDue)
		if due != nil {
			behind = min(max(now, r.nextDue), *due)
		}
	} else {
		behind = store.OrNull(due)
	}
	big := tx.Typed("bigint")
	_, err = tx.Exec(ctx, `UPDATE subscription_senders SET held = FALSE,
		due_at = CASE WHEN kept_become <> ? AND kept_become <> '' THEN `+big+`
			WHEN woken_position > position AND woken_position > ? THEN `+big+` ELSE `+big+` END,
		position = CASE WHEN position > ? THEN position ELSE `+big+` END,
		kept_become = CASE WHEN kept_become = ? THEN '' ELSE kept_become END WHERE subscription_id = ?`,
		r.movedTo, now, r.position, behind, store.OrNull(due), r.position, r.position, r.movedTo, id)
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
	w.Add("live")
	var found []laurel.ID
	err := q.Select(ctx, &found, "SELECT DISTINCT website_id FROM subscription_sources"+w.String(), w.Args...)
	out := map[laurel.ID]bool{}
	for _, id := range found {
		out[id] = true
	}
	return out, err
}

// selectLiveSubscriptions returns the subscriptions of the websites, without deleted ones, in the order of their ids.
func selectLiveSubscriptions(ctx context.Context, q store.Queryer, websites []laurel.ID) ([]Subscription, error) {
	if len(websites) == 0 {
		return nil, nil
	}
	var w store.Where
	store.InArray(&w, q, "website_id", "uuid", websites)
	w.Add("deleted_at IS NULL")
	return table.Select(ctx, q, &w, "id")
}
