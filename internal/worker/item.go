package worker

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Item is a row that is leased to this node. Row is for the goroutine that works on the item. What it can do is not
// generic, so that it is compiled once.
type Item[T any] struct {
	Row T
	*lease
}

// lease is an item without its row.
type lease struct {
	Key      laurel.ID
	Attempts int64 // the present one included; 0 where the table counts none

	db     *store.DB
	table  *Leased
	length time.Duration
	counts *counts
	owner  laurel.ID // of the lease, where the table has a column for it
	// keep returns what makes the row again as it is now; save writes it, nil: nothing.
	keep func() (restore func())
	save func(ctx context.Context, tx *store.Tx) error

	mu   sync.Mutex // guards what follows: a lease may be renewed beside the work
	due  time.Time  // when the lease ends, as the row has it
	done bool       // this node writes nothing more
}

// counts are what the metrics tell of the items of a table.
type counts struct{ taken, failed, gaveUp atomic.Int64 }

// item returns an item whose lease ends at a moment.
func (s *Items[T]) item(key laurel.ID, row T, due time.Time) *Item[T] {
	h := &Item[T]{Row: row, lease: &lease{
		Key: key, db: s.DB, table: &s.Table, length: s.Lease, counts: &s.counts, due: due,
	}}
	h.keep = func() func() {
		before := h.Row
		return func() { h.Row = before }
	}
	if s.Save != nil {
		h.save = func(ctx context.Context, tx *store.Tx) error { return s.Save(ctx, tx, &h.Row) }
	}
	return h
}

// Keep carries out a transaction that holds the item, and lengthens the lease. It returns ErrLost where the item is not
// this node's any more. Row is changed only by a transaction that commits. change may be nil: Row alone is saved then.
func (h *lease) Keep(ctx context.Context, change func(tx *store.Tx) error) error {
	return h.write(ctx, false, h.leased, change)
}

// PutOff is Keep for the last transaction of this node: the item is due again at a moment, or at the zero time only
// when something else makes it due. change may be nil.
func (h *lease) PutOff(ctx context.Context, until time.Time, change func(tx *store.Tx) error) error {
	return h.write(ctx, true, func(time.Time) time.Time { return until }, change)
}

// End is Keep for the transaction in which change ends the item.
func (h *lease) End(ctx context.Context, change func(tx *store.Tx) error) error {
	return h.write(ctx, true, func(time.Time) time.Time { return h.due }, change)
}

// Faulted counts a fault that Do deals with by itself, and whether the item is given up by it.
func (h *lease) Faulted(gaveUp bool) {
	h.counts.failed.Add(1)
	if gaveUp {
		h.counts.gaveUp.Add(1)
	}
}

// leased is when a lease ends that begins now. It differs from every former end: whether a row still has it says
// whether the item is where this node left it.
func (h *lease) leased(now time.Time) time.Time {
	until := now.Add(h.length)
	if until.After(h.due) {
		return until
	}
	return h.due.Add(time.Microsecond)
}

// write carries out one transaction. Holding the item comes first: its lock is before all that the change locks.
func (h *lease) write(
	ctx context.Context,
	last bool,
	next func(now time.Time) time.Time,
	change func(tx *store.Tx) error,
) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.done {
		return ErrLost
	}
	restore, committed := h.keep(), false
	defer func() {
		if !committed { // also where it panicked: what is put off then must not be what was rolled back
			restore()
		}
	}()
	var due time.Time
	err := h.db.InTx(ctx, func(tx *store.Tx) error {
		restore() // of an attempt that failed
		due = next(tx.Now())
		if err := h.hold(ctx, tx, due); err != nil {
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
		h.due, h.done = due, last
	}
	return err
}

// renew lengthens the lease beside the work.
func (h *lease) renew(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.done {
		return nil
	}
	var due time.Time
	err := h.db.InTx(ctx, func(tx *store.Tx) error {
		due = h.leased(tx.Now())
		return h.hold(ctx, tx, due)
	})
	if err == nil {
		h.due = due
	}
	return err
}
