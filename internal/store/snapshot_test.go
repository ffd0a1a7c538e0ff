package store_test

import (
	"context"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
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
		noRead := func(store.Queryer) error { return nil }
		for i := range 60 {
			at := i%20 + 1
			ctx, cancel := context.WithCancel(context.Background())
			_ = db.Snapshot(&ending{Context: ctx, end: cancel, at: int64(at)}, noRead)
			cancel()
			var isolation string // of the connection that was given back
			if db.Engine() == store.Postgres {
				must(t, db.Get(context.Background(), &isolation, "SELECT current_setting('transaction_isolation')"))
			}
			if err := db.Snapshot(context.Background(), noRead); err != nil || isolation == "repeatable read" {
				t.Fatalf("after a context that ended when asked %d times: %v, %s", at, err, isolation)
			}
		}
	})
}

func TestASnapshotOutlastsTheLimitsOfItsConnection(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		if u, err := url.Parse(address); err == nil && strings.HasPrefix(address, "postgres") {
			q := u.Query()
			q.Set("statement_timeout", "500")
			q.Set("idle_in_transaction_session_timeout", "500")
			u.RawQuery = q.Encode()
			address = u.String()
		}
		db, err := store.Open(context.Background(), store.Options{URL: address})
		must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		slow, limits := "SELECT COUNT(*)", "SELECT ''"
		if db.Engine() == store.Postgres {
			slow = "SELECT COUNT(*) FROM (SELECT pg_sleep(1)) s"
			limits = "SELECT string_agg(setting, ' ' ORDER BY name) FROM pg_settings WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout')"
		}
		var within, after string
		err = db.Snapshot(context.Background(), func(q store.Queryer) error {
			time.Sleep(time.Second) // what verification does between two statements
			var n int
			if err := q.Get(context.Background(), &n, slow); err != nil {
				return err
			}
			return q.Get(context.Background(), &within, limits)
		})
		must(t, err)
		must(t, db.Get(context.Background(), &after, limits))
		if db.Engine() == store.Postgres && (within != "3600000 0" || after != "500 500") {
			t.Errorf("limits %s within and %s after", within, after)
		}
	})
}
