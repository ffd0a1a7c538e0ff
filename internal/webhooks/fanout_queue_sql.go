package webhooks

import (
	"context"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// fanoutRow is an item of the fan-out queue: a website with new events for many subscriptions.
type fanoutRow struct {
	WebsiteID      laurel.ID `db:"website_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	Position       int64     `db:"position"`      // of the newest event
	DonePosition   int64     `db:"done_position"` // up to which the subscriptions were woken
}

// fanoutQueueTable describes the table of fan-outs to the queue.
var fanoutQueueTable = worker.QueueTable{
	Table: "subscription_fanouts", Key: "website_id", Due: "due_at", Open: "due_at IS NOT NULL", OwnerColumn: "website_id",
	Columns: "website_id, organization_id, position, done_position",
}

// releaseFanout ends the lease of a website, whose subscriptions were woken for the events up to that of the row. It is
// due again at once if there are newer ones. The subscriptions get the events, too, that nodes of the version before
// have put into the queue, up to the position newest.
func releaseFanout(ctx context.Context, tx *store.Tx, row fanoutRow, newest int64) error {
	_, err := tx.Exec(ctx, "DELETE FROM subscription_waiting_events WHERE website_id = ? AND position <= ?",
		row.WebsiteID, newest)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE subscription_fanouts SET held = FALSE, done_position = ?,
		due_at = CASE WHEN position > ? OR EXISTS (SELECT 1 FROM subscription_waiting_events e WHERE e.website_id = ?)
		THEN `+tx.Typed("bigint")+` END WHERE website_id = ?`,
		row.Position, row.Position, row.WebsiteID, store.Micros(tx.Now()), row.WebsiteID)
	return err
}

// newestEvent is the position of the newest event of a table.
type newestEvent struct {
	Table    string `db:"table_name"`
	Position int64  `db:"position"`
}

// selectNewestEvents returns the newest event of a website in each of the tables. Tables without an event behind the
// position after are left out.
func selectNewestEvents(
	ctx context.Context, q store.Queryer, website laurel.ID, tables []string, after int64,
) (rows []newestEvent, err error) {
	if len(tables) == 0 {
		return nil, nil
	}
	parts, args := make([]string, len(tables)), []any{}
	for i, name := range tables {
		parts[i] = "SELECT * FROM (SELECT table_name, position FROM subscription_events " +
			"WHERE website_id = ? AND table_name = ? AND position > ? ORDER BY position DESC LIMIT 1) t" + strconv.Itoa(i)
		args = append(args, website, name, after)
	}
	err = q.Select(ctx, &rows, strings.Join(parts, " UNION ALL "), args...)
	return rows, err
}

// newestPosition returns the position of the newest event that the sources of a subscription may match, 0 if there is
// none.
func newestPosition(ctx context.Context, q store.Queryer, sub *Subscription) (position int64, err error) {
	rows, err := selectNewestEvents(ctx, q, sub.WebsiteID, sub.tables(), 0)
	for _, r := range rows {
		position = max(position, r.Position)
	}
	return position, err
}

// selectSubscriptionsTo returns the live subscriptions of a website to the table of its newest event, in the order of
// their ids. after is the position behind which the events are new.
func selectSubscriptionsTo(
	ctx context.Context, q store.Queryer, website laurel.Scope, newest newestEvent, after int64,
) ([]wokenSubscription, error) {
	var parked []laurel.ID
	err := q.Select(ctx, &parked, `SELECT id FROM subscription_events WHERE website_id = ? AND table_name = ?
		AND position > ? AND position <= ? AND parked IS NOT NULL LIMIT 1`,
		website.WebsiteID, newest.Table, after, newest.Position)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		ID         laurel.ID            `db:"id"`
		Callback   string               `db:"callback_url"`
		Functions  laurel.List[string]  `db:"function_ids"`
		DisabledAt laurel.NullTimestamp `db:"disabled_at"`
	}
	err = q.Select(ctx, &rows, `SELECT s.id, s.callback_url, s.function_ids, s.disabled_at FROM subscription_sources c
		JOIN subscriptions s ON s.id = c.subscription_id WHERE c.website_id = ? AND c.table_name = ? AND c.live ORDER BY s.id`,
		website.WebsiteID, newest.Table)
	out := make([]wokenSubscription, len(rows))
	for i, r := range rows {
		sub := Subscription{CallbackURL: r.Callback, FunctionIDs: r.Functions, DisabledAt: r.DisabledAt}
		out[i] = wokenSubscription{r.ID, website, !sub.hasNoTarget() || sub.Disabled() || len(parked) > 0}
	}
	return out, err
}

var fanoutUpsert = store.Insert{
	Table: "subscription_fanouts", Columns: store.Columns(
		"website_id uuid, organization_id uuid, due_at bigint, held boolean, position bigint, done_position bigint"),
	Conflict: `ON CONFLICT (website_id) DO UPDATE SET position = excluded.position, due_at = CASE
		WHEN subscription_fanouts.held THEN subscription_fanouts.due_at ELSE excluded.due_at END`,
}

// queueFanouts puts websites into the fan-out queue, for events up to a position.
func queueFanouts(ctx context.Context, tx *store.Tx, websites []laurel.Scope, newest int64) error {
	rows := make([][]any, len(websites))
	for i, w := range websites {
		rows[i] = []any{w.WebsiteID, w.OrganizationID, store.Micros(tx.Now()), false, newest, int64(0)}
	}
	_, err := tx.InsertRows(ctx, fanoutUpsert, rows)
	return err
}

// The conditions of subscriptions and websites that are behind and not due; each has a partial index.
const (
	senderBehind = `due_at IS NULL AND position < woken_position AND NOT held AND EXISTS (SELECT 1 FROM subscriptions s
		WHERE s.id = subscription_id AND s.disabled_at IS NULL)`
	fanoutBehind = "due_at IS NULL AND done_position < position AND NOT held"
)

// selectBehind finds out whether a subscription or a website is behind and not due.
func selectBehind(ctx context.Context, q store.Queryer, found *[]laurel.ID) error {
	return q.Select(ctx, found, "SELECT subscription_id FROM (SELECT subscription_id FROM subscription_senders WHERE "+
		senderBehind+" LIMIT 1) a UNION ALL SELECT website_id FROM (SELECT website_id FROM subscription_fanouts WHERE "+
		fanoutBehind+" LIMIT 1) b")
}

// wakeBehind makes all subscriptions and websites due that are behind.
func wakeBehind(ctx context.Context, tx *store.Tx) error {
	now := store.Micros(tx.Now())
	if _, err := tx.Exec(ctx, "UPDATE subscription_senders SET due_at = ? WHERE "+senderBehind, now); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "UPDATE subscription_fanouts SET due_at = ? WHERE "+fanoutBehind, now)
	return err
}
