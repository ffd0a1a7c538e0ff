package worker

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Items leases rows of a table to this node. A row is leased to one node at a time, and a node whose lease has ended
// cannot write. A Queue works on the rows that are due. Code that works on a row outside the queue leases it from the
// queue's Items, so that the metrics count it. Items must not be copied.
type Items[T any] struct {
	DB    *store.DB
	Table QueueTable
	// LeaseTime is the length of a lease; after it, another node may take the item. Work on an item must end within it or
	// call Item.Extend; a queue may renew leases (Queue.RenewEvery).
	LeaseTime time.Duration
	// OnLease runs in the transaction that leases an item; it may be nil.
	OnLease func(ctx context.Context, tx *store.Tx, h *Item[T]) error
	// Save writes what Queue.Do and Queue.OnFault have changed in a row, except the columns of the lease; it may be nil.
	Save func(ctx context.Context, tx *store.Tx, row *T) error

	counts
}

// LeaseByKey leases one item for a caller that does not wait for the queue. It returns nil if another caller or node
// has leased the item, if it is finished, or if it is not due yet; with ignoreDelay it also leases an item that is not
// due yet.
func (s *Items[T]) LeaseByKey(ctx context.Context, key laurel.ID, ignoreDelay bool) (*Item[T], error) {
	var h *Item[T]
	err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		h, err = s.leaseByKey(ctx, tx, key, ignoreDelay)
		return err
	})
	if err == nil && h != nil {
		s.taken.Add(1)
	}
	return h, err
}

// Adopt returns the item of a row that the caller has just inserted as leased until the given time, to work on it at
// once. The table must have no columns for attempts and lease ids.
func (s *Items[T]) Adopt(key laurel.ID, until time.Time, row T) *Item[T] {
	return s.item(key, row, until)
}

// Prune deletes the items whose QueueTable.Finished says so, a chunk per transaction.
func (s *Items[T]) Prune(ctx context.Context) error { return s.Table.prune(ctx, s.DB) }
