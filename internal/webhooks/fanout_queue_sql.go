package webhooks

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// fanoutRow is an item of the fan-out queue: a website with waiting events.
type fanoutRow struct {
	WebsiteID      laurel.ID `db:"website_id"`
	OrganizationID laurel.ID `db:"organization_id"`
}

// fanoutQueueTable describes the table of fan-outs to the queue.
var fanoutQueueTable = worker.QueueTable{
	Table: "subscription_fanouts", Key: "website_id", Due: "due_at", Open: "due_at IS NOT NULL", OwnerColumn: "website_id",
	Columns: "website_id, organization_id",
}

// markFanoutLeased stores that a node fans out the events of a website, so that new events do not change when the
// website is due.
func markFanoutLeased(ctx context.Context, tx *store.Tx, website laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE subscription_fanouts SET held = TRUE WHERE website_id = ?", website)
	return err
}

// releaseFanout ends the lease of a website. It is due again at once if events still wait.
func releaseFanout(ctx context.Context, tx *store.Tx, website laurel.ID) error {
	_, err := tx.Exec(ctx, `UPDATE subscription_fanouts SET held = FALSE, due_at = CASE WHEN EXISTS (SELECT 1
		FROM subscription_waiting_events e WHERE e.website_id = ?) THEN `+tx.Typed("bigint")+` END WHERE website_id = ?`,
		website, store.Micros(tx.Now()), website)
	return err
}

// waitingEvent is an event that waits for its fan-out: no subscription has its delivery yet, or only those up to
// AfterID.
type waitingEvent struct {
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Position       int64     `db:"position"`
	EventID        laurel.ID `db:"event_id"`
	CurrencyID     laurel.ID `db:"currency_id"`
	AfterID        laurel.ID `db:"after_id"`
	Table          string    `db:"table_name"`
	Type           string    `db:"type"`
	Lane           laurel.ID `db:"lane"`
	TriggeredAt    int64     `db:"triggered_at"`
}

// fanoutEvent returns the event, without its data and matches, and as much of its change as matchSubscriptions needs to
// find the subscriptions that get it. It takes the event's lane for the changed record: matchSubscriptions looks at
// that record only for changes of subscriptions, where both are the same.
func (w waitingEvent) fanoutEvent() (fanoutEvent, feed.Change) {
	at := store.Time(w.TriggeredAt)
	n := fanoutEvent{currency: w.CurrencyID, event: eventRow{
		Event:          Event{ID: w.EventID, Table: w.Table, Type: w.Type, TriggeredAt: at},
		OrganizationID: w.OrganizationID, WebsiteID: w.WebsiteID, Position: w.Position, Lane: w.Lane,
	}}
	return n, feed.Change{WebsiteID: w.WebsiteID, EntityID: w.Lane, Table: feed.Table(w.Table), At: at}
}

// selectWaitingEvents returns the first waiting events of a website, in the order of the feed, at most limit of them.
func selectWaitingEvents(ctx context.Context, q store.Queryer, website laurel.ID, limit int) ([]waitingEvent, error) {
	var rows []waitingEvent
	err := q.Select(ctx, &rows, `SELECT w.organization_id, w.website_id, w.position, w.event_id, w.currency_id, w.after_id,
		e.table_name, e.type, e.lane, e.triggered_at FROM subscription_waiting_events w
		JOIN subscription_events e ON e.id = w.event_id WHERE w.website_id = ? ORDER BY w.position LIMIT ?`, website, limit)
	return rows, err
}

// selectSubscriptionsAfter returns the live subscriptions of a website that are to tables, in the order of their ids
// and at most limit of them. after is the id behind which they begin, zero for the first.
func selectSubscriptionsAfter(
	ctx context.Context, q store.Queryer, website, after laurel.ID, limit int,
) (list []Subscription, err error) {
	var w store.Where
	w.Add("website_id = ? AND deleted_at IS NULL AND type = ?", website, Platform)
	if !after.IsZero() {
		w.Add("id > ?", after)
	}
	err = q.Select(ctx, &list, table.Query()+w.String()+" ORDER BY id LIMIT ?", append(w.Args, limit)...)
	return list, err
}

// selectWaitingWebsites returns which of the websites have waiting events. One whose last waiting event was fanned out
// a moment ago may still be among them.
func selectWaitingWebsites(ctx context.Context, q store.Queryer, websites []laurel.ID) (map[laurel.ID]bool, error) {
	out := map[laurel.ID]bool{}
	if len(websites) == 0 {
		return out, nil
	}
	var w store.Where
	store.InArray(&w, q, "website_id", "uuid", websites)
	w.Add("due_at IS NOT NULL")
	var found []laurel.ID
	err := q.Select(ctx, &found, "SELECT website_id FROM subscription_fanouts"+w.String(), w.Args...)
	for _, id := range found {
		out[id] = true
	}
	return out, err
}

var (
	fanoutUpsert = store.Insert{
		Table: "subscription_fanouts", Columns: store.Columns("website_id uuid, organization_id uuid, due_at bigint, held boolean"),
		Conflict: `ON CONFLICT (website_id) DO UPDATE SET due_at = CASE WHEN subscription_fanouts.held
		THEN subscription_fanouts.due_at ELSE excluded.due_at END`,
	}
	waitingInsert = store.Insert{Table: "subscription_waiting_events", Columns: store.Columns(
		`website_id uuid, position bigint, organization_id uuid, event_id uuid, currency_id uuid, after_id uuid`)}
)

// insertWaitingEvents puts events, which are in the order of the feed, into the fan-out queue, and makes their websites
// due.
func insertWaitingEvents(ctx context.Context, tx *store.Tx, list []fanoutEvent) error {
	if len(list) == 0 {
		return nil
	}
	var websites, events [][]any
	added := map[laurel.ID]bool{}
	for _, n := range list {
		e := n.event
		if !added[e.WebsiteID] {
			added[e.WebsiteID] = true
			websites = append(websites, []any{e.WebsiteID, e.OrganizationID, store.Micros(tx.Now()), false})
		}
		noneYet := laurel.ID{} // the last subscription that has its delivery
		events = append(events, []any{e.WebsiteID, e.Position, e.OrganizationID, e.ID, n.currency, noneYet})
	}
	if _, err := tx.InsertRows(ctx, fanoutUpsert, websites); err != nil {
		return err
	}
	_, err := tx.InsertRows(ctx, waitingInsert, events)
	return err
}

// removeWaitingEvents removes the waiting events of a website up to last, whose fan-out is complete.
func removeWaitingEvents(ctx context.Context, tx *store.Tx, last eventRow) error {
	_, err := tx.Exec(ctx, "DELETE FROM subscription_waiting_events WHERE website_id = ? AND position <= ?",
		last.WebsiteID, last.Position)
	return err
}

// saveFanoutProgress stores the last subscription that has its delivery of an event.
func saveFanoutProgress(ctx context.Context, tx *store.Tx, e eventRow, after laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE subscription_waiting_events SET after_id = ? WHERE website_id = ? AND position = ?",
		after, e.WebsiteID, e.Position)
	return err
}

// removeOldWaitingEvents removes waiting events that are past their retention.
func removeOldWaitingEvents(ctx context.Context, db *store.DB, before time.Time) error {
	return execInChunks(ctx, db, `DELETE FROM subscription_waiting_events WHERE event_id IN
		(SELECT event_id FROM subscription_waiting_events WHERE event_id < ? ORDER BY event_id LIMIT ?)`, minIDAt(before))
}
