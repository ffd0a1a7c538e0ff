package webhooks

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// tables returns the names of the tables that a subscription watches, and those of its streams.
func (s *Subscription) tables() (names []string) {
	for _, source := range s.Sources {
		names = append(names, string(source.stream()))
	}
	return names
}

// whereGets adds the conditions of the events of a source (alias e) that a subscription gets: the same as getsChange.
// Events that have a delivery of their own are left out. The currency of an event of the version before is not known
// here, see getsEvent.
func (s *Subscription) whereGets(w *store.Where, source Source) {
	w.Add("e.website_id = ? AND e.table_name = ?", s.WebsiteID, string(source.stream()))
	w.Add("e.triggered_at >= ?", store.Micros(s.since()))
	if !s.EndsAt.IsZero() {
		w.Add("e.triggered_at < ?", store.Micros(s.EndsAt.Time))
	}
	w.Add("e.lane <> e.id") // no test of another subscription
	if source.Table == feed.TableSubscription {
		w.Add("e.lane <> ?", s.ID)
	}
	if source.isLimited() {
		var of store.Where
		store.In(&of, "e.currency_id", source.CurrencyIDs)
		w.Add("(e.currency_id IS NULL OR "+strings.TrimPrefix(of.String(), " WHERE ")+")", of.Args...)
	}
	w.Add("NOT EXISTS (SELECT 1 FROM subscription_deliveries d WHERE d.subscription_id = ? AND d.event_id = e.id)", s.ID)
}

// upcoming is a query of the events that a subscription gets and that are not decided yet.
type upcoming struct {
	sub    *Subscription
	after  int64       // the position of the subscription
	skip   int64       // see progress
	filter store.Where // further conditions of events, alias e
	newest bool        // the newest first, else the oldest
	limit  int
	// withoutData leaves out the data of the events, and so the events of limited sources of the version before.
	withoutData bool
}

// upcoming returns the query of the events behind a subscription's position. A deleted subscription gets none but those
// that are to be skipped.
func (s *Subscription) upcoming(p progress, limit int) upcoming {
	q := upcoming{sub: s, after: p.Position, skip: p.Skip, limit: limit}
	if !s.DeletedAt.IsZero() {
		q.filter.Add("e.position <= ?", p.Skip)
	}
	return q
}

// before limits the query to events before a position.
func (u *upcoming) before(position int64) { u.filter.Add("e.position < ?", position) }

// within limits the query to the events of a time.
func (u *upcoming) within(from, to time.Time) {
	u.filter.Add("e.triggered_at >= ? AND e.triggered_at < ?", store.Micros(from), store.Micros(to))
}

// onlySkipped limits the query to the events that are to be skipped, or to the others.
func (u *upcoming) onlySkipped(isSkipped bool) {
	if isSkipped {
		u.filter.Add("e.position <= ?", u.skip)
	} else {
		u.filter.Add("e.position > ?", u.skip)
	}
}

// rows reads columns of the events, in the order of their positions, into dst. Each table is read through its index.
func (u upcoming) rows(ctx context.Context, q store.Queryer, dst any, columns string) error {
	order := " ORDER BY position"
	if u.newest {
		order = " ORDER BY position DESC"
	}
	var parts []string
	var args []any
	for i, source := range u.sub.Sources {
		var w store.Where
		u.sub.whereGets(&w, source)
		w.Add("e.position > ?", u.after)
		conditions := w.String()
		if len(u.filter.Args) > 0 {
			conditions += " AND " + strings.TrimPrefix(u.filter.String(), " WHERE ")
		}
		parts = append(parts, "SELECT * FROM (SELECT e.id AS event_id, e.position"+columns+" FROM subscription_events e"+
			conditions+order+" LIMIT ?) t"+strconv.Itoa(i))
		args = append(append(append(args, w.Args...), u.filter.Args...), u.limit)
	}
	if len(parts) == 0 {
		return nil
	}
	query := parts[0]
	if len(parts) > 1 {
		query = "SELECT * FROM (" + strings.Join(parts, " UNION ALL ") + ") u" + order + " LIMIT ?"
		args = append(args, u.limit)
	}
	return q.Select(ctx, dst, query, args...)
}

// upcomingColumns are the columns of an event beside its id and its position.
const upcomingColumns = `, e.organization_id, e.website_id, e.table_name, e.type, e.lane, e.triggered_at, e.data, e.parked,
	e.currency_id`

// deliveries returns the events as deliveries that nobody has tried. scannedTo is the position of the last event that
// was read, -1 if there are no more. Of those that were read, it leaves out those whose currency the subscription does
// not get.
func (u upcoming) deliveries(
	ctx context.Context, q store.Queryer,
) (out []deliveryWithEvent, scannedTo int64, err error) {
	columns := upcomingColumns
	if u.withoutData {
		columns = strings.Replace(columns, "e.data", "'' AS data", 1)
	}
	if err := u.rows(ctx, q, &out, columns); err != nil {
		return nil, 0, err
	}
	scannedTo = -1
	if len(out) == u.limit {
		scannedTo = out[len(out)-1].Position
	}
	out = slices.DeleteFunc(out, func(d deliveryWithEvent) bool { return !u.sub.getsEvent(d) })
	for i := range out {
		d := &out[i]
		d.deliveryRow, d.isNew = newDelivery(u.sub, d.event(), d.Position), true
		switch {
		case d.Position <= u.skip:
			d.Status, d.DueAt = statusSkipped, nil
		case u.sub.Disabled():
			d.Status, d.DueAt = statusHeld, nil
		}
	}
	return out, scannedTo, nil
}

// getsEvent reports whether a subscription gets an event that rows has found. Of an event that a node of the version
// before has written, it reads the currency in its data.
func (s *Subscription) getsEvent(d deliveryWithEvent) bool {
	source := s.sourceOf(feed.Table(d.Table))
	if source == nil || !source.isLimited() || !d.CurrencyID.IsZero() || d.Parked != nil {
		return source != nil
	}
	var account accountRef
	_ = json.Unmarshal([]byte(d.Data), &account) // without a currency, none fits
	return slices.Contains(source.CurrencyIDs, account.CurrencyID)
}

// eventKey is an event with its position.
type eventKey struct {
	EventID  laurel.ID `db:"event_id"`
	Position int64     `db:"position"`
}
