package worker

import (
	"context"
	"sync"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Item is a row that is leased to this node. Row is for the goroutine that works on the item.
type Item[T any] struct {
	Row      T
	Key      laurel.ID
	Attempts int64 // the present one included; 0 where the table counts none

	items *Items[T]
	owner laurel.ID // of the lease, where the table has a column for it

	mu   sync.Mutex // guards what follows: a lease may be renewed beside the work
	due  time.Time  // when the lease ends, as the row has it
	done bool       // this node writes nothing more
}

// Keep carries out a transaction that holds the item, and lengthens the lease. It returns ErrLost where the item is not
// this node's any more. Row is changed only by a transaction that commits. change may be nil: Row alone is saved then.
func (h *Item[T]) Keep(ctx context.Context, change func(tx *store.Tx) error) error {
	return h.write(ctx, false, h.leased, change)
}

// PutOff is Keep for the last transaction of this node: the item is due again at a moment, or at the zero time only
// when something else makes it due. change may be nil.
func (h *Item[T]) PutOff(ctx context.Context, until time.Time, change func(tx *store.Tx) error) error {
	return h.write(ctx, true, func(time.Time) time.Time { return until }, change)
}

// End is Keep for the transaction in which change ends the item.
func (h *Item[T]) End(ctx context.Context, change func(tx *store.Tx) error) error {
	return h.write(ctx, true, func(time.Time) time.Time { return h.due }, change)
}

// Faulted counts a fault that Do deals with by itself, and whether the item is given up by it.
func (h *Item[T]) Faulted(gaveUp bool) {
	h.items.failed.Add(1)
	if gaveUp {
		h.items.gaveUp.Add(1)
	}
}

// leased is when a lease ends that begins now. It differs from every former end: whether a row still has it says
// whether the item is where this node left it.
func (h *Item[T]) leased(now time.Time) time.Time {
	until := now.Add(h.items.Lease)
	if until.After(h.due) {
		return until
	}
	return h.due.Add(time.Microsecond)
}

// write carries out one transaction. Holding the item comes first: its lock is before all that the change locks.
func (h *Item[T]) write(
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
	before, committed := h.Row, false
	defer func() {
		if !committed { // also where it panicked: what is put off then must not be what was rolled back
			h.Row = before
		}
	}()
	var due time.Time
	err := h.items.DB.InTx(ctx, func(tx *store.Tx) error {
		h.Row = before // of an attempt that failed
		due = next(tx.Now())
		if err := h.items.hold(ctx, tx, h, due); err != nil {
			return err
		}
		if change != nil {
			if err := change(tx); err != nil {
				return err
			}
		}
		if h.items.Save == nil {
			return nil
		}
		return h.items.Save(ctx, tx, &h.Row)
	})
	if committed = err == nil; committed {
		h.due, h.done = due, last
	}
	return err
}

// renew lengthens the lease beside the work.
func (h *Item[T]) renew(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.done {
		return nil
	}
	var due time.Time
	err := h.items.DB.InTx(ctx, func(tx *store.Tx) error {
		due = h.leased(tx.Now())
		return h.items.hold(ctx, tx, h, due)
	})
	if err == nil {
		h.due = due
	}
	return err
}
