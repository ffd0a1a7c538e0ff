package worker

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Items are the rows of a table as this node leases them: an item is leased to one node at a time, and a write of a
// node whose lease is over is refused. A Queue works on those that are due. Whoever works on an item without the queue
// takes it from the queue's Items, so that the metrics count it. Items must not be copied.
type Items[T any] struct {
	DB    *store.DB
	Table Leased
	// Lease is for how long an item is this node's; after that, another node takes it. Whoever works on it ends within
	// it or keeps it by Item.Keep; a queue may renew it (Queue.Renew).
	Lease time.Duration
	// Taken may read and write more in the transaction that takes an item; nil: nothing.
	Taken func(ctx context.Context, tx *store.Tx, h *Item[T]) error
	// Save writes what Queue.Do and Queue.Failed change of a row, without the columns of the lease; nil: nothing.
	Save func(ctx context.Context, tx *store.Tx, row *T) error

	counts
}

// Take leases an item by its key for a caller that does not wait for the queue; nil where another has it or it is over.
// atOnce takes an item, too, that was put off and that nobody holds.
func (s *Items[T]) Take(ctx context.Context, key laurel.ID, atOnce bool) (*Item[T], error) {
	var h *Item[T]
	err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		h, err = s.takeOne(ctx, tx, key, atOnce)
		return err
	})
	if err == nil && h != nil {
		s.taken.Add(1)
	}
	return h, err
}

// Adopt returns an item that was written with a lease by whoever works on it at once. The table counts no attempts and
// names no leases.
func (s *Items[T]) Adopt(key laurel.ID, until time.Time, row T) *Item[T] {
	return s.item(key, row, until)
}

// Prune removes items that have been over for long enough, a chunk per transaction.
func (s *Items[T]) Prune(ctx context.Context) error { return s.Table.prune(ctx, s.DB) }
