package webhooks

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/store"
)

// eventRow is an event with its position in the change feed.
type eventRow struct {
	Event
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	Position       int64
	Lane           laurel.ID // events of a lane are sent in order
	Parked         *string   // the parkedChange of an event without data; nil: it has its data
}

var eventInsert = store.Insert{Table: "subscription_events", Columns: store.Columns(
	`id uuid, organization_id uuid, website_id uuid, position bigint, table_name text, type text, lane uuid,
	triggered_at bigint, data text, parked text`), Conflict: store.IgnoreConflicts}

// insertEvents inserts events. An event that exists already stays as it is: a change of the feed may be read twice.
func insertEvents(ctx context.Context, tx *store.Tx, events []eventRow) error {
	rows := make([][]any, len(events))
	for i, e := range events {
		rows[i] = []any{
			e.ID, e.OrganizationID, e.WebsiteID, e.Position, e.Table, e.Type, e.Lane, store.Micros(e.TriggeredAt),
			string(e.Data), store.OrNull(e.Parked),
		}
	}
	_, err := tx.InsertRows(ctx, eventInsert, rows)
	return err
}

// saveDescription stores the data of an event that was parked.
func saveDescription(ctx context.Context, tx *store.Tx, id laurel.ID, data json.RawMessage) error {
	_, err := tx.Exec(ctx, "UPDATE subscription_events SET data = ?, parked = NULL WHERE id = ?", string(data), id)
	return err
}

// deliveryRow is the delivery of an event to one subscription.
type deliveryRow struct {
	SubscriptionID laurel.ID `db:"subscription_id"`
	EventID        laurel.ID `db:"event_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Position       int64     `db:"position"`
	TriggerID      *string   `db:"trigger_id"`
	Status         string    `db:"status"`
	Attempts       int64     `db:"attempts"` // all, also those that callers requested
	Tries          int64     `db:"tries"`    // of the retry schedule
	CallDone       bool      `db:"called"`   // the callback succeeded, or there is none
	CallFailed     bool      `db:"call_failed"`
	CallDue        *int64    `db:"call_due"`
	DueAt          *int64    `db:"due_at"`
	RedeliverFrom  string    `db:"again"` // the status before a requested attempt; "": none is requested
	Functions      *string   `db:"functions"`
}

const deliveryColumns = `d.subscription_id, d.event_id, d.organization_id, d.website_id, d.position, d.trigger_id, d.status,
	d.attempts, d.tries, d.called, d.call_failed, d.call_due, d.due_at, d.again, d.functions`

// functionStates returns the states of the functions of a delivery, as stored.
func (d deliveryRow) functionStates() (out []FunctionState) {
	if d.Functions != nil {
		_ = json.Unmarshal([]byte(*d.Functions), &out) // this package wrote it
	}
	return out
}

// setFunctionStates sets the states of the functions of a delivery, in their stored form.
func (d *deliveryRow) setFunctionStates(states []FunctionState) {
	d.Functions = nil
	if len(states) > 0 {
		text := string(store.JSON(states))
		d.Functions = &text
	}
}

// delivery returns the row as a Delivery of its event e, without its last attempt.
func (d deliveryRow) delivery(e Event) Delivery {
	out := Delivery{
		Event: e, SubscriptionID: d.SubscriptionID, TriggerID: d.TriggerID, Status: d.Status, Attempts: d.Attempts,
		Functions: d.functionStates(),
	}
	if d.Status == statusPending && d.DueAt != nil {
		out.NextAttemptAt.Time = store.Time(*d.DueAt)
	}
	return out
}

var deliveryInsert = store.Insert{Table: "subscription_deliveries", Columns: store.Columns(
	`subscription_id uuid, event_id uuid, organization_id uuid, website_id uuid, position bigint, trigger_id text,
	status text, attempts bigint, tries bigint, called boolean, call_failed boolean, call_due bigint, due_at bigint,
	again text, functions text`),
	Conflict: store.IgnoreConflicts}

// insertDeliveries inserts deliveries. One that exists already stays as it is.
func insertDeliveries(ctx context.Context, tx *store.Tx, list []deliveryRow) error {
	rows := make([][]any, len(list))
	for i, d := range list {
		rows[i] = []any{
			d.SubscriptionID, d.EventID, d.OrganizationID, d.WebsiteID, d.Position, store.OrNull(d.TriggerID), d.Status,
			d.Attempts, d.Tries, d.CallDone, d.CallFailed, store.OrNull(d.CallDue), store.OrNull(d.DueAt), d.RedeliverFrom,
			store.OrNull(d.Functions),
		}
	}
	_, err := tx.InsertRows(ctx, deliveryInsert, rows)
	return err
}

var deliveryUpdate = store.Update{
	Table: "subscription_deliveries", Keys: store.Columns("subscription_id uuid, event_id uuid"),
	Set: store.Columns(`status text, attempts bigint, tries bigint, called boolean, call_failed boolean, call_due bigint,
	due_at bigint, again text, functions text`),
}

// updateDeliveries writes the columns of deliveries that attempts change.
func updateDeliveries(ctx context.Context, tx *store.Tx, list []deliveryRow) error {
	rows := make([][]any, len(list))
	for i, d := range list {
		rows[i] = []any{
			d.SubscriptionID, d.EventID, d.Status, d.Attempts, d.Tries, d.CallDone, d.CallFailed, store.OrNull(d.CallDue),
			store.OrNull(d.DueAt), d.RedeliverFrom, store.OrNull(d.Functions),
		}
	}
	_, err := tx.UpdateRows(ctx, deliveryUpdate, rows)
	return err
}

var attemptInsert = store.Insert{Table: "subscription_attempts", Columns: store.Columns(
	`subscription_id uuid, event_id uuid, number bigint, organization_id uuid, website_id uuid, begun_at bigint,
	duration bigint, status bigint, body text, error text`), Conflict: store.IgnoreConflicts}

// insertAttempts inserts attempts at deliveries.
func insertAttempts(ctx context.Context, tx *store.Tx, list []deliveryAttempt) error {
	rows := make([][]any, len(list))
	for i, a := range list {
		rows[i] = []any{
			a.delivery.SubscriptionID, a.delivery.EventID, a.Number, a.delivery.OrganizationID, a.delivery.WebsiteID,
			store.Micros(a.At), a.Duration.Microseconds(), store.OrNull(a.Status), a.Body, store.OrNull(a.Error),
		}
	}
	_, err := tx.InsertRows(ctx, attemptInsert, rows)
	return err
}

// deliveryWithEvent is a delivery joined with its event.
type deliveryWithEvent struct {
	deliveryRow
	Table       string    `db:"table_name"`
	Type        string    `db:"type"`
	Lane        laurel.ID `db:"lane"`
	TriggeredAt int64     `db:"triggered_at"`
	Data        string    `db:"data"`
	Parked      *string   `db:"parked"` // see eventRow
}

func (r deliveryWithEvent) event() Event {
	return Event{
		ID: r.EventID, Table: r.Table, Type: r.Type, TriggeredAt: store.Time(r.TriggeredAt), Data: json.RawMessage(r.Data),
	}
}

const deliverySelect = "SELECT " + deliveryColumns + `, e.table_name, e.type, e.lane, e.triggered_at, e.data, e.parked
	FROM subscription_deliveries d JOIN subscription_events e ON e.id = d.event_id`

// selectDueDeliveries returns pending deliveries of a subscription: first those that were tried before and are due
// again, by due time, then those that were never tried, due or not, in the order of events. There are at most limit of
// each kind.
func selectDueDeliveries(
	ctx context.Context, q store.Queryer, subscription laurel.ID, now time.Time, limit int,
) ([]deliveryWithEvent, error) {
	var retries, first []deliveryWithEvent
	err := q.Select(ctx, &retries, deliverySelect+` WHERE d.subscription_id = ? AND d.status = 'pending' AND d.attempts > 0
		AND d.due_at <= ? ORDER BY d.due_at LIMIT ?`, subscription, store.Micros(now), limit)
	if err != nil {
		return nil, err
	}
	err = q.Select(ctx, &first, deliverySelect+` WHERE d.subscription_id = ? AND d.status = 'pending' AND d.attempts = 0
		ORDER BY d.position LIMIT ?`, subscription, limit)
	return append(retries, first...), err
}

// findDelivery returns the delivery of an event to the subscription id, with the event. If the scope has no such
// delivery, it returns an error for which store.IsNoRows is true.
func findDelivery(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	id, event laurel.ID,
) (r deliveryWithEvent, err error) {
	var w store.Where
	w.Add("d.subscription_id = ? AND d.event_id = ?", id, event)
	w.Tenant("d.", scope)
	err = q.Get(ctx, &r, deliverySelect+w.String(), w.Args...)
	return r, err
}

// deliveryFilter selects a page of the deliveries of a subscription.
type deliveryFilter struct {
	subscription laurel.ID
	statuses     []string // none: all
	page         laurel.PageRequest
}

// listDeliveries returns a page of the deliveries that the filter selects, with their events, newest first. Errors:
// laurel.ErrCursor if the page starts after an event that the subscription has no delivery of.
func listDeliveries(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	of deliveryFilter,
) (laurel.Page[deliveryWithEvent], error) {
	var w store.Where
	page := of.page
	w.Add("d.subscription_id = ?", of.subscription)
	w.Tenant("d.", scope)
	store.In(&w, "d.status", of.statuses)
	if !page.StartingAfter.IsZero() {
		if _, err := findDelivery(ctx, q, scope, of.subscription, page.StartingAfter); store.IsNoRows(err) {
			return laurel.Page[deliveryWithEvent]{}, laurel.ErrCursor()
		} else if err != nil {
			return laurel.Page[deliveryWithEvent]{}, err
		}
		w.Add("d.event_id < ?", page.StartingAfter)
	}
	return store.SelectPage[deliveryWithEvent](ctx, q, page.Limit, deliverySelect+w.String()+" ORDER BY d.event_id DESC", w.Args...)
}

type attemptRow struct {
	EventID  laurel.ID `db:"event_id"`
	Number   int64     `db:"number"`
	BegunAt  int64     `db:"begun_at"`
	Duration int64     `db:"duration"`
	Status   *int64    `db:"status"`
	Body     string    `db:"body"`
	Error    *string   `db:"error"`
}

// attempt returns the attempt that the row stores.
func (r attemptRow) attempt() Attempt {
	return Attempt{
		Number: r.Number, At: store.Time(r.BegunAt), Duration: time.Duration(r.Duration) * time.Microsecond, Status: r.Status,
		Body: r.Body, Error: r.Error,
	}
}

const attemptColumns = `SELECT a.event_id, a.number, a.begun_at, a.duration, a.status, a.body, a.error
	FROM subscription_attempts a`

// selectAttempts returns all attempts to deliver an event to the subscription id, oldest first.
func selectAttempts(ctx context.Context, q store.Queryer, id, event laurel.ID) ([]Attempt, error) {
	var rows []attemptRow
	err := q.Select(ctx, &rows, attemptColumns+" WHERE a.subscription_id = ? AND a.event_id = ? ORDER BY a.number",
		id, event)
	out := make([]Attempt, len(rows))
	for i, r := range rows {
		out[i] = r.attempt()
	}
	return out, err
}

// selectLastAttempts returns the last attempt at each of the deliveries, by event. All must be of one subscription.
// Deliveries without an attempt are left out.
func selectLastAttempts(ctx context.Context, q store.Queryer, of []deliveryWithEvent) (map[laurel.ID]Attempt, error) {
	out := map[laurel.ID]Attempt{}
	if len(of) == 0 {
		return out, nil
	}
	ids := make([]laurel.ID, len(of))
	for i, r := range of {
		ids[i] = r.EventID
	}
	var w store.Where
	w.Add("a.subscription_id = ?", of[0].SubscriptionID)
	store.InArray(&w, q, "a.event_id", "uuid", ids)
	var rows []attemptRow
	err := q.Select(ctx, &rows, attemptColumns+w.String()+` AND NOT EXISTS (SELECT 1 FROM subscription_attempts l
		WHERE l.subscription_id = a.subscription_id AND l.event_id = a.event_id AND l.number > a.number)`, w.Args...)
	for _, r := range rows {
		out[r.EventID] = r.attempt()
	}
	return out, err
}

// selectLastCalls returns when the callback of each subscription was called last, by subscription. It looks only at 100
// attempts, those at the newest events, which the primary key finds, because the history of a busy subscription is
// long. Subscriptions without a call are left out.
func selectLastCalls(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
) (map[laurel.ID]time.Time, error) {
	out := map[laurel.ID]time.Time{}
	if len(ids) == 0 {
		return out, nil
	}
	var w store.Where
	w.Tenant("s.", scope)
	store.InArray(&w, q, "s.id", "uuid", ids)
	var rows []struct {
		ID laurel.ID `db:"id"`
		At *int64    `db:"at"`
	}
	err := q.Select(ctx, &rows, `SELECT s.id, (SELECT MAX(n.begun_at) FROM (SELECT a.begun_at FROM subscription_attempts a
		WHERE a.subscription_id = s.id ORDER BY a.event_id DESC LIMIT 100) n) AS at FROM subscriptions s`+w.String(), w.Args...)
	for _, r := range rows {
		if r.At != nil {
			out[r.ID] = store.Time(*r.At)
		}
	}
	return out, err
}

// markForRedelivery makes the deliveries of the subscription id that the selection matches due at once, and returns how
// many they are. It marks at most maxRedeliveries + 1 of them, so that the caller can refuse too many.
func markForRedelivery(ctx context.Context, tx *store.Tx, id laurel.ID, selection store.Where) (int64, error) {
	return tx.Exec(ctx, `UPDATE subscription_deliveries SET again = CASE WHEN again = '' THEN status ELSE again END,
		status = 'pending', due_at = ?, called = FALSE, call_failed = FALSE, call_due = NULL WHERE subscription_id = ? AND event_id IN (SELECT event_id
		FROM subscription_deliveries`+withSubscription(&selection, id).String()+` ORDER BY event_id LIMIT ?)`,
		append(append([]any{store.Micros(tx.Now()), id}, selection.Args...), maxRedeliveries+1)...)
}

// selectRedeliveryRequests returns, by event, those of the deliveries that a caller has requested again. id is the
// subscription of all deliveries.
func selectRedeliveryRequests(
	ctx context.Context, q store.Queryer, id laurel.ID, of []deliveryRow,
) (map[laurel.ID]bool, error) {
	out := map[laurel.ID]bool{}
	if len(of) == 0 {
		return out, nil
	}
	ids := make([]laurel.ID, len(of))
	for i, d := range of {
		ids[i] = d.EventID
	}
	var w store.Where
	w.Add("subscription_id = ? AND again <> ''", id)
	store.InArray(&w, q, "event_id", "uuid", ids)
	var found []laurel.ID
	err := q.Select(ctx, &found, "SELECT event_id FROM subscription_deliveries"+w.String(), w.Args...)
	for _, id := range found {
		out[id] = true
	}
	return out, err
}

// where returns the conditions of deliveries whose events are in the range. An event's id begins with the event's time,
// so the condition on event_id lets the database find the start of the range in the index.
func (r Range) where() store.Where {
	var w store.Where
	w.Add("event_id >= ?", minIDAt(r.From))
	w.Add(`EXISTS (SELECT 1 FROM subscription_events e
		WHERE e.id = event_id AND e.triggered_at >= ? AND e.triggered_at < ?)`,
		store.Micros(r.From), store.Micros(r.To))
	if len(r.Statuses) > 0 {
		store.In(&w, "status", r.Statuses)
	}
	return w
}

func whereEvent(id laurel.ID) store.Where {
	var w store.Where
	w.Add("event_id = ?", id)
	return w
}

func withSubscription(w *store.Where, id laurel.ID) *store.Where {
	w.Add("subscription_id = ?", id)
	return w
}

// lastDeliveredPosition returns the position in the feed of the newest event for which a subscription has a delivery,
// in any status, or 0 if it has none.
func lastDeliveredPosition(ctx context.Context, q store.Queryer, id laurel.ID) (n int64, err error) {
	err = q.Get(ctx, &n, "SELECT COALESCE(MAX(position), 0) FROM subscription_deliveries WHERE subscription_id = ?", id)
	return n, err
}

// moveDeliveryStatus changes the status of a subscription's deliveries from one to another, the oldest first, at most
// maxMovedAtOnce of them, and returns how many it changed. Deliveries that become pending are due at once.
func moveDeliveryStatus(ctx context.Context, tx *store.Tx, id laurel.ID, from, to string) (int64, error) {
	due := any(nil)
	if to == statusPending {
		due = store.Micros(tx.Now())
	}
	return tx.Exec(ctx, `UPDATE subscription_deliveries SET status = ?, due_at = ? WHERE subscription_id = ? AND event_id IN
		(SELECT event_id FROM subscription_deliveries WHERE subscription_id = ? AND status = ? ORDER BY position LIMIT ?)`,
		to, due, id, id, from, maxMovedAtOnce)
}

// nextAttemptDue returns when the next attempt at a delivery of a subscription is due, or nil if none is pending.
func nextAttemptDue(ctx context.Context, q store.Queryer, id laurel.ID) (*int64, error) {
	var due *int64
	err := q.Get(ctx, &due, `SELECT MIN(x.due_at) FROM (
		SELECT MIN(due_at) AS due_at FROM subscription_deliveries WHERE subscription_id = ? AND status = 'pending' AND attempts > 0
		UNION ALL SELECT due_at FROM (SELECT due_at FROM subscription_deliveries
			WHERE subscription_id = ? AND status = 'pending' AND attempts = 0 ORDER BY position LIMIT 1) f) x`, id, id)
	return due, err
}

const maxRemovedAtOnce = 500

// removeOld deletes events from before a moment, in chunks of maxRemovedAtOnce per transaction: first their waiting
// fan-outs, the attempts and deliveries of each subscription and the hourly counts, then the events. The ids of events
// begin with their time.
func removeOld(ctx context.Context, db *store.DB, before time.Time) error {
	end := minIDAt(before)
	if err := removeOldWaitingEvents(ctx, db, before); err != nil {
		return err
	}
	var subscriptions []laurel.ID
	if err := db.Select(ctx, &subscriptions, "SELECT subscription_id FROM subscription_senders"); err != nil {
		return err
	}
	for _, id := range subscriptions {
		for _, table := range []string{"subscription_attempts", "subscription_deliveries"} {
			err := execInChunks(ctx, db, "DELETE FROM "+table+" WHERE subscription_id = ? AND event_id IN (SELECT event_id FROM "+
				table+" WHERE subscription_id = ? AND event_id < ? ORDER BY event_id LIMIT ?)", id, id, end)
			if err != nil {
				return err
			}
		}
	}
	err := execInChunks(ctx, db, `DELETE FROM subscription_hours WHERE hour < ? AND subscription_id IN
		(SELECT subscription_id FROM subscription_hours WHERE hour < ? LIMIT ?)`, store.Micros(before), store.Micros(before))
	if err != nil {
		return err
	}
	return execInChunks(ctx, db, `DELETE FROM subscription_events WHERE id IN
		(SELECT id FROM subscription_events WHERE id < ? ORDER BY id LIMIT ?)`, end)
}

// execInChunks repeats a statement until it changes no row, each time in a transaction of its own. The last placeholder
// of the statement is its LIMIT, which is maxRemovedAtOnce.
func execInChunks(ctx context.Context, db *store.DB, query string, args ...any) error {
	for {
		var n int64
		err := db.InTx(ctx, func(tx *store.Tx) (err error) {
			n, err = tx.Exec(ctx, query, append(args, maxRemovedAtOnce)...)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// minIDAt returns a lower bound for the version 7 UUIDs that are made in the millisecond of a moment or later: it
// begins with that time (RFC 9562, 5.7), and zeros follow.
func minIDAt(at time.Time) laurel.ID {
	var id laurel.ID
	ms := uint64(max(at.UnixMilli(), 0)) //nolint:gosec // not negative
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	return id
}
