package worker

import (
	"context"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// QueueTable describes a table whose rows are the items of a queue. Conditions are SQL, name columns without a prefix,
// and need a partial index each.
type QueueTable struct {
	Table string
	Key   string // the column of the id
	// Due is the column of the time at which an item is due, in microseconds. While the item is leased, it is the time at
	// which the lease ends.
	Due     string
	Columns string // columns of a row that T reads
	Open    string // condition of items that are not finished; empty: items never finish
	Filter  string // a further condition of the items that this queue works on
	// WhileLeased is the condition that tells leased items from rescheduled ones, among open items that are not due. It is
	// needed for Items.LeaseByKey with ignoreDelay, and for a Series without Order.
	WhileLeased string
	Attempts    string // the column that counts leases; may be empty
	LeaseID     string // the column of the lease's id; may be empty
	// OwnerColumn is the column of the owner of an item; owners are served concurrently. The table then has both ids of
	// the tenant (organization_id, website_id), among which the slots are divided. Empty: items have no owners.
	OwnerColumn string
	Series      Series
	Finished    Finished
}

// Series says which items are worked on one after the other: those with the same value of Column. The zero Series is
// none.
type Series struct {
	Column string
	// Order is a column; only the first open item of a series by it may be leased. If it is empty, any item may be leased
	// while no other of the series is (QueueTable.WhileLeased), and Column must be the OwnerColumn.
	Order string
}

// Finished says which items Prune deletes, and when.
type Finished struct {
	When    string        // condition of finished items; may be empty if At implies it
	At      string        // the column of the time at which an item finished
	KeepFor time.Duration // after At
}

// orNull returns the stored form of a time, NULL for the zero time.
func orNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return store.Micros(t)
}

// whereLeasable returns the conditions under which an item may be leased once it is due: those of Open and Filter, and
// that it is the item's turn in its series (see Series).
func (l QueueTable) whereLeasable(now time.Time) *store.Where {
	w := &store.Where{}
	for _, condition := range []string{l.Open, l.Filter} {
		if condition != "" {
			w.Add(condition)
		}
	}
	if l.Series.Column == "" {
		return w
	}
	var other store.Where // an open item of the same series that comes first or, in a series without order, is leased
	other.Add("o." + l.Series.Column + " = t." + l.Series.Column)
	other.Add(l.Open)
	if l.Series.Order != "" {
		other.Add("o." + l.Series.Order + " < t." + l.Series.Order)
	} else {
		other.Add("("+l.WhileLeased+") AND o."+l.Due+" > ?", store.Micros(now))
	}
	w.Add("NOT EXISTS (SELECT 1 FROM "+l.Table+" o"+other.String()+")", other.Args...)
	return w
}

// whereDue returns the conditions of items that are due and may be leased.
func (l QueueTable) whereDue(now time.Time) *store.Where {
	w := l.whereLeasable(now)
	w.Add("t."+l.Due+" <= ?", store.Micros(now))
	return w
}

// leasedRow is an item's row with the columns of its lease.
type leasedRow[T any] struct {
	Key      laurel.ID `db:"lease_key"`
	Due      int64     `db:"lease_due"`
	Attempts int64     `db:"lease_attempts"`
	Row      T         `db:"row"`
}

// selectClause returns the SELECT and FROM of a statement that reads leasedRows: the columns of the lease, and those of
// the item's Row, which are named row.COLUMN.
func (l QueueTable) selectClause() string {
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

// firstDueOwner returns the owner of the item that has been due longest, and whether an item is due. The owner is zero
// if items have none. It takes no lock, so an idle node writes nothing.
func (l QueueTable) firstDueOwner(ctx context.Context, db *store.DB) (owner laurel.ID, found bool, err error) {
	column := l.OwnerColumn
	if column == "" {
		column = l.Key
	}
	w := l.whereDue(db.Now())
	var owners []laurel.ID
	err = db.Select(
		ctx,
		&owners,
		"SELECT t."+column+" FROM "+l.Table+" t"+w.String()+" ORDER BY t."+l.Due+" LIMIT 1",
		w.Args...)
	if len(owners) > 0 && l.OwnerColumn != "" {
		owner = owners[0]
	}
	return owner, len(owners) > 0, err
}

// nextOwner returns the next owner with open items, and whether one of its items is due. Owners come in the order of
// their ids; after is the last id that the caller has looked at, zero to begin with the first owner. After the last
// owner it returns the zero Owner. It reads one entry of an index by owner and due time, however many items wait.
func (l QueueTable) nextOwner(ctx context.Context, db *store.DB, after laurel.ID) (Owner, bool, error) {
	now := db.Now()
	w := l.whereLeasable(now)
	if !after.IsZero() {
		w.Add("t."+l.OwnerColumn+" > ?", after)
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
		"SELECT t."+l.OwnerColumn+" AS owner_id, t.organization_id, t.website_id, t."+l.Due+" AS due FROM "+l.Table+" t"+w.String()+
			" ORDER BY t."+l.OwnerColumn+", t."+l.Due+" LIMIT 1",
		w.Args...)
	if store.IsNoRows(err) {
		return Owner{}, false, nil
	}
	return Owner{found.ID, Tenant{found.Organization, found.Website}}, !store.Time(found.Due).After(now), err
}

// leaseDue leases up to limit items that are due, of the owner or, if owner is zero, of any. Other nodes skip them
// until the lease ends.
func (q *Queue[T]) leaseDue(ctx context.Context, tx *store.Tx, owner laurel.ID, limit int) ([]*Item[T], error) {
	l := q.Table
	if l.Series.Column != "" && l.Series.Order == "" { // else two nodes could lease two items of a series at once
		if err := tx.AdvisoryLock(ctx, l.Table+" "+owner.String()); err != nil {
			return nil, err
		}
	}
	w := l.whereDue(tx.Now())
	if !owner.IsZero() {
		w.Add("t."+l.OwnerColumn+" = ?", owner)
	}
	var rows []leasedRow[T]
	err := tx.Select(
		ctx,
		&rows,
		l.selectClause()+w.String()+" ORDER BY t."+l.Due+", t."+l.Key+" LIMIT ?"+tx.ForUpdateSkip(),
		append(w.Args, limit)...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return q.writeLeases(ctx, tx, rows)
}

// leaseByKey leases one item as LeaseByKey describes, in a transaction of the caller.
func (s *Items[T]) leaseByKey(ctx context.Context, tx *store.Tx, key laurel.ID, ignoreDelay bool) (*Item[T], error) {
	l := s.Table
	w := l.whereLeasable(tx.Now())
	w.Add("t."+l.Key+" = ?", key)
	if ignoreDelay {
		w.Add("(t."+l.Due+" <= ? OR NOT ("+l.WhileLeased+"))", store.Micros(tx.Now()))
	} else {
		w.Add("t."+l.Due+" <= ?", store.Micros(tx.Now()))
	}
	var rows []leasedRow[T]
	err := tx.Select(ctx, &rows, l.selectClause()+w.String()+tx.ForUpdateSkip(), w.Args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	items, err := s.writeLeases(ctx, tx, rows)
	if err != nil {
		return nil, err
	}
	return items[0], nil
}

// writeLeases leases rows that the transaction has locked, counts the attempt in each, calls OnLease, and returns their
// items.
func (s *Items[T]) writeLeases(ctx context.Context, tx *store.Tx, rows []leasedRow[T]) ([]*Item[T], error) {
	l := s.Table
	set := l.Due + " bigint"
	if l.Attempts != "" {
		set += ", " + l.Attempts + " bigint"
	}
	if l.LeaseID != "" {
		set += ", " + l.LeaseID + " uuid"
	}
	items, values := make([]*Item[T], len(rows)), make([][]any, len(rows))
	for i, r := range rows {
		h := s.item(r.Key, r.Row, store.Time(r.Due))
		h.due = h.nextLeaseEnd(tx.Now())
		values[i] = []any{h.Key, store.Micros(h.due)}
		if l.Attempts != "" {
			h.Attempts = r.Attempts + 1
			values[i] = append(values[i], h.Attempts)
		}
		if l.LeaseID != "" {
			h.owner = tx.NewID()
			values[i] = append(values[i], h.owner)
		}
		items[i] = h
	}
	_, err := tx.UpdateRows(
		ctx,
		store.Update{Table: l.Table, Keys: store.Columns(l.Key + " uuid"), Set: store.Columns(set)},
		values,
	)
	if err != nil || s.OnLease == nil {
		return items, err
	}
	for _, h := range items {
		if err := s.OnLease(ctx, tx, h); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// moveDue sets the due time of a leased item, to NULL if due is zero. This also locks the item's row until the
// transaction ends. It returns ErrLost if the row no longer has this node's lease, or is no longer open.
func (h *lease) moveDue(ctx context.Context, tx *store.Tx, due time.Time) error {
	l := h.table
	var w store.Where
	w.Add(l.Key+" = ? AND "+l.Due+" = ?", h.Key, store.Micros(h.due))
	if l.Open != "" {
		w.Add(l.Open)
	}
	if l.Attempts != "" {
		w.Add(l.Attempts+" = ?", h.Attempts)
	}
	if l.LeaseID != "" {
		w.Add(l.LeaseID+" = ?", h.owner)
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

// maxPrunedAtOnce bounds the items that one transaction deletes.
const maxPrunedAtOnce = 500

// prune deletes the finished items that are old enough, a chunk per transaction.
func (l QueueTable) prune(ctx context.Context, db *store.DB) error {
	for {
		var deleted int64
		err := db.InTx(ctx, func(tx *store.Tx) (err error) {
			var w store.Where
			if l.Finished.When != "" {
				w.Add(l.Finished.When)
			}
			w.Add(l.Finished.At+" < ?", store.Micros(tx.Now().Add(-l.Finished.KeepFor)))
			deleted, err = tx.Exec(
				ctx,
				"DELETE FROM "+l.Table+" WHERE "+l.Key+" IN (SELECT "+l.Key+" FROM "+l.Table+w.String()+
					" ORDER BY "+l.Finished.At+" LIMIT ?"+tx.ForUpdateSkip()+")",
				append(w.Args, maxPrunedAtOnce)...)
			return err
		})
		if err != nil || deleted < maxPrunedAtOnce {
			return err
		}
	}
}

// maxDueCounted bounds the items that backlog counts.
const maxDueCounted = 10_000

// countDue returns how many items are due, counted up to maxDueCounted, and the time since when the oldest has been
// due, in microseconds, or nil if none is due.
func (l QueueTable) countDue(ctx context.Context, db *store.DB) (n int64, oldest *int64, err error) {
	l.Series = Series{} // count items that wait for others of their series, too
	w := l.whereDue(db.Now())
	var found struct {
		N      int64  `db:"n"`
		Oldest *int64 `db:"oldest"`
	}
	err = db.Get(
		ctx,
		&found,
		"SELECT COUNT(*) AS n, MIN(d.due) AS oldest FROM (SELECT t."+l.Due+" AS due FROM "+l.Table+" t"+w.String()+
			" ORDER BY t."+l.Due+" LIMIT ?) d",
		append(w.Args, maxDueCounted)...)
	return found.N, found.Oldest, err
}
