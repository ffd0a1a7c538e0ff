package worker

import (
	"context"
	"slices"
	"strings"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Leased describes a table whose rows are items of a queue. Conditions name columns without a prefix, and every one of
// them has a partial index behind it.
type Leased struct {
	Table string
	Key   string // the column of the id
	// Due is the column of when an item is due, in microseconds. While a node has the item, its lease ends then.
	Due     string
	Columns string // of a row, as T reads them
	Open    string // holds of items that are not over; empty: none ever is
	Only    string // what more holds of those that this queue takes
	// Busy holds of an open item that is not due while a node has it, and not of one that was put off. Items.Take and
	// Series go by it.
	Busy     string
	Attempts string // the column that counts leases; empty: none
	Owner    string // the column that names the lease; empty: none
	// Of is the column of the owners that are served side by side; empty: there are none. The table has both ids of the
	// tenant then (organization_id, website_id), among whom the places are shared.
	Of     string
	Series Series
	Over   Over
}

// Series keeps items in order. The zero Series is none.
type Series struct {
	Column string
	// Order is the column by which only the first open item of a series is taken. Without it any is, while no other is
	// held (Leased.Busy); the series are the owners then.
	Order string
}

// Over says which items are removed.
type Over struct {
	When string // what holds of items that are over; may be empty where At does
	At   string // the column of when an item ended
	Kept time.Duration
}

func orNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return store.Micros(t)
}

// may is what holds of the items that the queue takes when they are due.
func (l Leased) may(now time.Time) *store.Where {
	w := &store.Where{}
	for _, condition := range []string{l.Open, l.Only} {
		if condition != "" {
			w.Add(condition)
		}
	}
	if l.Series.Column == "" {
		return w
	}
	var other store.Where
	other.Add("o." + l.Series.Column + " = t." + l.Series.Column)
	other.Add(l.Open)
	if l.Series.Order != "" {
		other.Add("o." + l.Series.Order + " < t." + l.Series.Order)
	} else {
		other.Add("("+l.Busy+") AND o."+l.Due+" > ?", store.Micros(now))
	}
	w.Add("NOT EXISTS (SELECT 1 FROM "+l.Table+" o"+other.String()+")", other.Args...)
	return w
}

// due is may of items that are due.
func (l Leased) due(now time.Time) *store.Where {
	w := l.may(now)
	w.Add("t."+l.Due+" <= ?", store.Micros(now))
	return w
}

// leasedRow is a row with the columns of the lease.
type leasedRow[T any] struct {
	Key      laurel.ID `db:"lease_key"`
	Due      int64     `db:"lease_due"`
	Attempts int64     `db:"lease_attempts"`
	Row      T         `db:"row"`
}

// rows begins a statement that reads leasedRows.
func (l Leased) rows() string {
	list := []string{"t." + l.Key + " AS lease_key", "t." + l.Due + " AS lease_due"}
	if l.Attempts == "" {
		list = append(list, "0 AS lease_attempts")
	} else {
		list = append(list, "t."+l.Attempts+" AS lease_attempts")
	}
	for column := range strings.SplitSeq(l.Columns, ",") {
		column = strings.TrimSpace(column)
		list = append(list, "t."+column+` AS "row.`+column+`"`)
	}
	return "SELECT " + strings.Join(list, ", ") + " FROM " + l.Table + " t"
}

// first returns the owner of the item that has been due for longest, and whether there is one. It takes no lock, so an
// idle node writes nothing.
func (l Leased) first(ctx context.Context, db *store.DB) (owner laurel.ID, some bool, err error) {
	column := l.Of
	if column == "" {
		column = l.Key
	}
	w := l.due(db.Now())
	var found []laurel.ID
	err = db.Select(
		ctx,
		&found,
		"SELECT t."+column+" FROM "+l.Table+" t"+w.String()+" ORDER BY t."+l.Due+" LIMIT 1",
		w.Args...)
	if len(found) > 0 && l.Of != "" {
		owner = found[0]
	}
	return owner, len(found) > 0, err
}

// next returns the owner after another one with items that are not over, and whether the first of them is due; the zero
// owner after the last. It reads one entry of an index by owner and due time, however many items wait.
func (l Leased) next(ctx context.Context, db *store.DB, after laurel.ID) (Owner, bool, error) {
	now := db.Now()
	w := l.may(now)
	if !after.IsZero() {
		w.Add("t."+l.Of+" > ?", after)
	}
	var found struct {
		ID           laurel.ID `db:"owner_id"`
		Organization laurel.ID `db:"organization_id"`
		Website      laurel.ID `db:"website_id"`
		Due          int64     `db:"due"`
	}
	err := db.Get(
		ctx,
		&found,
		"SELECT t."+l.Of+" AS owner_id, t.organization_id, t.website_id, t."+l.Due+" AS due FROM "+l.Table+" t"+w.String()+
			" ORDER BY t."+l.Of+", t."+l.Due+" LIMIT 1",
		w.Args...)
	if store.NoRows(err) {
		return Owner{}, false, nil
	}
	return Owner{found.ID, Tenant{found.Organization, found.Website}}, !store.Time(found.Due).After(now), err
}

// take leases items that are due, of one owner unless that is zero: other nodes see them again only when the lease is
// over.
func (q *Queue[T]) take(ctx context.Context, tx *store.Tx, owner laurel.ID, most int) ([]*Item[T], error) {
	l := q.Table
	if l.Series.Column != "" && l.Series.Order == "" { // two nodes could take two items of a series of which none is held yet
		if err := tx.AdvisoryLock(ctx, l.Table+" "+owner.String()); err != nil {
			return nil, err
		}
	}
	w := l.due(tx.Now())
	if !owner.IsZero() {
		w.Add("t."+l.Of+" = ?", owner)
	}
	var rows []leasedRow[T]
	err := tx.Select(
		ctx,
		&rows,
		l.rows()+w.String()+" ORDER BY t."+l.Due+", t."+l.Key+" LIMIT ?"+tx.ForUpdateSkip(),
		append(w.Args, most)...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return q.lease(ctx, tx, rows)
}

// takeOne leases an item by its key; nil where that may not be.
func (s *Items[T]) takeOne(ctx context.Context, tx *store.Tx, key laurel.ID, atOnce bool) (*Item[T], error) {
	l := s.Table
	w := l.may(tx.Now())
	w.Add("t."+l.Key+" = ?", key)
	if atOnce {
		w.Add("(t."+l.Due+" <= ? OR NOT ("+l.Busy+"))", store.Micros(tx.Now()))
	} else {
		w.Add("t."+l.Due+" <= ?", store.Micros(tx.Now()))
	}
	var rows []leasedRow[T]
	if err := tx.Select(ctx, &rows, l.rows()+w.String()+tx.ForUpdateSkip(), w.Args...); err != nil || len(rows) == 0 {
		return nil, err
	}
	held, err := s.lease(ctx, tx, rows)
	if err != nil {
		return nil, err
	}
	return held[0], nil
}

// lease writes leases of rows that are locked.
func (s *Items[T]) lease(ctx context.Context, tx *store.Tx, rows []leasedRow[T]) ([]*Item[T], error) {
	l := s.Table
	set := l.Due + " bigint"
	if l.Attempts != "" {
		set += ", " + l.Attempts + " bigint"
	}
	if l.Owner != "" {
		set += ", " + l.Owner + " uuid"
	}
	held, values := make([]*Item[T], len(rows)), make([][]any, len(rows))
	for i, r := range rows {
		h := s.item(r.Key, r.Row, store.Time(r.Due))
		h.due = h.leased(tx.Now())
		values[i] = []any{h.Key, store.Micros(h.due)}
		if l.Attempts != "" {
			h.Attempts = r.Attempts + 1
			values[i] = append(values[i], h.Attempts)
		}
		if l.Owner != "" {
			h.owner = tx.NewID()
			values[i] = append(values[i], h.owner)
		}
		held[i] = h
	}
	_, err := tx.UpdateRows(
		ctx,
		store.Update{Table: l.Table, Keys: store.Columns(l.Key + " uuid"), Set: store.Columns(set)},
		values,
	)
	if err != nil || s.Taken == nil {
		return held, err
	}
	for _, h := range held {
		if err := s.Taken(ctx, tx, h); err != nil {
			return nil, err
		}
	}
	return held, nil
}

// hold locks an item that is this node's and where this node left it, and moves the end of the lease. It returns
// ErrLost where it is not.
func (h *lease) hold(ctx context.Context, tx *store.Tx, due time.Time) error {
	l := h.table
	var w store.Where
	w.Add(l.Key+" = ? AND "+l.Due+" = ?", h.Key, store.Micros(h.due))
	if l.Open != "" {
		w.Add(l.Open)
	}
	if l.Attempts != "" {
		w.Add(l.Attempts+" = ?", h.Attempts)
	}
	if l.Owner != "" {
		w.Add(l.Owner+" = ?", h.owner)
	}
	n, err := tx.Exec(
		ctx,
		"UPDATE "+l.Table+" SET "+l.Due+" = ?"+w.String(),
		slices.Concat([]any{orNull(due)}, w.Args)...)
	if err == nil && n == 0 {
		return ErrLost
	}
	return err
}

// pruneChunk bounds what one transaction removes.
const pruneChunk = 500

// prune removes items that have been over for long enough, a chunk per transaction.
func (l Leased) prune(ctx context.Context, db *store.DB) error {
	for {
		var gone int64
		err := db.InTx(ctx, func(tx *store.Tx) (err error) {
			var w store.Where
			if l.Over.When != "" {
				w.Add(l.Over.When)
			}
			w.Add(l.Over.At+" < ?", store.Micros(tx.Now().Add(-l.Over.Kept)))
			gone, err = tx.Exec(
				ctx,
				"DELETE FROM "+l.Table+" WHERE "+l.Key+" IN (SELECT "+l.Key+" FROM "+l.Table+w.String()+
					" ORDER BY "+l.Over.At+" LIMIT ?"+tx.ForUpdateSkip()+")",
				append(w.Args, pruneChunk)...)
			return err
		})
		if err != nil || gone < pruneChunk {
			return err
		}
	}
}

// countedDue bounds what a look at the metrics reads.
const countedDue = 10_000

// backlog returns how many items are due, up to countedDue, and since when the oldest is; nil where none is.
func (l Leased) backlog(ctx context.Context, db *store.DB) (n int64, oldest *int64, err error) {
	l.Series = Series{} // items that wait for others of their series count
	w := l.due(db.Now())
	var found struct {
		N      int64  `db:"n"`
		Oldest *int64 `db:"oldest"`
	}
	err = db.Get(
		ctx,
		&found,
		"SELECT COUNT(*) AS n, MIN(d.due) AS oldest FROM (SELECT t."+l.Due+" AS due FROM "+l.Table+" t"+w.String()+
			" ORDER BY t."+l.Due+" LIMIT ?) d",
		append(w.Args, countedDue)...)
	return found.N, found.Oldest, err
}
