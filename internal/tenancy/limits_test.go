package tenancy_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

func TestLimitHoldsForManyCallersOnTwoNodes(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newClock()
		nodes := []node{newNode(t, address, c.now), newNode(t, address, c.now)}
		var allowed, refusals atomic.Int64
		left := make([]atomic.Int64, 8)
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				a, err := nodes[i%2].Allow(t.Context(), "complete:u", 7, time.Minute)
				switch {
				case err != nil:
					t.Error(err)
				case a.OK:
					allowed.Add(1)
					left[a.Remaining].Add(1)
				default:
					refusals.Add(1)
				}
			})
		}
		wg.Wait()
		if allowed.Load() != 7 || refusals.Load() != 43 {
			t.Fatalf("%d allowed, %d refused", allowed.Load(), refusals.Load())
		}
		for i := range 7 {
			if left[i].Load() != 1 {
				t.Fatalf("%d remaining was answered %d times", i, left[i].Load())
			}
		}
	})
}

func TestWindowsAndNamesCountApart(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newClock()
		c.move(10 * time.Second)
		n := newNode(t, address, c.now)
		allow := func(name string, limit int, want bool, remaining int, reset time.Duration) {
			t.Helper()
			a, err := n.Allow(t.Context(), name, limit, time.Minute)
			if err != nil || a.OK != want || a.Remaining != remaining || a.Reset != reset || a.Limit != limit {
				t.Fatalf("%+v, %v", a, err)
			}
		}
		allow("a", 2, true, 1, 50*time.Second)
		allow("a", 2, true, 0, 50*time.Second)
		c.move(49 * time.Second)
		allow("a", 2, false, 0, time.Second)
		allow("b", 2, true, 1, time.Second)
		allow("a", 3, true, 0, time.Second) // refused uses were not counted
		c.move(time.Second)
		allow("a", 2, true, 1, time.Minute)
		if a, err := n.Allow(t.Context(), "a", 0, time.Minute); err != nil || !a.OK {
			t.Fatalf("a limit of 0 is off: %+v, %v", a, err)
		}
		for _, window := range []time.Duration{0, -time.Second, 25 * time.Hour} {
			if _, err := n.Allow(t.Context(), "a", 1, window); err == nil {
				t.Fatalf("a window of %s", window)
			}
		}
	})
}

func TestOldCountersAreForgotten(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newClock()
		n := newNode(t, address, c.now)
		err := n.db.InTx(t.Context(), func(tx *store.Tx) error {
			rows := make([][]any, 2500)
			for i := range rows {
				rows[i] = []any{fmt.Sprint("old", i), store.Micros(tx.Now()), 1}
			}
			_, err := tx.InsertRows(
				t.Context(),
				store.Insert{Table: "rate_counters", Columns: store.Columns("name text, window_start bigint, used bigint")},
				rows,
			)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		c.move(24*time.Hour + time.Minute)
		if _, err := n.Allow(t.Context(), "new", 1, 24*time.Hour); err != nil {
			t.Fatal(err)
		}
		if err := n.DeleteOldCounters(t.Context()); err != nil {
			t.Fatal(err)
		}
		var names []string
		if err := n.db.Select(
			t.Context(),
			&names,
			"SELECT name FROM rate_counters",
		); err != nil || len(names) != 1 ||
			names[0] != "new" {
			t.Fatalf("left: %d, %v", len(names), err)
		}
		if a, err := n.Allow(t.Context(), "new", 1, 24*time.Hour); err != nil || a.OK {
			t.Fatalf("the live window was forgotten: %+v, %v", a, err)
		}
	})
}
