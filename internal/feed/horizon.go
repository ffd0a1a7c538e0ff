package feed

import (
	"context"
	"time"

	"laurel/internal/store"
)

// horizon finds up to which number the feed is final: every row at or below it is visible, and none can appear there
// any more. On SQLite that is every row. On PostgreSQL numbers commit out of order, so a reader waits at a fence
// (docs/decisions/0003-change-feed-cursor.md). One horizon serves all consumers of a Feed.
type horizon struct {
	db    *store.DB
	turn  chan struct{} // holds one token while somebody advances; a channel, so that waiting ends with the context
	final int64
	fence *fence // nil when nothing is waited for
}

// fence waits for every transaction that may own a number up to last: they all have transaction ids below xid, because
// each took its id before its number, and xid was taken after last was read.
type fence struct {
	last  int64
	xid   int64
	drawn time.Time
}

// view is what is known of the horizon at one moment.
type view struct {
	final   int64
	waiting bool          // changes beyond final exist or may come
	age     time.Duration // for how long the fence has been closed
}

func newHorizon(db *store.DB) *horizon {
	return &horizon{db: db, turn: make(chan struct{}, 1)}
}

// advance moves the horizon as far as it goes without waiting. A fence that stays closed is kept and asked again by the
// next call: a newer one could stay behind the newest writers for ever.
func (h *horizon) advance(ctx context.Context) (view, error) {
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return view{}, ctx.Err()
	}
	if h.db.Engine() == store.SQLite {
		last, err := lastNumber(ctx, h.db)
		return view{final: last}, err
	}
	if h.fence != nil {
		open, err := fenceOpen(ctx, h.db, h.fence.xid)
		if err != nil || !open {
			return h.view(), err
		}
		h.final, h.fence = h.fence.last, nil
	}
	return h.next(ctx)
}

// next draws a fence behind the numbers given out by now. The two statements must stay two, in this order.
func (h *horizon) next(ctx context.Context) (view, error) {
	last, err := lastNumber(ctx, h.db)
	if err != nil || last <= h.final {
		return h.view(), err
	}
	xid, open, err := drawFence(ctx, h.db)
	if err != nil {
		return h.view(), err
	}
	if open {
		h.final = last
	} else {
		h.fence = &fence{last: last, xid: xid, drawn: h.db.Now()}
	}
	return h.view(), nil
}

func (h *horizon) view() view {
	if h.fence == nil {
		return view{final: h.final}
	}
	return view{final: h.final, waiting: true, age: h.db.Now().Sub(h.fence.drawn)}
}
