package worker_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// item is a row of the tests' own table.
type item struct {
	ID       laurel.ID `db:"id"`
	Of       laurel.ID `db:"of_id"`
	Place    int64     `db:"place"`
	State    string    `db:"state"`
	Note     string    `db:"note"`
	Attempts int64     `db:"attempts"`
}

const makeItems = `CREATE TABLE items (id UUID PRIMARY KEY, of_id UUID NOT NULL, organization_id UUID NOT NULL, website_id UUID NOT NULL, place BIGINT NOT NULL,
	state TEXT NOT NULL, note TEXT NOT NULL, due_at BIGINT, attempts BIGINT NOT NULL, owner UUID, ended_at BIGINT)`

var items = worker.QueueTable{
	Table: "items", Key: "id", Due: "due_at", Columns: "id, of_id, place, state, note, attempts",
	Open: "ended_at IS NULL", WhileLeased: "state = 'held'", Attempts: "attempts",
	Finished: worker.Finished{At: "ended_at", KeepFor: time.Hour},
}

// house is a database with items, and a clock that only the test moves.
type house struct {
	t      *testing.T
	db     *store.DB
	now    atomic.Int64
	events journal
}

const begin = int64(1_800_000_000_000_000)

func eachHouse(t *testing.T, f func(t *testing.T, h *house)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		h := &house{t: t}
		h.now.Store(begin)
		h.db = storetest.Open(t, address, func() time.Time { return time.UnixMicro(h.now.Load()) })
		h.exec(makeItems)
		f(t, h)
	})
}

func (h *house) exec(query string, args ...any) {
	h.t.Helper()
	err := h.db.InTx(h.t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(h.t.Context(), query, args...)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) wait(d time.Duration) { h.now.Add(d.Microseconds()) }

// add makes an item that is due now, of an owner and at a place in its series.
func (h *house) add(of byte, place int64) laurel.ID {
	h.t.Helper()
	id := h.db.NewID()
	h.exec(`INSERT INTO items (id, of_id, organization_id, website_id, place, state, note, due_at, attempts) VALUES (?, ?, ?, ?, ?, 'new', '', ?, 0)`,
		id, laurel.ID{15: of}, laurel.ID{15: of%2 + 1}, laurel.ID{15: of}, place, h.now.Load())
	return id
}

// row reads an item; seconds are until it is due.
func (h *house) row(id laurel.ID) (text string) {
	h.t.Helper()
	var r struct {
		item
		Due   *int64 `db:"due_at"`
		Ended *int64 `db:"ended_at"`
	}
	err := h.db.Get(h.t.Context(), &r, "SELECT id, of_id, place, state, note, attempts, due_at, ended_at FROM items WHERE id = ?", id)
	if err != nil {
		h.t.Fatal(err)
	}
	text = fmt.Sprintf("%s %q, %d attempts", r.State, r.Note, r.Attempts)
	switch {
	case r.Ended != nil:
		return text + ", over"
	case r.Due == nil:
		return text + ", waits"
	}
	return text + fmt.Sprintf(", in %s", time.Duration((*r.Due-h.now.Load())*1000))
}

func (h *house) is(id laurel.ID, want string) {
	h.t.Helper()
	if got := h.row(id); got != want {
		h.t.Errorf("the item is %s, not %s", got, want)
	}
}

type (
	queue = worker.Queue[item]
	held  = worker.Item[item]
)

// node is a queue as one node has it.
func (h *house) node(do func(ctx context.Context, i *held) error) *queue {
	return &queue{
		Items: &worker.Items[item]{
			DB: h.db, Table: items, LeaseTime: time.Minute,
			Save: func(ctx context.Context, tx *store.Tx, row *item) error {
				_, err := tx.Exec(ctx, "UPDATE items SET state = ?, note = ? WHERE id = ?", row.State, row.Note, row.ID)
				return err
			},
		},
		Name: "items", Batch: 4, Do: do,
		Loop:  worker.Loop{Every: time.Second, Log: h.events.logger(), Fault: "items could not be looked at"},
		Fault: "an item met a fault", Backoff: []time.Duration{time.Second, 10 * time.Second}, Tries: 3,
		Fairness: worker.Fairness{MaxOwners: 8, MaxLooks: 100},
		Abandon: func(ctx context.Context, tx *store.Tx, i *held) error {
			i.Row.State = "failed"
			return over(ctx, tx, i)
		},
	}
}

func over(ctx context.Context, tx *store.Tx, i *held) error {
	_, err := tx.Exec(ctx, "UPDATE items SET ended_at = ? WHERE id = ?", store.Micros(tx.Now()), i.Key)
	return err
}

// end ends an item as done.
func end(ctx context.Context, i *held) error {
	return i.Finish(ctx, func(tx *store.Tx) error {
		i.Row.State = "done"
		return over(ctx, tx, i)
	})
}

func (h *house) takes(q *queue, want int) {
	h.t.Helper()
	if n, err := q.RunOnce(h.t.Context()); n != want || err != nil {
		h.t.Errorf("took %d, not %d: %v", n, want, err)
	}
}

// measured returns the values of a collector by their names.
func measured(t *testing.T, c ...prometheus.Collector) map[string]float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c...)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += " " + l.GetValue()
			}
			out[name] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return out
}

// begun is how many write transactions there were.
func (h *house) begun() float64 {
	h.t.Helper()
	n, counted := measured(h.t, h.db.Collectors()...)["laurel_store_transactions_total"]
	if !counted {
		h.t.Fatal("transactions are not counted")
	}
	return n
}

func TestAnItemIsDoneOnceAndAnIdleLookWritesNothing(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		q := h.node(end)
		owned := h.node(end)
		owned.Table.OwnerColumn = "of_id"
		before := h.begun()
		h.takes(q, 0)
		if err := owned.RunRound(t.Context()); err != nil {
			t.Error(err)
		}
		if waits, err := q.HasDue(t.Context()); waits || err != nil {
			t.Error(waits, err)
		}
		if after := h.begun(); after != before {
			t.Errorf("%v transactions of an idle queue", after-before)
		}
		var ids []laurel.ID
		for range 6 {
			ids = append(ids, h.add(1, 0))
		}
		for _, n := range []int{4, 2, 0} {
			h.takes(q, n)
		}
		for _, id := range ids {
			h.is(id, `done "", 1 attempts, over`)
		}
	})
}

func TestTwoNodesNeverHoldOneItem(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		const many = 40
		for i := range many {
			h.add(byte(i%4+1), 0)
		}
		var mu sync.Mutex
		times := map[laurel.ID]int{}
		var nodes sync.WaitGroup
		for range 4 {
			q := h.node(func(ctx context.Context, i *held) error {
				mu.Lock()
				times[i.Key]++
				mu.Unlock()
				return end(ctx, i)
			})
			nodes.Go(func() {
				for misses := 0; misses < 20; {
					n, err := q.RunOnce(t.Context())
					if err != nil {
						t.Error(err)
						return
					}
					if n == 0 {
						misses++
						time.Sleep(time.Millisecond)
					}
				}
			})
		}
		nodes.Wait()
		if len(times) != many {
			t.Errorf("%d items of %d", len(times), many)
		}
		for id, n := range times {
			if n != 1 {
				t.Errorf("%s was held %d times", id, n)
			}
		}
	})
}

func TestALeaseThatRunsOutIsTakenAndItsFormerOwnerWritesNothing(t *testing.T) {
	t.Parallel()
	for _, marks := range []worker.QueueTable{{Attempts: "attempts"}, {LeaseID: "owner"}, {}} {
		t.Run(fmt.Sprintf("by %q", marks.Attempts+marks.LeaseID), func(t *testing.T) {
			t.Parallel()
			eachHouse(t, func(t *testing.T, h *house) {
				id := h.add(1, 0)
				other := h.node(end)
				q := h.node(func(ctx context.Context, i *held) error {
					if err := i.Extend(ctx, func(*store.Tx) error { i.Row.Note = "on the way"; return nil }); err != nil {
						return err
					}
					h.takes(other, 0) // while the lease lasts
					h.wait(time.Minute + time.Second)
					h.takes(other, 1)
					for _, write := range []func() error{
						func() error { return i.Extend(ctx, func(*store.Tx) error { i.Row.Note = "lost"; return nil }) },
						func() error { return i.Reschedule(ctx, time.Time{}, nil) },
						func() error { return end(ctx, i) },
					} {
						if err := write(); !errors.Is(err, worker.ErrLost) {
							t.Errorf("a write without the lease: %v", err)
						}
					}
					if i.Row.Note != "on the way" {
						t.Errorf("the row says %q, which was rolled back", i.Row.Note)
					}
					return errors.New("too late")
				})
				for _, node := range []*queue{q, other} {
					node.Table.Attempts, node.Table.LeaseID, node.Tries = marks.Attempts, marks.LeaseID, 0
				}
				h.takes(q, 1)
				attempts := 0
				if marks.Attempts != "" {
					attempts = 2
				}
				h.is(id, fmt.Sprintf(`done "on the way", %d attempts, over`, attempts))
			})
		})
	}
}

func TestAFaultIsToldTriedAgainAndGivenUp(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		id, good := h.add(1, 0), h.add(1, 1)
		q := h.node(func(ctx context.Context, i *held) error {
			switch {
			case i.Key == good:
				return end(ctx, i)
			case i.Attempts == 2:
				panic("a mistake")
			}
			i.Row.Note = "never written"
			return errors.New("no answer")
		})
		h.takes(q, 2)
		h.is(id, `new "never written", 1 attempts, in 1s`)
		h.is(good, `done "", 1 attempts, over`)
		h.takes(q, 0)
		h.wait(time.Second)
		h.takes(q, 1)
		h.is(id, `new "never written", 2 attempts, in 10s`)
		h.wait(10 * time.Second)
		h.takes(q, 1)
		h.is(id, `failed "never written", 3 attempts, over`)
		lines := h.events.lines()
		if len(lines) != 3 || !strings.Contains(lines[0], "level=WARN") || !strings.Contains(lines[1], "level=ERROR") ||
			!strings.Contains(lines[1], "panicked: a mistake") || !strings.Contains(lines[2], "attempt=3") {
			t.Errorf("logged %q", lines)
		}
		got := measured(t, q)
		for name, want := range map[string]float64{"taken": 4, "failed": 3, "given_up": 1} {
			if n := got["laurel_queue_"+name+"_total items"]; n != want {
				t.Errorf("%s: %v, not %v", name, n, want)
			}
		}
	})
}

func TestAnItemWhoseNodesDiedIsGivenUp(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		id := h.add(1, 0)
		h.exec("UPDATE items SET attempts = 3")
		h.takes(h.node(func(context.Context, *held) error { panic("a node dies over it") }), 1)
		h.is(id, `failed "", 4 attempts, over`)
	})
}

func TestFailedSaysWhenAnItemIsTriedAgain(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		id := h.add(1, 0)
		q := h.node(func(context.Context, *held) error { return errors.New("no answer") })
		q.OnFault = func(i *held, fault error, _ time.Time) time.Duration {
			i.Row.Note += fault.Error()
			return time.Hour
		}
		h.takes(q, 1)
		h.is(id, `new "no answer", 1 attempts, in 1h0m0s`)
	})
}

func TestAnItemIsPutOff(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		later, never := h.add(1, 0), h.add(1, 1)
		q := h.node(func(ctx context.Context, i *held) error {
			if i.Key == later {
				return i.Reschedule(ctx, h.db.Now().Add(time.Hour), func(*store.Tx) error { i.Row.State = "later"; return nil })
			}
			return i.Reschedule(ctx, time.Time{}, nil)
		})
		h.takes(q, 2)
		h.is(later, `later "", 1 attempts, in 1h0m0s`)
		h.is(never, `new "", 1 attempts, waits`)
	})
}

func TestANodeThatStopsGivesItsItemsBack(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		id := h.add(1, 0)
		ctx, stop := context.WithCancel(t.Context())
		q := h.node(func(ctx context.Context, _ *held) error {
			stop()
			<-ctx.Done()
			return ctx.Err()
		})
		if n, err := q.RunOnce(ctx); n != 1 || err != nil {
			t.Error(n, err)
		}
		h.is(id, `new "", 1 attempts, in 0s`)
		if lines := h.events.lines(); len(lines) > 0 {
			t.Errorf("logged %q", lines)
		}
	})
}

func TestALeaseIsRenewedWhileTheWorkLasts(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		id := h.add(1, 0)
		q := h.node(func(ctx context.Context, i *held) error {
			h.wait(50 * time.Second)
			for !strings.Contains(h.row(id), "in 1m0") && ctx.Err() == nil { // each renewal moves the end a little
				time.Sleep(time.Millisecond)
			}
			h.exec("UPDATE items SET attempts = 2") // another node has it
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Minute):
				return errors.New("the work goes on")
			}
		})
		q.RenewEvery = 5 * time.Millisecond
		h.takes(q, 1)
		if lines := h.events.lines(); len(lines) > 0 {
			t.Errorf("logged %q", lines)
		}
	})
}

func TestAnItemIsTakenByItsKeyWithoutTheQueue(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		id := h.add(1, 0)
		q := h.node(end)
		q.OnLease = func(ctx context.Context, tx *store.Tx, i *held) error {
			_, err := tx.Exec(ctx, "UPDATE items SET state = 'held' WHERE id = ?", i.Key)
			return err
		}
		take := func(atOnce, want bool) *held {
			t.Helper()
			i, err := q.LeaseByKey(t.Context(), id, atOnce)
			if err != nil || (i != nil) != want {
				t.Errorf("taken: %v %v", i, err)
			}
			return i
		}
		i := take(false, true)
		take(true, false)
		if err := i.Reschedule(t.Context(), h.db.Now().Add(time.Hour), func(*store.Tx) error { i.Row.State = "later"; return nil }); err != nil {
			t.Error(err)
		}
		take(false, false)
		if err := end(t.Context(), take(true, true)); err != nil {
			t.Error(err)
		}
		take(true, false)
		if got := measured(t, q)["laurel_queue_taken_total items"]; got != 2 {
			t.Errorf("the queue counts %v items that were taken, not 2", got)
		}
	})
}

func TestAnItemMayBeWrittenWithALease(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		id := h.add(1, 0)
		h.exec("UPDATE items SET due_at = due_at + 60000000")
		q := h.node(end)
		q.Table.Attempts, q.Tries = "", 0
		h.takes(q, 0)
		stranger := q.Adopt(id, h.db.Now(), item{ID: id})
		own := q.Adopt(id, h.db.Now().Add(time.Minute), item{ID: id})
		if err := q.Process(t.Context(), []*held{stranger, own}); err != nil {
			t.Error(err)
		}
		h.is(id, `done "", 0 attempts, over`)
	})
}

func TestWhatHasBeenOverForLongEnoughIsRemoved(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		q := h.node(end)
		h.add(1, 0)
		h.takes(q, 1)
		h.wait(30 * time.Minute)
		young := h.add(1, 0)
		h.takes(q, 1)
		open := h.add(1, 0)
		h.wait(31 * time.Minute)
		if err := q.Prune(t.Context()); err != nil {
			t.Fatal(err)
		}
		var left []laurel.ID
		if err := h.db.Select(t.Context(), &left, "SELECT id FROM items ORDER BY id"); err != nil || len(left) != 2 ||
			left[0] != young || left[1] != open {
			t.Errorf("left %v %v", left, err)
		}
	})
}

func TestWhatIsDueIsMeasured(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		q := h.node(func(context.Context, *held) error { return nil })
		h.add(1, 0)
		h.wait(time.Minute)
		h.add(1, 0)
		h.wait(30 * time.Second)
		for _, now := range []struct{ due, age float64 }{{2, 90}, {0, 0}} {
			got := measured(t, q)
			if got["laurel_queue_due items"] != now.due || got["laurel_queue_oldest_due_seconds items"] != now.age {
				t.Errorf("%v due: %v", now.due, got)
			}
			h.takes(q, int(now.due))
		}
		h.exec("DROP TABLE items")
		if got := measured(t, q); len(got) != 3 {
			t.Errorf("where the backlog is unknown: %v", got)
		}
		if !strings.Contains(h.events.String(), "the due items of a queue could not be counted") {
			t.Error("no line has the cause")
		}
	})
}

func TestAPanicIsLoud(t *testing.T) {
	t.Parallel()
	if worker.LogLevel(fmt.Errorf("a round %w", panics.ErrCaught), slog.LevelWarn) != slog.LevelError {
		t.Error("a panic is logged quietly")
	}
}
