package reader

import (
	"cmp"
	"context"
	"errors"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/store"
)

// watched returns what is watched on the network, by any of the Watches, and notes whose each watch is.
func (f *follower) watched(ctx context.Context) (list []Watch, err error) {
	owners := map[laurel.ID]Watches{}
	for _, one := range f.Watches {
		some, err := one.Watched(ctx, f.DB, f.network.ChainID)
		if err != nil {
			return nil, err
		}
		for _, w := range some {
			owners[w.ID] = one
		}
		list = append(list, some...)
	}
	f.owners = owners
	return list, nil
}

// move is Watches.Move, of each watch to its owner.
func (f *follower) move(ctx context.Context, tx *store.Tx, head int64, watches ...Watch) error {
	return forOwners(f, watches, func(w Watch) laurel.ID { return w.ID }, func(owner Watches, own []Watch) error {
		return owner.Move(ctx, tx, head, own...)
	})
}

// forOwners calls each of the Watches with the items of its own watches, unless there are none.
func forOwners[T any](
	f *follower, items []T, watchOf func(T) laurel.ID, call func(owner Watches, own []T) error,
) error {
	for _, owner := range f.Watches {
		var own []T
		for _, item := range items {
			if f.owners[watchOf(item)] == owner {
				own = append(own, item)
			}
		}
		if len(own) == 0 {
			continue
		}
		if err := call(owner, own); err != nil {
			return err
		}
	}
	return nil
}

// pass is Watches.Publish, of each event to the owner of its watch.
func (f *follower) pass(ctx context.Context, tx *store.Tx, events ...Event) error {
	return forOwners(f, events, func(e Event) laurel.ID { return e.WatchID }, func(owner Watches, own []Event) error {
		return owner.Publish(ctx, tx, own...)
	})
}

// setFirst sets the first block of a watch that is new.
func (f *follower) setFirst(ctx context.Context, w *Watch, head int64) error {
	switch {
	case !w.Since.IsZero():
		newest, err := f.client.HeaderByNumber(ctx, uint64(head)) //nolint:gosec // not negative
		if err != nil {
			return err
		}
		last, err := f.client.LastBlockAt(ctx, newest, w.Since.Add(-time.Second))
		switch {
		case errors.Is(err, node.ErrTooEarly):
			w.From = 0
		case err != nil:
			return err
		default:
			w.From = int64(last.Number) + 1 //nolint:gosec // heights have 63 bits
		}
	case w.From == NewestBlock:
		w.From = head
	}
	return nil
}

// nextPast returns a watch that has a past: of the next website that has one, so that websites have turns.
func (f *follower) nextPast(list []*matcher) *matcher {
	var next, lowest *matcher
	for _, m := range list {
		if !m.isReading() {
			continue
		}
		if lowest == nil || m.WebsiteID.Compare(lowest.WebsiteID) < 0 {
			lowest = m
		}
		if m.WebsiteID.Compare(f.lastPast) > 0 && (next == nil || m.WebsiteID.Compare(next.WebsiteID) < 0) {
			next = m
		}
	}
	return cmp.Or(next, lowest)
}
