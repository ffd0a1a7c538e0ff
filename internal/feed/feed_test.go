package feed_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// node is one process of a cluster: its own connections, clock and feed.
type node struct {
	db    *store.DB
	feed  *feed.Feed
	ahead atomic.Int64 // nanoseconds that its clock is ahead
}

func newNode(t *testing.T, address string) *node {
	n := &node{}
	n.db = storetest.Open(t, address, func() time.Time { return time.Now().Add(time.Duration(n.ahead.Load())) })
	n.feed = feed.NewFeed(n.db, slog.New(slog.DiscardHandler))
	return n
}

// eachNode runs the test on each engine, with a cluster of one.
func eachNode(t *testing.T, f func(t *testing.T, n *node)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) { f(t, newNode(t, address)) })
}

// insert records changes in one transaction.
func (n *node) insert(t *testing.T, changes ...feed.Change) {
	t.Helper()
	ctx := context.Background()
	if err := n.db.InTx(ctx, func(tx *store.Tx) error { return feed.Record(ctx, tx, changes...) }); err != nil {
		t.Fatal(err)
	}
}

// errorLog is a log that never returns from an error: a node that logs to it stops there for good, outside of any
// transaction. SQLite and PostgreSQL alike see what they see of a process that was killed: a transaction rolled back,
// and then silence.
type errorLog struct {
	slog.Handler
	opened chan struct{}
}

func (g errorLog) Enabled(context.Context, slog.Level) bool { return true }

func (g errorLog) Handle(_ context.Context, r slog.Record) error {
	if r.Level == slog.LevelError {
		<-g.opened
	}
	return nil
}

// run serves the consumer until the answered function is called, which waits for the end.
func (n *node) run(t *testing.T, c feed.Consumer) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := n.feed.Run(ctx, c); err != nil {
			t.Error(err)
		}
	}()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func (n *node) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	err := n.db.InTx(context.Background(), func(tx *store.Tx) error {
		_, err := tx.Exec(context.Background(), query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (n *node) count(t *testing.T, query string, args ...any) int {
	t.Helper()
	var v int
	if err := n.db.Get(context.Background(), &v, query, args...); err != nil {
		t.Fatal(err)
	}
	return v
}

// record commits count changes, one transaction each.
func (n *node) record(t *testing.T, count int) {
	t.Helper()
	for range count {
		err := n.db.InTx(context.Background(), func(tx *store.Tx) error {
			return feed.Record(
				context.Background(),
				tx,
				feed.Change{OrganizationID: tx.NewID(), EntityID: tx.NewID(), Table: feed.TableUser, Action: feed.Created},
			)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// lag returns how far the consumer is behind. What a test's Handle notes in memory is there before its transaction is
// committed, so tests that move cursors or stop readers wait for this too.
func (n *node) lag(t *testing.T, name string) int64 {
	t.Helper()
	lag, err := n.feed.Lag(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return lag[name]
}

// row returns the number of the row that a change came in; each of record's has one of its own.
func row(c feed.Change) int64 { return c.Seq >> 6 }

// received gathers the numbers of the rows that a consumer handled.
type received struct {
	mu   sync.Mutex
	seqs []int64
}

func (s *received) add(changes []feed.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range changes {
		s.seqs = append(s.seqs, row(c))
	}
}

func (s *received) list() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seqs)
}

func (s *received) consumer(name string) feed.Consumer {
	return feed.Consumer{Name: name, Handle: func(_ context.Context, _ *store.Tx, changes []feed.Change) error {
		s.add(changes)
		return nil
	}}
}

// world is what writers change and what the effects of the consumer are checked against.
type world struct {
	entities  []laurel.ID
	committed atomic.Int64
}

func newWorld(t *testing.T, n *node, entities int) *world {
	n.exec(t, "CREATE TABLE entities (id UUID PRIMARY KEY, version BIGINT NOT NULL)")
	n.exec(t, "CREATE TABLE copies (id UUID PRIMARY KEY, version BIGINT NOT NULL)")
	n.exec(t, "CREATE TABLE effects (seq BIGINT NOT NULL)")
	w := &world{}
	for range entities {
		id := n.db.NewID()
		n.exec(t, "INSERT INTO entities (id, version) VALUES (?, 0)", id)
		n.exec(t, "INSERT INTO copies (id, version) VALUES (?, 0)", id)
		w.entities = append(w.entities, id)
	}
	return w
}

var errRolledBack = errors.New("rolled back")

// write raises the version of a random entity under its lock and records the change; some dawdle, some roll back.
func (w *world) write(n *node) error {
	ctx := context.Background()
	id := w.entities[rand.IntN(len(w.entities))]
	err := n.db.InTx(ctx, func(tx *store.Tx) error {
		var version int64
		if err := tx.Get(ctx, &version, "SELECT version FROM entities WHERE id = ?"+tx.ForUpdate(), id); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "UPDATE entities SET version = ? WHERE id = ?", version+1, id); err != nil {
			return err
		}
		change := feed.Change{OrganizationID: id, WebsiteID: id, EntityID: id, Table: feed.TableAccount, Action: feed.Updated,
			Data: json.RawMessage(fmt.Sprintf(`{"version":%d}`, version+1))}
		if err := feed.Record(ctx, tx, change); err != nil {
			return err
		}
		time.Sleep(time.Duration(rand.IntN(4)) * time.Millisecond)
		switch rand.IntN(16) {
		case 0, 1, 2:
			return errRolledBack
		case 3:
			time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond) // commits long after others with higher numbers
		}
		return nil
	})
	if errors.Is(err, errRolledBack) {
		return nil
	}
	if err == nil {
		w.committed.Add(1)
	}
	return err
}

// apply is an effect that only works when every version of an entity comes once and in order.
func (w *world) apply(ctx context.Context, tx *store.Tx, changes []feed.Change) error {
	for _, c := range changes {
		var data struct{ Version int64 }
		if err := json.Unmarshal(c.Data, &data); err != nil {
			return err
		}
		n, err := tx.Exec(
			ctx,
			"UPDATE copies SET version = ? WHERE id = ? AND version = ?",
			data.Version,
			c.EntityID,
			data.Version-1,
		)
		if err != nil {
			return err
		}
		if n != 1 {
			return fmt.Errorf("%w: change %d is version %d of %s", errOutOfOrder, c.Seq, data.Version, c.EntityID)
		}
	}
	return insertEffects(ctx, tx, changes)
}

func insertEffects(ctx context.Context, tx *store.Tx, changes []feed.Change) error {
	for _, c := range changes {
		if _, err := tx.Exec(ctx, "INSERT INTO effects (seq) VALUES (?)", c.Seq); err != nil {
			return err
		}
	}
	return nil
}

var errOutOfOrder = errors.New("skipped, repeated or out of order")

func (w *world) check(t *testing.T, n *node) {
	t.Helper()
	want := int(w.committed.Load())
	if got := n.count(t, "SELECT count(*) FROM changes"); got != want {
		t.Errorf("%d changes are stored, %d were committed", got, want)
	}
	if got := n.count(t, "SELECT count(*) FROM effects"); got != want {
		t.Errorf("%d effects of %d changes", got, want)
	}
	if got := n.count(t, "SELECT count(DISTINCT seq) FROM effects"); got != want {
		t.Errorf("%d distinct effects of %d changes", got, want)
	}
	if got := n.count(
		t,
		"SELECT count(*) FROM entities e JOIN copies c ON c.id = e.id WHERE c.version <> e.version",
	); got != 0 {
		t.Errorf("%d entities differ from the feed", got)
	}
}

func TestWritersLateAndRolledBackAndAKilledReaderLoseAndRepeatNothing(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		writer, a, b := newNode(t, address), newNode(t, address), newNode(t, address)
		w := newWorld(t, writer, 16)
		var killed atomic.Bool
		first := feed.Consumer{Name: "copy", Handle: func(ctx context.Context, tx *store.Tx, changes []feed.Change) error {
			if err := w.apply(ctx, tx, changes); err != nil {
				t.Errorf("first reader: %v", err)
				return err
			}
			if row(changes[len(changes)-1]) < 300 {
				return nil
			}
			// Killed with its effects written and not committed; it never gives the lease back.
			killed.Store(true)
			return errors.New("killed")
		}}
		silence := errorLog{slog.DiscardHandler, make(chan struct{})}
		a.feed = feed.NewFeed(a.db, slog.New(silence))
		a.run(t, first)
		t.Cleanup(func() { close(silence.opened) })
		wait.Until(t, "the first reader holds the lease", func() bool {
			return writer.count(t, "SELECT count(*) FROM feed_consumers WHERE lease_owner IS NOT NULL") == 1
		})
		stop := b.run(
			t,
			feed.Consumer{Name: "copy", Handle: func(ctx context.Context, tx *store.Tx, changes []feed.Change) error {
				if !killed.Load() {
					t.Error("the second reader read while the first held the lease")
				}
				err := w.apply(ctx, tx, changes)
				if errors.Is(err, errOutOfOrder) {
					t.Error(err)
				}
				return err
			}},
		)
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				for range 12 {
					if err := w.write(writer); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Until(t, "the first reader is killed", killed.Load)
		b.ahead.Store(int64(time.Minute)) // the lease is over
		wg.Wait()
		wait.Until(t, "the second reader catches up", func() bool { return writer.lag(t, "copy") == 0 || t.Failed() })
		stop()
		w.check(t, writer)
	})
}

func TestAReaderPausedPastItsLeaseCannotCommit(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		writer, a, b := newNode(t, address), newNode(t, address), newNode(t, address)
		w := newWorld(t, writer, 3)
		for w.committed.Load() < 30 {
			if err := w.write(writer); err != nil {
				t.Fatal(err)
			}
		}
		horizonAge(t, b) // b knows how far the feed is final; else the open transaction of a would keep it waiting
		paused, resume := make(chan struct{}), make(chan struct{})
		var calls atomic.Int64
		a.run(
			t,
			feed.Consumer{Name: "copy", Batch: 10, Handle: func(ctx context.Context, tx *store.Tx, changes []feed.Change) error {
				if calls.Add(1) > 1 {
					return w.apply(ctx, tx, changes)
				}
				effects := w.apply
				if a.db.Engine() == store.Postgres {
					effects = insertEffects // without a lock that the second reader would wait for
				}
				err := effects(ctx, tx, changes)
				if err != nil {
					t.Error(err)
				}
				close(paused)
				<-resume
				return err
			}},
		)
		<-paused
		b.ahead.Store(int64(time.Minute))
		stopB := b.run(t, feed.Consumer{Name: "copy", Batch: 10, Handle: w.apply})
		if a.db.Engine() == store.Postgres {
			// SQLite has one writer: there the second reader waits for the first, whose lease has run out but was not taken.
			wait.Until(t, "the second reader has passed everything", func() bool {
				return writer.count(t, "SELECT count(*) FROM effects") == 30
			})
		}
		close(resume)
		passed := func() bool { return writer.lag(t, "copy") == 0 }
		wait.Until(t, "everything is passed", passed)
		stopB()
		// The paused reader goes on with what comes next, which shows that its first transaction has ended.
		for before := w.committed.Load(); w.committed.Load() < before+5; {
			if err := w.write(writer); err != nil {
				t.Fatal(err)
			}
		}
		wait.Until(t, "everything is passed again", passed)
		if calls.Load() < 2 {
			t.Error("the paused reader did not go on")
		}
		w.check(t, writer)
	})
}

func TestAReaderStopsBeforeNumbersThatMayStillCommit(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		if n.db.Engine() == store.SQLite {
			t.Skip("the transactions of SQLite cannot overlap")
		}
		n.record(t, 1)
		var got received
		n.run(t, got.consumer("c"))
		wait.Until(t, "the reader has begun", func() bool { return len(got.list()) == 1 && n.lag(t, "c") == 0 })
		open := func() (commit func()) {
			recorded, release, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
			go func() {
				defer close(done)
				err := n.db.InTx(context.Background(), func(tx *store.Tx) error {
					err := feed.Record(
						context.Background(),
						tx,
						feed.Change{OrganizationID: tx.NewID(), EntityID: tx.NewID(), Table: feed.TableUser, Action: feed.Created},
					)
					close(recorded)
					<-release
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}()
			<-recorded
			return func() { close(release); <-done }
		}
		// The first has the lower number and commits last. Nothing ends in between, so a horizon taken from what has
		// ended so far would not know of either.
		first, second := open(), open()
		horizonAge(t, n) // looks at once, before others on the server end
		passed := func() bool { return n.lag(t, "c") < 2 }
		wait.Until(t, "the reader waits", func() bool { return horizonAge(t, n) > 0.2 || passed() })
		second()
		age := horizonAge(t, n)
		wait.Until(t, "the reader still waits", func() bool { return horizonAge(t, n) > age+0.3 || passed() })
		early := passed()
		first()
		if early {
			t.Fatalf("passed numbers that were open, handled %v", got.list())
		}
		wait.Until(t, "both are handled", func() bool { return len(got.list()) >= 3 })
		if seqs := got.list(); !slices.Equal(seqs, []int64{1, 2, 3}) {
			t.Errorf("handled %v, want 1, 2, 3", seqs)
		}
	})
}

func horizonAge(t *testing.T, n *node) float64 {
	t.Helper()
	return gauge(t, n, "laurel_feed_horizon_age_seconds")
}

func gauge(t *testing.T, n *node, name string) float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(n.feed.Collectors()...)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("no gauge %s", name)
	return 0
}

func TestTheNextReaderTakesOverAtOnceWhenTheFirstEnds(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		a, b := newNode(t, address), newNode(t, address)
		b.ahead.Store(-int64(time.Hour)) // for b, a lease of a would run for an hour
		var first, second received
		stop := a.run(t, first.consumer("c"))
		a.record(t, 3)
		wait.Until(t, "the first reader reads", func() bool { return len(first.list()) == 3 && a.lag(t, "c") == 0 })
		b.run(t, second.consumer("c"))
		stop()
		b.record(t, 2)
		wait.Until(t, "the second reader reads", func() bool { return len(second.list()) == 2 })
		if got := slices.Concat(first.list(), second.list()); !slices.Equal(got, []int64{1, 2, 3, 4, 5}) {
			t.Errorf("handled %v", got)
		}
	})
}

func TestAFailingHandleIsCalledAgainAndSkipsNothing(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		n.exec(t, "CREATE TABLE effects (seq BIGINT NOT NULL)")
		n.record(t, 7)
		var calls atomic.Int64
		n.run(
			t,
			feed.Consumer{Name: "c", Batch: 3, Handle: func(ctx context.Context, tx *store.Tx, changes []feed.Change) error {
				if err := insertEffects(ctx, tx, changes); err != nil {
					return err
				}
				switch calls.Add(1) {
				case 2:
					return errors.New("not now")
				case 3:
					panic("not now either")
				}
				return nil
			}},
		)
		wait.Until(t, "all is handled", func() bool { return n.count(t, "SELECT count(*) FROM effects") == 7 })
		if got := n.count(t, "SELECT count(DISTINCT seq) FROM effects"); got != 7 {
			t.Errorf("%d distinct effects, want 7", got)
		}
		if got := calls.Load(); got != 5 {
			t.Errorf("%d calls, want 5: three batches and two failures", got)
		}
	})
}

func TestReplayHandsOverAgainFromThePoint(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		ctx := context.Background()
		if err := n.feed.ReplayFrom(ctx, "c", 1); laurel.CodeOf(err) != laurel.NotFound {
			t.Errorf("replay of an unknown consumer answered %v", err)
		}
		n.record(t, 5)
		n.ahead.Store(int64(time.Hour))
		later := n.db.Now()
		n.record(t, 5)
		var got received
		n.run(t, got.consumer("c"))
		wait.Until(t, "all is handled", func() bool { return len(got.list()) == 10 && n.lag(t, "c") == 0 })
		if err := n.feed.ReplayFrom(ctx, "c", 9<<6); err != nil {
			t.Fatal(err)
		}
		wait.Until(t, "two come again", func() bool { return len(got.list()) >= 12 && n.lag(t, "c") == 0 })
		if err := n.feed.ReplaySince(ctx, "c", later); err != nil {
			t.Fatal(err)
		}
		wait.Until(t, "five come again", func() bool { return len(got.list()) >= 17 && n.lag(t, "c") == 0 })
		if err := n.feed.ReplayFrom(ctx, "c", 1000<<6); err != nil { // not there yet: stays
			t.Fatal(err)
		}
		n.record(t, 1)
		wait.Until(t, "the next comes", func() bool { return len(got.list()) >= 18 })
		want := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 10, 6, 7, 8, 9, 10, 11}
		if !slices.Equal(got.list(), want) {
			t.Errorf("handled %v, want %v", got.list(), want)
		}
	})
}

func TestPruneKeepsWhatIsYoungOrNotPassed(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		ctx := context.Background()
		n.record(t, 8)
		n.ahead.Store(int64(time.Hour))
		young := n.db.Now()
		n.record(t, 2)
		var fast, slow received
		n.run(t, fast.consumer("fast"))
		stop := n.run(
			t,
			feed.Consumer{Name: "slow", Batch: 5, Handle: func(_ context.Context, _ *store.Tx, changes []feed.Change) error {
				if row(changes[0]) > 5 {
					return errors.New("stuck")
				}
				slow.add(changes)
				return nil
			}},
		)
		wait.Until(t, "both have read", func() bool { return len(fast.list()) == 10 && len(slow.list()) == 5 })
		wait.Until(t, "the cursors have moved", func() bool {
			lag, err := n.feed.Lag(ctx)
			return err == nil && lag["fast"] == 0 && lag["slow"] == 5
		})
		if removed, err := n.feed.Prune(ctx, young); err != nil || removed != 5 {
			t.Errorf("removed %d (%v), want the 5 that both passed", removed, err)
		}
		stop()
		n.run(t, slow.consumer("slow"))
		wait.Until(t, "the slow one gets the rest", func() bool { return len(slow.list()) == 10 })
		wait.Until(t, "its cursor has moved", func() bool { return gauge(t, n, "laurel_feed_lag_rows") == 0 })
		if removed, err := n.feed.Prune(ctx, young); err != nil || removed != 3 {
			t.Errorf("removed %d (%v), want the 3 that are old", removed, err)
		}
		if removed, err := n.feed.Prune(ctx, n.db.Now().Add(time.Hour)); err != nil || removed != 2 {
			t.Errorf("removed %d (%v), want the last 2", removed, err)
		}
		n.record(t, 1)
		wait.Until(t, "numbers go on", func() bool { l := slow.list(); return l[len(l)-1] == 11 })
	})
}

// note is a Work that only records changes.
type note struct{ changes []feed.Change }

func (note) Locks() []store.Lock { return nil }

func (w note) Judge(b *store.Batch) error {
	for _, c := range w.changes {
		feed.Changes.Add(b, c)
	}
	return nil
}

func TestChangesArriveAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		ctx := context.Background()
		org, site := n.db.NewID(), n.db.NewID()
		first := feed.Change{
			OrganizationID: org,
			WebsiteID:      site,
			EntityID:       n.db.NewID(),
			Table:          feed.TableRule,
			Action:         feed.Restored,
			Data:           json.RawMessage(`{"b":1,"a":1.0}`),
		}
		second := feed.Change{OrganizationID: org, EntityID: n.db.NewID(), Table: feed.TableUser, Action: feed.Updated}
		committer := store.NewCommitter(n.db)
		defer committer.Close()
		before := n.db.Now()
		if err := committer.Do(ctx, nil, note{[]feed.Change{first, second}}); err != nil {
			t.Fatal(err)
		}
		n.insert(t, second, first)
		var mu sync.Mutex
		var got []feed.Change
		n.run(t, feed.Consumer{Name: "c", Handle: func(_ context.Context, _ *store.Tx, changes []feed.Change) error {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, changes...)
			return nil
		}})
		wait.Until(t, "four are handled", func() bool { mu.Lock(); defer mu.Unlock(); return len(got) == 4 })
		second.Data = json.RawMessage(`{}`)
		for i, want := range []feed.Change{first, second, second, first} { // each is of another website, so each has a row
			want.Seq, want.At = int64(i+1)<<6, got[i].At
			if fmt.Sprint(got[i]) != fmt.Sprint(want) {
				t.Errorf("change %d is %+v, want %+v", i, got[i], want)
			}
			if got[i].At.Before(before) || got[i].At.After(n.db.Now()) {
				t.Errorf("change %d was made at %s", i, got[i].At)
			}
		}
	})
}

func TestAConsumerNeedsANameAndAHandle(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		var got received
		if n.feed.Run(context.Background(), got.consumer("")) == nil ||
			n.feed.Run(context.Background(), feed.Consumer{Name: "c"}) == nil {
			t.Error("ran without name or Handle")
		}
	})
}

// ofOne makes n changes of one website; each tells its place.
func ofOne(db *store.DB, n int) []feed.Change {
	org, site := db.NewID(), db.NewID()
	changes := make([]feed.Change, n)
	for i := range changes {
		changes[i] = feed.Change{
			OrganizationID: org,
			WebsiteID:      site,
			EntityID:       db.NewID(),
			Table:          feed.TableAccount,
			Action:         feed.Updated,
			Data:           json.RawMessage(fmt.Sprintf(`{"place":%d}`, i)),
		}
	}
	return changes
}

func TestChangesOfOneTransactionShareRowsAndKeepTheirOrder(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		mine, foreign := ofOne(n.db, 150), ofOne(n.db, 70)
		var mixed []feed.Change
		for i := range mine {
			mixed = append(mixed, mine[i])
			if i < len(foreign) {
				mixed = append(mixed, foreign[i])
			}
		}
		n.insert(t, mixed...)
		if rows := n.count(t, "SELECT count(*) FROM changes"); rows != 3+2 {
			t.Errorf("%d rows, want three of 64 and two", rows)
		}
		if sum := n.count(t, "SELECT CAST(SUM(size) AS BIGINT) FROM changes"); sum != 220 {
			t.Errorf("the rows say that they hold %d changes", sum)
		}
		var mu sync.Mutex
		got := map[laurel.ID][]string{}
		var numbers []int64
		largest := 0
		n.run(
			t,
			feed.Consumer{Name: "c", Batch: 10, Handle: func(_ context.Context, _ *store.Tx, changes []feed.Change) error {
				mu.Lock()
				defer mu.Unlock()
				for _, c := range changes {
					got[c.WebsiteID] = append(got[c.WebsiteID], string(c.Data))
					numbers = append(numbers, c.Seq)
				}
				largest = max(largest, len(changes))
				return nil
			}},
		)
		wait.Until(t, "all are handled", func() bool { mu.Lock(); defer mu.Unlock(); return len(numbers) == 220 })
		for _, want := range [][]feed.Change{mine, foreign} {
			for i, c := range want {
				if got[c.WebsiteID][i] != string(c.Data) {
					t.Fatalf("place %d is %s", i, got[c.WebsiteID][i])
				}
			}
		}
		if !slices.IsSorted(numbers) || len(slices.Compact(slices.Clone(numbers))) != 220 {
			t.Error("numbers come twice or out of order")
		}
		if largest > 64+10 {
			t.Errorf("a batch had %d changes, ten were asked for", largest)
		}
	})
}
