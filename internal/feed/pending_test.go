package feed_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/wait"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

func TestAConsumerThatIsRegisteredKeepsChangesBeforeItRuns(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		ctx := context.Background()
		for range 2 { // the second time changes nothing
			if err := n.feed.Register(ctx, "late"); err != nil {
				t.Fatal(err)
			}
			n.record(t, 2)
		}
		if removed, err := n.feed.Prune(ctx, n.db.Now().Add(time.Hour)); err != nil || removed != 0 {
			t.Errorf("removed %d (%v)", removed, err)
		}
		var got received
		n.run(t, got.consumer("late"))
		wait.Until(t, "all is handled", func() bool { return slices.Equal(got.list(), []int64{1, 2, 3, 4}) })
	})
}

func TestATailIsWhatAConsumerHasNotPassedOfOneTable(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		ctx := context.Background()
		users, rules := feed.PendingChanges{Consumer: "c", Table: feed.TableUser}, feed.PendingChanges{Consumer: "c", Table: feed.TableRule}
		require := func(tail feed.PendingChanges, after int64, want ...int64) {
			t.Helper()
			changes, err := tail.Read(ctx, n.db, after<<6, 3)
			var seqs []int64
			for _, c := range changes {
				seqs = append(seqs, row(c))
			}
			if err != nil || !slices.Equal(seqs, want) {
				t.Errorf("the tail is %v (%v), want %v", seqs, err, want)
			}
		}
		require(users, 0)
		n.record(t, 2)
		n.ahead.Store(int64(time.Hour))
		n.record(t, 2)
		require(users, 0, 1, 2, 3)
		require(users, 3, 4)
		require(rules, 0)
		var got received
		stop := n.run(t, got.consumer("c"))
		wait.Until(t, "all is passed", func() bool { return n.lag(t, "c") == 0 && len(got.list()) == 4 })
		stop()
		require(users, 0)
		n.record(t, 1)
		require(users, 0, 5)
	})
}

func TestAConsumerOfLeavesGetsThemByRowsAndNothingElse(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		ctx := context.Background()
		waiting := func(rows int, bytes int64) {
			t.Helper()
			changes, err := feed.PendingLeaves{Consumer: "c"}.Read(ctx, n.db, 0, 10)
			at, err2 := feed.PendingLeaves{Consumer: "c"}.Count(ctx, n.db, 10)
			if err != nil || err2 != nil || len(changes) != rows || at.Bytes != bytes || at.Since.IsZero() != (rows == 0) {
				t.Errorf("%v %+v (%v %v), want %d rows of %d bytes", changes, at, err, err2, rows, bytes)
			}
		}
		waiting(0, 0)
		n.record(t, 2) // without leaves
		leafy := ofOne(n.db, 100)
		for i := range leafy {
			if i%3 == 0 {
				leafy[i].Leaves = []byte{byte(i), 7}
			}
		}
		n.insert(t, leafy...)
		n.record(t, 2)
		waiting(2, 2*34)
		var got atomic.Pointer[[]feed.Change]
		none := []feed.Change{}
		got.Store(&none)
		stop := n.run(
			t,
			feed.Consumer{
				Name:       "c",
				OnlyLeaves: true,
				Batch:      10,
				Handle: func(_ context.Context, _ *store.Tx, changes []feed.Change) error {
					all := append(slices.Clone(*got.Load()), changes...)
					got.Store(&all)
					return nil
				},
			},
		)
		wait.Until(t, "all is passed", func() bool { return n.lag(t, "c") == 0 && len(*got.Load()) == 2 })
		stop()
		waiting(0, 0)
		var leaves []byte
		var places []int64
		for _, c := range *got.Load() {
			leaves, places = append(leaves, c.Leaves...), append(places, c.Seq)
			if c.OrganizationID != leafy[0].OrganizationID {
				t.Errorf("%+v", c)
			}
		}
		if len(leaves) != 2*34 || leaves[0] != 0 || leaves[2] != 3 || leaves[66] != 99 ||
			!slices.Equal(places, []int64{3<<6 | 63, 4<<6 | 63}) {
			t.Errorf("%v at %v", leaves, places)
		}
		if changes, err := (feed.PendingLeaves{}).Read(
			ctx,
			n.db,
			places[0],
			10,
		); err != nil || len(changes) != 1 ||
			changes[0].Seq != places[1] {
			t.Errorf("behind the first: %v (%v)", changes, err)
		}
	})
}

func TestACommittedBatchIsToldAndARestIsWaitedFor(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		n.record(t, 5)
		var calls, counted atomic.Int64
		n.run(
			t,
			feed.Consumer{Name: "c", Batch: 2, PartialBatchWait: time.Hour, Handle: func(context.Context, *store.Tx, []feed.Change) error {
				if calls.Add(1) == 2 {
					return context.DeadlineExceeded
				}
				return nil
			}, OnCommit: func(context.Context) { counted.Add(1) }},
		)
		wait.Until(t, "all is handled", func() bool { return n.lag(t, "c") == 0 })
		wait.Until(t, "three batches are handled", func() bool { return counted.Load() == 3 })
		if calls.Load() != 4 {
			t.Errorf("%d calls, want two full batches, a failure and a rest", calls.Load())
		}
		n.record(t, 1)
		time.Sleep(500 * time.Millisecond)
		if n.lag(t, "c") != 1 {
			t.Error("a batch came before its time")
		}
	})
}
