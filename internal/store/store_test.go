package store_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// counter is a row that Works raise: the smallest table with every feature.
type counter struct {
	Name  string `db:"name"`
	Value string `db:"value"`
	fresh bool
}

var counters = &store.Table[string, counter]{
	Name: "settings", Rank: store.LockRank{Place: 1, Lock: store.LockUpdate}, Compare: cmp.Compare[string],
	Query: "SELECT t.name, t.value FROM settings t",
	Key:   store.Columns("name text"),
	Args:  func(k string) []any { return []any{k} },
	KeyOf: func(c *counter) string { return c.Name },
	New:   func(k string) *counter { return &counter{Name: k, Value: "", fresh: true} },
	Save: func(ctx context.Context, tx *store.Tx, rows []*counter) error {
		var added, changed [][]any
		for _, r := range rows {
			if r.fresh {
				added = append(added, []any{r.Name, r.Value})
			} else {
				changed = append(changed, []any{r.Name, r.Value})
			}
		}
		n, err := tx.InsertRows(
			ctx,
			store.Insert{Table: "settings", Columns: store.Columns("name text, value text"), Conflict: store.IgnoreConflicts},
			added,
		)
		if err != nil {
			return err
		}
		if int(n) < len(added) {
			return store.ErrRerun
		}
		_, err = tx.UpdateRows(
			ctx,
			store.Update{Table: "settings", Keys: store.Columns("name text"), Set: store.Columns("value text")},
			changed,
		)
		return err
	},
}

type raise struct {
	names  []string
	refuse error
	poison bool
	panics bool
	trips  bool // in its decision, with rows staged
}

func (r *raise) String() string { return fmt.Sprintf("raise %v", r.names) }

func (r *raise) Locks() []store.Lock {
	var locks []store.Lock
	for _, n := range r.names {
		locks = append(locks, counters.Lock(n))
	}
	return locks
}

func (r *raise) Judge(b *store.Batch) error {
	if r.refuse != nil {
		return r.refuse
	}
	for _, n := range r.names {
		counters.Changed(b, n).Value += "x"
	}
	if r.trips {
		panic("broken decision")
	}
	if r.poison {
		broken.Add(b, "")
	}
	if r.panics {
		panicking.Add(b, "")
	}
	return nil
}

var panicking = &store.Sink[string]{
	Name:  "panicking",
	Rank:  store.LockRank{Place: 3},
	Write: func(context.Context, *store.Tx, []string) error { panic("broken sink") },
}

var broken = &store.Sink[string]{
	Name: "broken",
	Rank: store.LockRank{Place: 2},
	Write: func(ctx context.Context, tx *store.Tx, _ []string) error {
		_, err := tx.Exec(ctx, "INSERT INTO settings (name, value) VALUES (?, NULL)", "null is refused")
		return err
	},
}

func value(t *testing.T, db *store.DB, name string) int {
	t.Helper()
	var v string
	if err := db.Get(
		context.Background(),
		&v,
		"SELECT value FROM settings WHERE name = ?",
		name,
	); err != nil &&
		!store.IsNoRows(err) {
		t.Fatal(err)
	}
	return len(v)
}

func TestCommitterCountsEveryWorkOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		// Two committers stand for two nodes on one database; opposite orders of the same rows must not deadlock.
		a, b := store.NewCommitter(db), store.NewCommitter(db)
		var wg sync.WaitGroup
		const each = 200
		for i := range each {
			for c, names := range map[*store.Committer][]string{a: {"one", "two"}, b: {"two", "one"}} {
				wg.Go(func() {
					if err := c.Do(context.Background(), nil, &raise{names: names}); err != nil {
						t.Errorf("work %d: %v", i, err)
					}
				})
			}
		}
		wg.Wait()
		a.Close()
		b.Close()
		for _, name := range []string{"one", "two"} {
			if got := value(t, db, name); got != 2*each {
				t.Errorf("%s is %d, want %d", name, got, 2*each)
			}
		}
	})
}

func TestRefusedAndPoisonedWorksFailAlone(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := store.NewCommitter(db)
		defer c.Close()
		refusal := laurel.Errorf(laurel.Refused, "no")
		var wg sync.WaitGroup
		for i := range 90 {
			wg.Go(func() {
				w := &raise{names: []string{"n"}}
				switch i % 3 {
				case 1:
					w.refuse = refusal
				case 2:
					w.poison = i%30 == 2
					w.panics, w.trips = i == 5, i == 8
				}
				err := c.Do(context.Background(), nil, w)
				switch {
				case w.refuse != nil && !errors.Is(err, refusal):
					t.Errorf("refused work answered %v", err)
				case (w.poison || w.panics || w.trips) && err == nil:
					t.Error("poisoned work succeeded")
				case w.refuse == nil && !w.poison && !w.panics && !w.trips && err != nil:
					t.Errorf("neighbour failed: %v", err)
				}
			})
		}
		wg.Wait()
		if got := value(t, db, "n"); got != 55 {
			t.Errorf("counted %d works, want 55", got)
		}
	})
}

func TestAPanicOfAWorkInATransactionOfItsCallerIsAnError(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for _, w := range []*raise{{names: []string{"n"}, trips: true}, {names: []string{"n"}, panics: true}} {
			err := db.InTx(context.Background(), func(tx *store.Tx) error { return store.Run(context.Background(), tx, w) })
			if err == nil || !strings.HasPrefix(err.Error(), "raise [n] panicked: broken") {
				t.Errorf("answered %v", err)
			}
		}
		if got := value(t, db, "n"); got != 0 {
			t.Errorf("counted %d works, want none", got)
		}
	})
}

func TestCloseAnswersEveryAcceptedWork(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := store.NewCommitter(db)
		var wg sync.WaitGroup
		var mu sync.Mutex
		committed := 0
		for range 300 {
			wg.Go(func() {
				if c.Do(context.Background(), nil, &raise{names: []string{"n"}}) == nil {
					mu.Lock()
					committed++
					mu.Unlock()
				}
			})
		}
		c.Close()
		wg.Wait()
		if got := value(t, db, "n"); got != committed {
			t.Errorf("%d works are stored, %d were acknowledged", got, committed)
		}
	})
}

func TestInTxKeepsNothingOfAFailure(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		insert := func(tx *store.Tx) error {
			_, err := tx.Exec(context.Background(), "INSERT INTO settings (name, value) VALUES (?, ?)", "k", "v")
			return err
		}
		err := db.InTx(context.Background(), func(tx *store.Tx) error {
			if err := insert(tx); err != nil {
				return err
			}
			return laurel.Errorf(laurel.Refused, "no")
		})
		if laurel.CodeOf(err) != laurel.Refused || value(t, db, "k") != 0 {
			t.Fatalf("refused transaction: %v, value %d", err, value(t, db, "k"))
		}
		// A statement error that the caller ignores still forbids the commit.
		err = db.InTx(context.Background(), func(tx *store.Tx) error {
			_ = insert(tx)
			_ = insert(tx)
			return nil
		})
		if err == nil || value(t, db, "k") != 0 {
			t.Fatalf("ignored duplicate: %v, value %d", err, value(t, db, "k"))
		}
	})
}

func TestRequestKeyIsClaimedWithTheEffect(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := store.NewCommitter(db)
		defer c.Close()
		id := db.NewID()
		request := func() *laurel.RequestKey {
			return &laurel.RequestKey{APIKeyID: id, Key: "k", Path: "/p", Hash: "h"}
		}
		ctx, first := context.Background(), request()
		no := laurel.Errorf(laurel.Refused, "no")
		if err := c.Do(ctx, first, &raise{names: []string{"n"}, refuse: no}); laurel.CodeOf(err) != laurel.Refused ||
			first.Claimed {
			t.Fatalf("a refusal claimed the key: %v", err)
		}
		if err := db.Write(ctx, first, func(*store.Tx) error { return no }); !errors.Is(err, no) || first.Claimed {
			t.Fatalf("a refusal claimed the key: %v", err)
		}
		if err := db.InTx(ctx, func(*store.Tx) error { return nil }); err != nil || first.Claimed {
			t.Fatalf("what is no effect claimed the key: %v", err)
		}
		if err := c.Do(ctx, first, &raise{names: []string{"n"}}); err != nil || !first.Claimed {
			t.Fatalf("the effect did not claim the key: %v", err)
		}
		if err := db.Write(ctx, first, func(*store.Tx) error { return nil }); err != nil {
			t.Fatalf("a second transaction of the request: %v", err)
		}
		if err := c.Do(ctx, request(), &raise{names: []string{"n"}}); !errors.Is(err, store.ErrDuplicateRequest) {
			t.Fatalf("second work under one key: %v", err)
		}
		again := request()
		if err := db.Write(ctx, again, func(*store.Tx) error { return nil }); !errors.Is(err, store.ErrDuplicateRequest) ||
			again.Claimed {
			t.Fatalf("second transaction under one key: %v", err)
		}
		if got := value(t, db, "n"); got != 1 {
			t.Fatalf("effect happened %d times", got)
		}
	})
}

func TestCancelledTransactionsLeaveTheWriterUsable(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for i := range 200 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i%20)*50*time.Microsecond)
			_ = db.InTx(ctx, func(tx *store.Tx) error {
				_, err := tx.Exec(ctx, "INSERT INTO settings (name, value) VALUES (?, ?)", fmt.Sprint("cancelled ", i), "v")
				return err
			})
			cancel()
		}
		if err := db.InTx(context.Background(), func(tx *store.Tx) error {
			_, err := tx.Exec(context.Background(), "INSERT INTO settings (name, value) VALUES (?, ?)", "last", "v")
			return err
		}); err != nil || value(t, db, "last") != 1 {
			t.Fatalf("after cancelled transactions: %v", err)
		}
	})
}

func TestATransactionThatTakesTooLongIsRefusedOnPostgreSQL(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		db := storetest.OpenWith(t, store.Options{URL: address})
		if db.Engine() == store.SQLite {
			return // nothing waits behind a transaction of SQLite's
		}
		err := db.InTx(context.Background(), func(tx *store.Tx) error {
			_, err := tx.Exec(context.Background(), "SELECT pg_sleep(10)")
			return err
		})
		if laurel.CodeOf(err) != laurel.Unavailable {
			t.Fatalf("a transaction of 10 s answered %v", err)
		}
	})
}
