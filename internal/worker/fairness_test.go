package worker_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

func TestOwnersAreServedSideBySide(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		for range 20 {
			h.add(1, 0)
		}
		quick := h.add(2, 0)
		release, done := make(chan struct{}), make(chan struct{})
		q := h.node(func(ctx context.Context, i *held) error {
			if i.Key == quick {
				defer close(done)
			} else {
				<-release
			}
			return end(ctx, i)
		})
		q.Table.OwnerColumn = "of_id"
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { q.Run(ctx) })
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Error("a slow owner delays another")
		}
		close(release)
		for waits := true; waits; time.Sleep(time.Millisecond) {
			var err error
			if waits, err = q.HasDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		stop()
		running.Wait()
	})
}

func TestAGroupOfOwnersLeavesPlacesToOthers(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		for of := byte(1); of <= 11; of += 2 { // owners of one group
			h.add(of, 0)
		}
		other := h.add(12, 0)
		release, done := make(chan struct{}), make(chan struct{})
		var slow atomic.Int64
		q := h.node(func(ctx context.Context, i *held) error {
			if i.Key == other {
				close(done)
			} else {
				slow.Add(1)
				<-release
			}
			return end(ctx, i)
		})
		q.Table.OwnerColumn, q.Fairness.MaxOwners = "of_id", 4
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { q.Run(ctx) })
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Error("a group takes all places")
		}
		if n := slow.Load(); n > 2 {
			t.Errorf("%d owners of a group are served", n)
		}
		stop()
		close(release)
		running.Wait()
	})
}

func TestAnOwnerIsLeftAloneAndASingleItemFindsOut(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		for range 10 {
			h.add(1, 0)
		}
		h.add(2, 0)
		down, calls := true, 0
		q := h.node(func(ctx context.Context, i *held) error {
			if i.Row.Of == (laurel.ID{15: 2}) {
				return end(ctx, i)
			}
			calls++
			if !down {
				return end(ctx, i)
			}
			return errors.Join(i.Reschedule(ctx, h.db.Now().Add(time.Minute), nil), worker.ErrPause)
		})
		q.Table.OwnerColumn, q.Concurrency, q.Fairness.Pause = "of_id", 1, time.Minute
		round := func(want int) {
			t.Helper()
			calls = 0
			if err := q.RunRound(t.Context()); err != nil || calls != want {
				t.Errorf("%d calls, not %d: %v", calls, want, err)
			}
		}
		round(4)
		round(0)
		h.wait(time.Minute)
		round(1)
		round(0)
		down = false
		h.wait(time.Minute)
		round(1)
		round(4)
		if lines := h.events.lines(); len(lines) != 1 || !strings.Contains(lines[0], "is paused until") {
			t.Errorf("logged %q", lines)
		}
	})
}

func TestOneItemOfASeriesIsHeldAtATime(t *testing.T) {
	t.Parallel()
	for name, series := range map[string]worker.Series{"in order": {Column: "of_id", Order: "place"}, "any": {Column: "of_id"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachHouse(t, func(t *testing.T, h *house) {
				for place := range int64(12) {
					h.add(byte(place%3+1), 12-place)
				}
				var mu sync.Mutex
				at, last, n := map[laurel.ID]int{}, map[laurel.ID]int64{}, 0
				node := func() *queue {
					q := h.node(func(ctx context.Context, i *held) error {
						mu.Lock()
						at[i.Row.Of]++
						n++
						if at[i.Row.Of] > 1 {
							t.Error("two items of a series")
						}
						if series.Order != "" && i.Row.Place < last[i.Row.Of] {
							t.Error("out of order")
						}
						last[i.Row.Of] = i.Row.Place
						mu.Unlock()
						time.Sleep(2 * time.Millisecond)
						mu.Lock()
						at[i.Row.Of]--
						mu.Unlock()
						return end(ctx, i)
					})
					q.Table.Series, q.Table.OwnerColumn, q.Batch = series, "of_id", 1
					q.OnLease = func(ctx context.Context, tx *store.Tx, i *held) error {
						_, err := tx.Exec(ctx, "UPDATE items SET state = 'held' WHERE id = ?", i.Key)
						return err
					}
					return q
				}
				var nodes sync.WaitGroup
				for range 3 {
					q := node()
					nodes.Go(func() {
						for waits := true; waits; {
							err := q.RunRound(t.Context())
							if err == nil {
								waits, err = q.HasDue(t.Context())
							}
							if err != nil {
								t.Error(err)
								return
							}
						}
					})
				}
				nodes.Wait()
				if err := node().RunRound(t.Context()); err != nil || n != 12 {
					t.Errorf("%d items: %v", n, err)
				}
			})
		})
	}
}
