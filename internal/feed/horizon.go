package feed

import (
	"context"
	"time"

	"laurel.example/laurel/internal/store"
)

// horizon finds up to which row number the feed is final: all rows up to there are visible, and no more can appear. On
// SQLite that is every row. On PostgreSQL transactions with lower numbers may commit later, so a reader waits at a
// fence (docs/decisions/0003-change-feed-cursor.md). One horizon serves all consumers of a Feed.
type horizon struct {
	db    *store.DB
	slot  chan struct{} // a mutex as a channel, so that waiting for it ends with the context
	final int64
	fence *fence // nil if all known rows are final
}

// fence waits for every transaction that may own a number up to last. They all have transaction ids below xid, because
// each took its id before its number, and xid was taken after last was read.
type fence struct {
	last    int64
	xid     int64
	takenAt time.Time
}

// horizonState is the state of the horizon at one moment.
type horizonState struct {
	final     int64
	isBlocked bool          // changes after final exist or may appear
	age       time.Duration // how long the fence has been closed
}

func newHorizon(db *store.DB) *horizon {
	return &horizon{db: db, slot: make(chan struct{}, 1)}
}

// advance finds out, without waiting for writers, up to which row the feed is final: no row can appear there any more.
// It returns that state. While the transactions that an earlier call set a fence for are open, the fence stays and the
// next call checks it again. A newer fence in each call could stay closed forever, as there are always newer writers.
func (h *horizon) advance(ctx context.Context) (horizonState, error) {
	select {
	case h.slot <- struct{}{}:
		defer func() { <-h.slot }()
	case <-ctx.Done():
		return horizonState{}, ctx.Err()
	}
	if h.db.Engine() == store.SQLite {
		last, err := lastRowNumber(ctx, h.db)
		return horizonState{final: last}, err
	}
	if h.fence != nil {
		isOpen, err := isFenceOpen(ctx, h.db, h.fence.xid)
		if err != nil || !isOpen {
			return h.state(), err
		}
		h.final, h.fence = h.fence.last, nil
	}
	return h.tryAdvance(ctx)
}

// tryAdvance makes all rows up to the newest number final if no transaction that may own one of the numbers is open.
// Otherwise it sets a fence: the newest number becomes final once all transactions have ended that are open now. It
// must read the newest number before it takes the fence's transaction id, which is then above those of all owners.
func (h *horizon) tryAdvance(ctx context.Context) (horizonState, error) {
	last, err := lastRowNumber(ctx, h.db)
	if err != nil || last <= h.final {
		return h.state(), err
	}
	xid, isOpen, err := takeFence(ctx, h.db)
	if err != nil {
		return h.state(), err
	}
	if isOpen {
		h.final = last
	} else {
		h.fence = &fence{last: last, xid: xid, takenAt: h.db.Now()}
	}
	return h.state(), nil
}

// state returns the present state of the horizon.
func (h *horizon) state() horizonState {
	if h.fence == nil {
		return horizonState{final: h.final}
	}
	return horizonState{final: h.final, isBlocked: true, age: h.db.Now().Sub(h.fence.takenAt)}
}
