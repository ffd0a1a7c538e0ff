package webhooks

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

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
	var ids []laurel.ID
	for _, r := range of {
		switch {
		case r.entry == nil && !r.isNew:
			ids = append(ids, r.EventID)
		case r.entry != nil && r.entry.attempt() != nil:
			out[r.EventID] = *r.entry.attempt()
		}
	}
	if len(ids) == 0 {
		return out, nil
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

// selectLastCalls returns when the callback of each subscription was called last, by subscription. It looks only at the
// newest blocks and at 100 other attempts, those at the newest events, which the primary keys find, because the history
// of a busy subscription is long. Subscriptions without a call are left out.
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
	store.InArray(&w, q, "s.id", "uuid", ids)
	w.Tenant("s.", scope)
	var rows []struct {
		ID    laurel.ID `db:"id"`
		Taken *int64    `db:"taken"`
		At    *int64    `db:"at"`
	}
	err := q.Select(ctx, &rows, `SELECT s.id, (SELECT MAX(n.last_call_at) FROM (SELECT b.last_call_at FROM subscription_blocks b
		WHERE b.subscription_id = s.id ORDER BY b.last_position DESC LIMIT 10) n) AS taken,
		(SELECT MAX(n.begun_at) FROM (SELECT a.begun_at FROM subscription_attempts a
		WHERE a.subscription_id = s.id ORDER BY a.event_id DESC LIMIT 100) n) AS at FROM subscriptions s`+w.String(), w.Args...)
	for _, r := range rows {
		for _, at := range []*int64{r.Taken, r.At} {
			if at != nil && store.Time(*at).After(out[r.ID]) {
				out[r.ID] = store.Time(*at)
			}
		}
	}
	return out, err
}
