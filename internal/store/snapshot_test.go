package store_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/store"
	"laurel/internal/storetest"
)

// ending is a context that ends when it is asked for its end the given time, and so at any place inside a call.
type ending struct {
	context.Context
	end   context.CancelFunc
	at    int64
	asked atomic.Int64
}

func (c *ending) Done() <-chan struct{} {
	if c.asked.Add(1) == c.at {
		c.end()
		time.Sleep(time.Millisecond) // those who watch the end see it before the call goes on
	}
	return c.Context.Done()
}

func TestASnapshotWhoseContextEndsLeavesNoTransactionBehind(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		nothing := func(store.Queryer) error { return nil }
		for i := range 60 {
			at := i%20 + 1
			ctx, cancel := context.WithCancel(context.Background())
			_ = db.Snapshot(&ending{Context: ctx, end: cancel, at: int64(at)}, nothing)
			cancel()
			var isolation string // of the connection that was given back
			if db.Engine() == store.Postgres {
				must(t, db.Get(context.Background(), &isolation, "SELECT current_setting('transaction_isolation')"))
			}
			if err := db.Snapshot(context.Background(), nothing); err != nil || isolation == "repeatable read" {
				t.Fatalf("after a context that ended when asked %d times: %v, %s", at, err, isolation)
			}
		}
	})
}
