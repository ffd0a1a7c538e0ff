package worker

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"laurel"
	"laurel/internal/panics"
	"laurel/internal/store"
)

// Queue works on the items of a table that are due. Any number of nodes may run it. A queue that finds nothing due
// writes nothing. It must not be copied.
type Queue[T any] struct {
	*Items[T]
	Name   string        // in metrics and in the log
	Loop   Loop          // when it is looked for what is due; its log tells of faults of items, too
	Fault  string        // what the log says of an item that failed
	Renew  time.Duration // how often the lease of an item is renewed while Do works on it; 0: never
	Batch  int           // items that are taken at once
	AtOnce int           // of these, items that are worked on side by side; 0: all
	Crowd  Crowd
	// Backoff holds the pauses after failed attempts, of which the last is repeated; Tries is after how many an item is
	// given up, 0: never. Both go by Leased.Attempts.
	Backoff []time.Duration
	Tries   int64
	// Do works on an item and writes what becomes of it: by Item.PutOff, Item.End, or in a transaction of its own. An
	// error is a fault: the item is put off or given up. After ErrLost nothing is written; before ErrPause, Do has put the
	// item off.
	Do func(ctx context.Context, h *Item[T]) error
	// Failed changes an item by a fault and returns when it is tried again; nil: as Backoff says.
	Failed func(h *Item[T], fault error, now time.Time) time.Duration
	// GaveUp ends an item that is tried no more, in a transaction that holds it. It is needed with Tries.
	GaveUp func(ctx context.Context, tx *store.Tx, h *Item[T]) error

	once    sync.Once
	serving *Rota
	resting resting
}

// Crowd says how the owners of items (Leased.Of) are served side by side, so that a slow one delays no other.
type Crowd struct {
	Owners int           // that are served at once; Shares parts them among tenants
	Looks  int           // at owners, per round
	Turn   time.Duration // as Rota has it
	Rest   time.Duration // for how long an owner is left alone after ErrPause; then a single item finds out
}

var (
	// ErrLost tells that an item is not this node's any more: its lease was over, or it has ended.
	ErrLost = errors.New("worker: the item has another owner")
	// ErrPause tells that nothing else of the item's owner is worth trying for now.
	ErrPause = errors.New("worker: the owner is left alone for a while")
)

// Run works on what is due until ctx ends.
func (q *Queue[T]) Run(ctx context.Context) {
	if q.Table.Of != "" {
		q.rota().Run(ctx)
		return
	}
	q.Loop.Run(ctx, func(ctx context.Context) (more bool, err error) {
		n, err := q.Once(ctx)
		return n == q.Batch, err
	})
}

// Once works on one batch of what is due now, of one owner where there are several, and returns how many items it took.
// An item that fails is no error of Once.
func (q *Queue[T]) Once(ctx context.Context) (int, error) {
	owner, some, err := q.Table.first(ctx, q.DB)
	if err != nil || !some {
		return 0, err
	}
	return q.batch(ctx, owner, q.Batch)
}

// Round works on what is due now, in batches of one owner each, as the owners' shares allow.
func (q *Queue[T]) Round(ctx context.Context) error { return q.rota().Once(ctx) }

// Waits reports whether something is due.
func (q *Queue[T]) Waits(ctx context.Context) (bool, error) {
	_, some, err := q.Table.first(ctx, q.DB)
	return some, err
}

func (q *Queue[T]) rota() *Rota {
	q.once.Do(func() {
		q.serving = &Rota{
			Loop:  q.Loop,
			Crowd: q.Crowd.Owners,
			Looks: q.Crowd.Looks,
			Turn:  q.Crowd.Turn,
			Now:   q.DB.Now,
			Any:   q.Waits,
			Next: func(ctx context.Context, after laurel.ID) (Owner, bool, error) {
				owner, due, err := q.Table.next(ctx, q.DB, after)
				return owner, due && q.size(owner.ID) > 0, err
			},
			Share: q.share,
		}
	})
	return q.serving
}

// share works on a batch of an owner, and reports whether more may be due.
func (q *Queue[T]) share(ctx context.Context, owner laurel.ID) (more bool, err error) {
	size := q.size(owner)
	if size == 0 {
		return false, nil
	}
	n, err := q.batch(ctx, owner, size)
	return n == size && q.size(owner) > 0, err
}

// size is how many items of an owner may be taken now.
func (q *Queue[T]) size(owner laurel.ID) int { return q.resting.size(owner, q.DB.Now(), q.Batch) }

// batch takes items and works on them.
func (q *Queue[T]) batch(ctx context.Context, owner laurel.ID, most int) (int, error) {
	var held []*Item[T]
	if err := q.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		held, err = q.take(ctx, tx, owner, most)
		return err
	}); err != nil || len(held) == 0 {
		return 0, err
	}
	q.taken.Add(int64(len(held)))
	return len(held), q.serve(ctx, owner, held)
}

// Work works on items that this node holds.
func (q *Queue[T]) Work(ctx context.Context, held []*Item[T]) error {
	return q.serve(ctx, laurel.ID{}, held)
}

// serve works on items of an owner, or of any where it is zero.
func (q *Queue[T]) serve(ctx context.Context, owner laurel.ID, held []*Item[T]) error {
	atOnce := q.AtOnce
	if atOnce == 0 {
		atOnce = q.Batch
	}
	var pause atomic.Bool
	err := Together(held, atOnce, func(h *Item[T]) error {
		err := q.do(ctx, h)
		if errors.Is(err, ErrPause) {
			pause.Store(true)
			return nil
		}
		return err
	})
	switch {
	case err != nil:
	case !pause.Load():
		q.resting.end(owner)
	case q.resting.begin(owner, q.DB.Now().Add(q.Crowd.Rest)):
		q.Loop.Log.Warn(
			"an owner of queued items is left alone until a call comes through again",
			slog.String("queue", q.Name),
			slog.String("of", owner.String()),
		)
	}
	return err
}

// do works on an item, and puts it off or gives it up where that fails.
func (q *Queue[T]) do(ctx context.Context, h *Item[T]) error {
	back := context.WithoutCancel(ctx) // a node that stops lets others go on at once
	if q.Tries > 0 && h.Attempts > q.Tries {
		return q.giveUp(back, h) // the nodes that took it died over it
	}
	err := q.attempt(ctx, h)
	switch {
	case err == nil, errors.Is(err, ErrLost):
		return nil
	case errors.Is(err, ErrPause):
		return err
	case ctx.Err() != nil && !errors.Is(err, panics.ErrCaught):
		return unlessLost(h.PutOff(back, q.DB.Now(), nil))
	}
	q.failed.Add(1)
	attrs := []slog.Attr{slog.String("queue", q.Name), slog.String("item", h.Key.String()), slog.Any("error", err)}
	if h.Attempts > 0 {
		attrs = append(attrs, slog.Int64("attempt", h.Attempts))
	}
	//nolint:sloglint // each queue has a text of its own, which never changes
	q.Loop.Log.LogAttrs(ctx, Level(err, slog.LevelWarn), q.Fault, attrs...)
	if q.Tries > 0 && h.Attempts >= q.Tries {
		return q.giveUp(back, h)
	}
	return unlessLost(h.write(back, true, func(now time.Time) time.Time {
		if q.Failed != nil {
			return now.Add(q.Failed(h, err, now))
		}
		return now.Add(q.pause(h.Attempts))
	}, nil))
}

// pause is the pause after an attempt.
func (q *Queue[T]) pause(attempt int64) time.Duration {
	return q.Backoff[min(int(max(attempt, 1)), len(q.Backoff))-1]
}

func (q *Queue[T]) giveUp(ctx context.Context, h *Item[T]) error {
	q.gaveUp.Add(1)
	return unlessLost(h.End(ctx, func(tx *store.Tx) error { return q.GaveUp(ctx, tx, h) }))
}

func unlessLost(err error) error {
	if errors.Is(err, ErrLost) {
		return nil
	}
	return err
}

// attempt carries Do out and renews the lease meanwhile. Where that shows that the item is lost, Do's context ends.
func (q *Queue[T]) attempt(ctx context.Context, h *Item[T]) error {
	if q.Renew == 0 {
		return panics.Safely(func() error { return q.Do(ctx, h) })
	}
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var keeping sync.WaitGroup
	keeping.Go(func() {
		loop := Loop{Every: q.Renew, Later: true, Log: q.Loop.Log, Fault: "a lease could not be renewed; it is tried again"}
		loop.Each(working, func(ctx context.Context) error {
			err := h.renew(ctx)
			if errors.Is(err, ErrLost) {
				stop(ErrLost)
			}
			return unlessLost(err)
		})
	})
	err := panics.Safely(func() error { return q.Do(working, h) })
	stop(nil)
	keeping.Wait()
	if errors.Is(context.Cause(working), ErrLost) {
		return ErrLost
	}
	return err
}
