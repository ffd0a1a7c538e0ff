package worker

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
)

// Queue works on the items of a table that are due. Any number of nodes may run it. It writes nothing while nothing is
// due. It must not be copied.
type Queue[T any] struct {
	*Items[T]
	Name        string        // in metrics and in the log
	Loop        Loop          // how often the queue looks for due items; its Log is also for faults of items
	Fault       string        // log message of an item that failed
	RenewEvery  time.Duration // how often the lease of an item is renewed while Do works on it; 0: never
	Batch       int           // items that are leased at once
	Concurrency int           // of a batch, items that are worked on at once; 0: all
	Fairness    Fairness
	// Backoff holds the pauses after failed attempts; the last one is repeated. An item is abandoned after Tries attempts,
	// or never if that is 0. Both count by QueueTable.Attempts.
	Backoff []time.Duration
	Tries   int64
	// Do works on an item and writes its outcome by Item.Reschedule, Item.Finish, or in a transaction of its own. An
	// error is a fault: the queue reschedules or abandons the item. Do may return ErrLost if it has lost the item, and
	// ErrPause after it has rescheduled it.
	Do func(ctx context.Context, h *Item[T]) error
	// OnFault may change an item after a fault and returns the pause before the next attempt; nil: Backoff says it.
	OnFault func(h *Item[T], fault error, now time.Time) time.Duration
	// Abandon ends an item that is abandoned, in the queue's transaction. It is required with Tries.
	Abandon func(ctx context.Context, tx *store.Tx, h *Item[T]) error

	once   sync.Once
	owners *RoundRobin
	paused pausedOwners
}

// Fairness says how the owners of items (QueueTable.OwnerColumn) are served concurrently, so that a slow one delays no
// other.
type Fairness struct {
	MaxOwners int           // owners served at once; TenantSlots divides them among tenants
	MaxLooks  int           // owners looked at per round
	TimeSlice time.Duration // see RoundRobin.TimeSlice
	Pause     time.Duration // of an owner after ErrPause; then one item is tried to see whether it works again
}

var (
	// ErrLost is returned if this node no longer has an item: its lease has ended, or the item has.
	ErrLost = errors.New("worker: the item has another owner")
	// ErrPause is returned by Queue.Do to pause all items of the item's owner for Fairness.Pause.
	ErrPause = errors.New("worker: the owner is paused")
)

// Run works on due items until ctx ends. If the items have owners, the owners are served in turn (see RoundRobin).
func (q *Queue[T]) Run(ctx context.Context) {
	if q.Table.OwnerColumn != "" {
		q.roundRobin().Run(ctx)
		return
	}
	q.Loop.Run(ctx, func(ctx context.Context) (more bool, err error) {
		n, err := q.RunOnce(ctx)
		return n == q.Batch, err
	})
}

// RunOnce works on one batch of due items, all of the owner whose item has been due longest, and returns how many items
// there were. The fault of an item is logged and is no error of RunOnce.
func (q *Queue[T]) RunOnce(ctx context.Context) (int, error) {
	owner, hasDue, err := q.Table.firstDueOwner(ctx, q.DB)
	if err != nil || !hasDue {
		return 0, err
	}
	return q.processBatch(ctx, owner, q.Batch)
}

// RunRound works on one batch of due items of each owner, for as many owners as there are slots.
func (q *Queue[T]) RunRound(ctx context.Context) error { return q.roundRobin().RunOnce(ctx) }

// HasDue reports whether an item is due.
func (q *Queue[T]) HasDue(ctx context.Context) (bool, error) {
	_, hasDue, err := q.Table.firstDueOwner(ctx, q.DB)
	return hasDue, err
}

// roundRobin returns the scheduler of the queue's owners, which the first call creates.
func (q *Queue[T]) roundRobin() *RoundRobin {
	q.once.Do(func() {
		q.owners = &RoundRobin{
			Loop:      q.Loop,
			MaxOwners: q.Fairness.MaxOwners,
			MaxLooks:  q.Fairness.MaxLooks,
			TimeSlice: q.Fairness.TimeSlice,
			Now:       q.DB.Now,
			HasDue:    q.HasDue,
			Next: func(ctx context.Context, after laurel.ID) (Owner, bool, error) {
				owner, due, err := q.Table.nextOwner(ctx, q.DB, after)
				return owner, due && q.batchSize(owner.ID) > 0, err
			},
			ServeBatch: q.serveOwner,
		}
	})
	return q.owners
}

// serveOwner works on a batch of an owner's items, and reports whether more may be due.
func (q *Queue[T]) serveOwner(ctx context.Context, owner laurel.ID) (more bool, err error) {
	size := q.batchSize(owner)
	if size == 0 {
		return false, nil
	}
	n, err := q.processBatch(ctx, owner, size)
	return n == size && q.batchSize(owner) > 0, err
}

// batchSize returns how many items of an owner may be leased now; see pausedOwners.
func (q *Queue[T]) batchSize(owner laurel.ID) int {
	return q.paused.batchSize(owner, q.DB.Now(), q.Batch)
}

// processBatch leases up to limit due items of an owner, or of anyone if owner is zero, works on them, and returns how
// many there were.
func (q *Queue[T]) processBatch(ctx context.Context, owner laurel.ID, limit int) (int, error) {
	var items []*Item[T]
	if err := q.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		items, err = q.leaseDue(ctx, tx, owner, limit)
		return err
	}); err != nil || len(items) == 0 {
		return 0, err
	}
	q.taken.Add(int64(len(items)))
	return len(items), q.processItems(ctx, owner, items)
}

// Process works on items that the caller has leased, as the queue does with due ones.
func (q *Queue[T]) Process(ctx context.Context, items []*Item[T]) error {
	return q.processItems(ctx, laurel.ID{}, items)
}

// processItems works on leased items, q.Concurrency at once. They all belong to the owner unless that is zero. If Do
// returns ErrPause for one of them, it pauses the owner; otherwise it ends a pause.
func (q *Queue[T]) processItems(ctx context.Context, owner laurel.ID, items []*Item[T]) error {
	concurrency := q.Concurrency
	if concurrency == 0 {
		concurrency = q.Batch
	}
	var mustPause atomic.Bool
	err := ForEach(items, concurrency, func(h *Item[T]) error {
		err := q.process(ctx, h)
		if errors.Is(err, ErrPause) {
			mustPause.Store(true)
			return nil
		}
		return err
	})
	switch {
	case err != nil: // it says nothing about the owner
	case !mustPause.Load():
		q.paused.resume(owner)
	case q.paused.pause(owner, q.DB.Now().Add(q.Fairness.Pause)):
		q.Loop.Log.Warn(
			"the owner of queued items is paused until an attempt succeeds again",
			slog.String("queue", q.Name),
			slog.String("owner", owner.String()),
		)
	}
	return err
}

// process works on one item. After a fault it logs the fault and reschedules the item, or abandons it after the last
// try. If the node stops, the item is due again at once. Errors: those of the queue's own transactions, and ErrPause.
func (q *Queue[T]) process(ctx context.Context, h *Item[T]) error {
	cleanup := context.WithoutCancel(ctx) // a node that stops still gives its items back
	if q.Tries > 0 && h.Attempts > q.Tries {
		return q.abandon(cleanup, h) // each node that tried died while it worked on the item
	}
	err := q.attempt(ctx, h)
	switch {
	case err == nil, errors.Is(err, ErrLost):
		return nil
	case errors.Is(err, ErrPause):
		return err
	case ctx.Err() != nil && !errors.Is(err, panics.ErrCaught):
		return ignoreLost(h.Reschedule(cleanup, q.DB.Now(), nil))
	}
	q.failed.Add(1)
	attrs := []slog.Attr{slog.String("queue", q.Name), slog.String("item", h.Key.String()), slog.Any("error", err)}
	if h.Attempts > 0 {
		attrs = append(attrs, slog.Int64("attempt", h.Attempts))
	}
	//nolint:sloglint // each queue has a text of its own, which never changes
	q.Loop.Log.LogAttrs(ctx, LogLevel(err, slog.LevelWarn), q.Fault, attrs...)
	if q.Tries > 0 && h.Attempts >= q.Tries {
		return q.abandon(cleanup, h)
	}
	return ignoreLost(h.write(cleanup, true /* isLast */, func(now time.Time) time.Time {
		if q.OnFault != nil {
			return now.Add(q.OnFault(h, err, now))
		}
		return now.Add(q.backoff(h.Attempts))
	}, nil))
}

// backoff returns the pause after a failed attempt.
func (q *Queue[T]) backoff(attempt int64) time.Duration {
	return q.Backoff[min(int(max(attempt, 1)), len(q.Backoff))-1]
}

// abandon ends an item after too many failed attempts, and counts it.
func (q *Queue[T]) abandon(ctx context.Context, h *Item[T]) error {
	q.abandoned.Add(1)
	return ignoreLost(h.Finish(ctx, func(tx *store.Tx) error { return q.Abandon(ctx, tx, h) }))
}

// ignoreLost returns nil for ErrLost, which needs no handling: another node has the item.
func ignoreLost(err error) error {
	if errors.Is(err, ErrLost) {
		return nil
	}
	return err
}

// attempt calls Do for an item, and renews the lease every RenewEvery while Do runs. If a renewal finds that another
// node has the item, attempt cancels Do's context and returns ErrLost.
func (q *Queue[T]) attempt(ctx context.Context, h *Item[T]) error {
	if q.RenewEvery == 0 {
		return panics.Safely(func() error { return q.Do(ctx, h) })
	}
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		loop := Loop{Every: q.RenewEvery, DelayFirst: true, Log: q.Loop.Log, Fault: "a lease could not be renewed; it is tried again"}
		loop.RunEach(working, func(ctx context.Context) error {
			err := h.renew(ctx)
			if errors.Is(err, ErrLost) {
				stop(ErrLost)
			}
			return ignoreLost(err)
		})
	})
	err := panics.Safely(func() error { return q.Do(working, h) })
	stop(nil)
	renewing.Wait()
	if errors.Is(context.Cause(working), ErrLost) {
		return ErrLost
	}
	return err
}
