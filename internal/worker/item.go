package worker

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Item is a row that is leased to this node. Only the goroutine that works on the item may use Row. Its methods belong
// to lease, which is not generic, so that they are compiled once.
type Item[T any] struct {
	Row T
	*lease
}

// lease is the part of an item that does not depend on the type of its row.
type lease struct {
	Key      laurel.ID
	Attempts int64 // including this one; 0 if the table does not count them

	db     *store.DB
	table  *QueueTable
	length time.Duration
	counts *counts
	owner  laurel.ID // the id of the lease, if the table has a column for it
	// snapshot returns a function that restores Row to its present value. save writes Row; nil if there is nothing to
	// write.
	snapshot func() (restore func())
	save     func(ctx context.Context, tx *store.Tx) error

	mu     sync.Mutex // guards the fields below: a lease may be renewed while the work goes on
	due    time.Time  // when the lease ends, as stored in the row
	isDone bool       // this node has given the item up or finished it, and writes nothing more
}

// counts are the counters of a table's items for the metrics.
type counts struct{ taken, failed, abandoned atomic.Int64 }

// item returns the item of a row that is leased until due.
func (s *Items[T]) item(key laurel.ID, row T, due time.Time) *Item[T] {
	h := &Item[T]{Row: row, lease: &lease{
		Key: key, db: s.DB, table: &s.Table, length: s.LeaseTime, counts: &s.counts, due: due,
	}}
	h.snapshot = func() func() { // remembers Row, and returns the function that restores it
		before := h.Row
		return func() { h.Row = before }
	}
	if s.Save != nil {
		h.save = func(ctx context.Context, tx *store.Tx) error { return s.Save(ctx, tx, &h.Row) }
	}
	return h
}

// Extend extends the lease, runs change and saves Row, in one transaction. It returns ErrLost if this node no longer
// has the item. If the transaction fails, Row is restored. change may be nil.
func (h *lease) Extend(ctx context.Context, change func(tx *store.Tx) error) error {
	return h.write(ctx, false, h.nextLeaseEnd, change)
}

// Reschedule is like Extend, but ends the lease: the item is due again at the time until, for any node. With the zero
// time it is not due until other code makes it due.
func (h *lease) Reschedule(ctx context.Context, until time.Time, change func(tx *store.Tx) error) error {
	return h.write(ctx, true, func(time.Time) time.Time { return until }, change)
}

// Finish is like Extend, but is the last transaction on the item: change must end the item, so that it is no longer
// open.
func (h *lease) Finish(ctx context.Context, change func(tx *store.Tx) error) error {
	return h.write(ctx, true, func(time.Time) time.Time { return h.due }, change)
}

// CountFault counts, for the metrics, a fault that Queue.Do handles itself, and whether the item was abandoned.
func (h *lease) CountFault(isAbandoned bool) {
	h.counts.failed.Add(1)
	if isAbandoned {
		h.counts.abandoned.Add(1)
	}
}

// nextLeaseEnd returns when a lease that begins now ends. It differs from all earlier ends of the item's leases, so
// that a row with this end is still leased to this node.
func (h *lease) nextLeaseEnd(now time.Time) time.Time {
	until := now.Add(h.length)
	if until.After(h.due) {
		return until
	}
	return h.due.Add(time.Microsecond)
}

// write runs one transaction on the item: it moves the end of the lease to nextDue, calls change (which may be nil) and
// saves Row. isLast says that this node gives up the item with it. moveDue comes first, since the item's row ranks
// before all that change locks. If the transaction fails, Row is restored.
func (h *lease) write(
	ctx context.Context,
	isLast bool,
	nextDue func(now time.Time) time.Time,
	change func(tx *store.Tx) error,
) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.isDone {
		return ErrLost
	}
	restore, committed := h.snapshot(), false
	defer func() {
		if !committed { // also after a panic: a later transaction must not save what was rolled back
			restore()
		}
	}()
	var due time.Time
	err := h.db.InTx(ctx, func(tx *store.Tx) error {
		restore() // undo a failed attempt of this transaction
		due = nextDue(tx.Now())
		if err := h.moveDue(ctx, tx, due); err != nil {
			return err
		}
		if change != nil {
			if err := change(tx); err != nil {
				return err
			}
		}
		if h.save == nil {
			return nil
		}
		return h.save(ctx, tx)
	})
	if committed = err == nil; committed {
		h.due, h.isDone = due, isLast
	}
	return err
}

// renew extends the lease while the work goes on. It returns ErrLost if this node no longer has the item, and nil if
// the work has ended meanwhile.
func (h *lease) renew(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.isDone {
		return nil
	}
	var due time.Time
	err := h.db.InTx(ctx, func(tx *store.Tx) error {
		due = h.nextLeaseEnd(tx.Now())
		return h.moveDue(ctx, tx, due)
	})
	if err == nil {
		h.due = due
	}
	return err
}
