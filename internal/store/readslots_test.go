package store_test

import (
	"context"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

const endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n WHERE i < 0"

func TestLongReadsEndAtTheirLimit(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var got int64
		var list []int64
		ctx := t.Context()
		for name, read := range map[string]func(q store.Queryer) error{
			"get":    func(q store.Queryer) error { return q.Get(ctx, &got, endless) },
			"select": func(q store.Queryer) error { return q.Select(ctx, &list, endless) },
			"the second of two": func(q store.Queryer) error {
				time.Sleep(120 * time.Millisecond)
				return q.Get(ctx, &got, "SELECT 7")
			},
		} {
			if err := db.LongRead(
				ctx,
				100*time.Millisecond,
				read,
			); !store.TookTooLong(err) ||
				laurel.CodeOf(err) != laurel.Unavailable {
				t.Errorf("%s: %v", name, err)
			}
		}
		long := func(ctx context.Context, query string) error {
			return db.LongRead(context.Background(), time.Minute, func(q store.Queryer) error { return q.Get(ctx, &got, query) })
		}
		if err := long(ctx, "SELECT 7"); err != nil || got != 7 {
			t.Errorf("%d, %v", got, err)
		}
		if err := long(ctx, "SELECT 7 WHERE 1 = 0"); !store.IsNoRows(err) || store.TookTooLong(err) {
			t.Errorf("no rows: %v", err)
		}
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if err := long(gone, "SELECT 7"); err == nil || store.TookTooLong(err) {
			t.Errorf("a caller that is gone: %v", err)
		}
	})
}

func TestLongReadsAndListsLeaveConnectionsToOthers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		const readers = 32 // of each kind, more than a node has connections
		ended := make(chan error, 2*readers)
		for range readers {
			var n int
			go func() {
				ended <- db.LongRead(ctx, time.Minute, func(q store.Queryer) error { return q.Get(ctx, &n, endless) })
			}()
			go func() {
				var n int
				ended <- db.Get(store.WithListReads(ctx), &n, endless)
			}()
		}
		first := <-ended // who waited for long enough: all places are taken
		if laurel.CodeOf(first) != laurel.Unavailable || store.TookTooLong(first) {
			t.Errorf("a read too many: %v", first)
		}
		var n int
		within, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		if err := db.Get(within, &n, "SELECT COUNT(*) FROM settings"); err != nil {
			t.Errorf("a read beside them: %v", err)
		}
	})
}
