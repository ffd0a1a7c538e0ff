package events_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/events"
	"laurel/internal/store"
	"laurel/internal/storetest"
)

func TestAConsumerThatIsRegisteredKeepsChangesBeforeItRuns(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		n := newNode(t, address)
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
		var got seen
		n.run(t, got.consumer("late"))
		eventually(t, "all is handled", func() bool { return slices.Equal(got.list(), []int64{1, 2, 3, 4}) })
	})
}

func TestATailIsWhatAConsumerHasNotPassedOfOneTable(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		n := newNode(t, address)
		ctx := context.Background()
		users, rules := events.Tail{Consumer: "c", Table: events.User}, events.Tail{Consumer: "c", Table: events.Rule}
		tell := func(tail events.Tail, after int64, want ...int64) {
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
		tell(users, 0)
		n.record(t, 2)
		n.ahead.Store(int64(time.Hour))
		n.record(t, 2)
		tell(users, 0, 1, 2, 3)
		tell(users, 3, 4)
		tell(rules, 0)
		waiting, err := users.Waiting(ctx, n.db, 3)
		if err != nil || waiting.Changes != 3 || n.db.Now().Sub(waiting.Since) < time.Hour-time.Minute {
			t.Errorf("%+v, %v", waiting, err)
		}
		var got seen
		stop := n.run(t, got.consumer("c"))
		eventually(t, "all is passed", func() bool { return n.lag(t, "c") == 0 && len(got.list()) == 4 })
		stop()
		tell(users, 0)
		n.record(t, 1)
		tell(users, 0, 5)
		if waiting, err = users.Waiting(ctx, n.db, 10); err != nil || waiting.Changes != 1 {
			t.Errorf("%+v, %v", waiting, err)
		}
		if waiting, err = rules.Waiting(ctx, n.db, 10); err != nil || waiting.Changes != 0 || !waiting.Since.IsZero() {
			t.Errorf("%+v, %v", waiting, err)
		}
	})
}

func TestACommittedBatchIsToldAndARestIsWaitedFor(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		n := newNode(t, address)
		n.record(t, 5)
		var calls, told atomic.Int64
		n.run(t, events.Consumer{Name: "c", Batch: 2, Pace: time.Hour, Handle: func(context.Context, *store.Tx, []events.Change) error {
			if calls.Add(1) == 2 {
				return context.DeadlineExceeded
			}
			return nil
		}, Committed: func(context.Context) { told.Add(1) }})
		eventually(t, "all is handled", func() bool { return n.lag(t, "c") == 0 })
		eventually(t, "three batches are told", func() bool { return told.Load() == 3 })
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
