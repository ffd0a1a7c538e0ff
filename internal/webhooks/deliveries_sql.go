package webhooks

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/store"
)

// eventRow is an event with its position in the change feed.
type eventRow struct {
	Event
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	Position       int64
	Lane           laurel.ID // events of a lane are sent in order
	CurrencyID     laurel.ID // of an entry or an account
	Parked         *string   // the parkedChange of an event without data; nil: it has its data
}

var eventInsert = store.Insert{Table: "subscription_events", Columns: store.Columns(
	`id uuid, organization_id uuid, website_id uuid, position bigint, table_name text, type text, lane uuid,
	triggered_at bigint, data text, parked text, currency_id uuid`), Conflict: store.IgnoreConflicts}

// insertEvents inserts events. An event that exists already stays as it is: a change of the feed may be read twice.
func insertEvents(ctx context.Context, tx *store.Tx, events []eventRow) error {
	rows := make([][]any, len(events))
	for i, e := range events {
		rows[i] = []any{
			e.ID, e.OrganizationID, e.WebsiteID, e.Position, e.Table, e.Type, e.Lane, store.Micros(e.TriggeredAt),
			string(e.Data), store.OrNull(e.Parked), e.CurrencyID,
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

// requestAgain makes a delivery due at once, with an attempt that a caller has requested.
func (d *deliveryRow) requestAgain(now int64) {
	if d.RedeliverFrom == "" {
		d.RedeliverFrom = d.Status
	}
	d.Status, d.DueAt, d.CallDone, d.CallFailed, d.CallDue = statusPending, &now, false, false, nil
}

var deliveryUpsert = store.Insert{Table: "subscription_deliveries", Columns: store.Columns(
	`subscription_id uuid, event_id uuid, organization_id uuid, website_id uuid, position bigint, trigger_id text,
	status text, attempts bigint, tries bigint, called boolean, call_failed boolean, call_due bigint, due_at bigint,
	again text, functions text`),
	Conflict: `ON CONFLICT (subscription_id, event_id) DO UPDATE SET status = excluded.status, attempts = excluded.attempts,
	tries = excluded.tries, called = excluded.called, call_failed = excluded.call_failed, call_due = excluded.call_due,
	due_at = excluded.due_at, again = excluded.again, functions = excluded.functions`}

// saveDeliveries inserts deliveries, and of those that exist already writes what attempts change.
func saveDeliveries(ctx context.Context, tx *store.Tx, list []deliveryRow) error {
	rows := make([][]any, len(list))
	for i, d := range list {
		rows[i] = []any{
			d.SubscriptionID, d.EventID, d.OrganizationID, d.WebsiteID, d.Position, store.OrNull(d.TriggerID), d.Status,
			d.Attempts, d.Tries, d.CallDone, d.CallFailed, store.OrNull(d.CallDue), store.OrNull(d.DueAt), d.RedeliverFrom,
			store.OrNull(d.Functions),
		}
	}
	_, err := tx.InsertRows(ctx, deliveryUpsert, rows)
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
	Parked      *string   `db:"parked"`      // see eventRow
	CurrencyID  laurel.ID `db:"currency_id"` // read for events without a row alone

	isNew     bool        // it has no row yet: its event is behind the position of the subscription
	isCounted bool        // it counts towards the events of its day
	entry     *blockEntry // of an event that is in a block; nil: it has a row, or isNew
}

func (r deliveryWithEvent) key() eventKey { return eventKey{r.EventID, r.Position} }

func (r deliveryWithEvent) event() Event {
	return Event{
		ID: r.EventID, Table: r.Table, Type: r.Type, TriggeredAt: store.Time(r.TriggeredAt), Data: json.RawMessage(r.Data),
	}
}

const deliverySelect = "SELECT " + deliveryColumns + `, e.table_name, e.type, e.lane, e.triggered_at, e.data, e.parked
	FROM subscription_deliveries d JOIN subscription_events e ON e.id = d.event_id`

// selectDueDeliveries returns pending deliveries of a subscription: those that were tried before and are due again, by
// due time, and those that were never tried, due or not, in the order of events. There are at most limit of each kind.
func selectDueDeliveries(
	ctx context.Context, q store.Queryer, subscription laurel.ID, now time.Time, limit int,
) (retries, untried []deliveryWithEvent, err error) {
	err = q.Select(ctx, &retries, deliverySelect+` WHERE d.subscription_id = ? AND d.status = 'pending' AND d.attempts > 0
		AND d.due_at <= ? ORDER BY d.due_at LIMIT ?`, subscription, store.Micros(now), limit)
	if err != nil {
		return nil, nil, err
	}
	err = q.Select(ctx, &untried, deliverySelect+` WHERE d.subscription_id = ? AND d.status = 'pending' AND d.attempts = 0
		ORDER BY d.position LIMIT ?`, subscription, limit)
	return retries, untried, err
}

// findDelivery returns the delivery of an event to a subscription, with the event: its row, its entry in a block, or as
// upcoming returns it. If there is none, it returns an error for which store.IsNoRows is true.
func findDelivery(
	ctx context.Context, q store.Queryer, sub *Subscription, event laurel.ID,
) (r deliveryWithEvent, err error) {
	err = q.Get(ctx, &r, deliverySelect+" WHERE d.subscription_id = ? AND d.event_id = ?", sub.ID, event)
	if err == nil || !store.IsNoRows(err) {
		return r, err
	}
	missing := err
	p, err := selectProgress(ctx, q, sub.ID)
	if err != nil {
		return r, err
	}
	coming := sub.upcoming(p, 1)
	coming.filter.Add("e.id = ?", event)
	if list, _, err := coming.deliveries(ctx, q); err != nil {
		return r, err
	} else if len(list) == 1 {
		return list[0], nil
	}
	events, err := selectEvents(ctx, q, sub, []laurel.ID{event})
	if err != nil || len(events) == 0 {
		return r, cmp.Or(err, missing)
	}
	entry, _, err := findEntry(ctx, q, sub.ID, events[0].key())
	if err != nil || entry == nil {
		return r, cmp.Or(err, missing)
	}
	entry.applyTo(&events[0])
	return events[0], nil
}

// selectEvents returns events of a subscription's website as deliveries of it that nobody has tried.
func selectEvents(
	ctx context.Context, q store.Queryer, sub *Subscription, ids []laurel.ID,
) (out []deliveryWithEvent, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var w store.Where
	store.InArray(&w, q, "e.id", "uuid", ids)
	w.Add("e.website_id = ?", sub.WebsiteID)
	err = q.Select(ctx, &out, "SELECT e.id AS event_id, e.position"+upcomingColumns+" FROM subscription_events e"+w.String(), w.Args...)
	for i := range out {
		out[i].deliveryRow = newDelivery(sub, out[i].event(), out[i].Position)
	}
	return out, err
}

// selectRows returns deliveries of a subscription that have rows of their own.
func selectRows(
	ctx context.Context, q store.Queryer, sub laurel.ID, events []laurel.ID,
) (out []deliveryWithEvent, err error) {
	if len(events) == 0 {
		return nil, nil
	}
	var w store.Where
	w.Add("d.subscription_id = ?", sub)
	store.InArray(&w, q, "d.event_id", "uuid", events)
	err = q.Select(ctx, &out, deliverySelect+w.String(), w.Args...)
	return out, err
}

// deliveryFilter selects the newest deliveries of a subscription.
type deliveryFilter struct {
	sub      *Subscription
	statuses []string // none: all
	before   eventKey // those that come before it; zero: from the newest on
	limit    int
}

// newestRows returns the newest deliveries that have rows of their own and that the filter selects.
func newestRows(ctx context.Context, q store.Queryer, f deliveryFilter) (out []eventKey, err error) {
	var w store.Where
	w.Add("subscription_id = ?", f.sub.ID)
	store.In(&w, "status", f.statuses)
	if at := f.before; !at.EventID.IsZero() {
		w.Add("position <= ? AND (position < ? OR event_id < ?)", at.Position, at.Position, at.EventID)
	}
	err = q.Select(ctx, &out, "SELECT event_id, position FROM subscription_deliveries"+w.String()+
		" ORDER BY position DESC, event_id DESC LIMIT ?", append(w.Args, f.limit)...)
	return out, err
}

// selectEventSizes returns the sizes of the data of events.
func selectEventSizes(ctx context.Context, q store.Queryer, ids []laurel.ID) (sizes []budget.ByteSize, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var w store.Where
	store.InArray(&w, q, "id", "uuid", ids)
	err = q.Select(ctx, &sizes, "SELECT id, OCTET_LENGTH(data) AS bytes FROM subscription_events"+w.String(), w.Args...)
	return sizes, err
}

// markForRedelivery makes the deliveries of the subscription id that the selection matches due at once, and returns how
// many they are. It marks at most maxRedeliveries + 1 of them, so that the caller can refuse too many.
func markForRedelivery(ctx context.Context, tx *store.Tx, id laurel.ID, selection store.Where) (int64, error) {
	selection.Add("subscription_id = ?", id)
	return tx.Exec(ctx, `UPDATE subscription_deliveries SET again = CASE WHEN again = '' THEN status ELSE again END,
		status = 'pending', due_at = ?, called = FALSE, call_failed = FALSE, call_due = NULL WHERE subscription_id = ? AND event_id IN (SELECT event_id
		FROM subscription_deliveries`+selection.String()+` ORDER BY event_id LIMIT ?)`,
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

// where returns the conditions of deliveries with rows of their own whose events are in the range. An event's id begins
// with the event's time, so the condition on event_id lets the database find the start of the range in the index.
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

// mayContain reports whether an event may be in the range, by the time in its id, which is in milliseconds.
func (r Range) mayContain(event laurel.ID) bool {
	from, to := minIDAt(r.From), minIDAt(r.To.Add(time.Millisecond))
	return event.Compare(from) >= 0 && event.Compare(to) < 0
}

// contains reports whether a moment is in the range.
func (r Range) contains(at time.Time) bool { return !at.Before(r.From) && at.Before(r.To) }

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

// removeOld deletes events from before a moment, in chunks of maxRemovedAtOnce per transaction: first the attempts and
// deliveries of each subscription, the blocks and the hourly counts, then the events. The ids of events begin with
// their time.
func removeOld(ctx context.Context, db *store.DB, before time.Time) error {
	end := minIDAt(before)
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
	err := execInChunks(ctx, db, `DELETE FROM subscription_blocks WHERE (subscription_id, last_position) IN
		(SELECT subscription_id, last_position FROM subscription_blocks WHERE written_at < ? ORDER BY written_at LIMIT ?)`,
		store.Micros(before))
	if err != nil {
		return err
	}
	err = execInChunks(ctx, db, `DELETE FROM subscription_hours WHERE hour < ? AND subscription_id IN
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
