package store_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// once makes a row that it presumes to be absent, and is refused where it is there.
type once struct {
	name   string
	judged *atomic.Int64
}

func (o once) Locks() []store.Lock { return []store.Lock{counters.LockPresumedAbsent(o.name)} }

func (o once) Judge(b *store.Batch) error {
	o.judged.Add(1)
	if counters.Row(b, o.name).Value != "" {
		return laurel.Errorf(laurel.Refused, "there already")
	}
	counters.Changed(b, o.name).Value = "x"
	return nil
}

func TestAPresumedRowThatIsThereIsReadAndItsBatchRunsAgain(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		// Two committers stand for two nodes on one database.
		nodes := []*store.Committer{store.NewCommitter(db), store.NewCommitter(db)}
		var judged, made, refused atomic.Int64
		var wg sync.WaitGroup
		names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
		const times = 12
		for i := range len(names) * times {
			wg.Go(func() {
				switch err := nodes[i/3%2].Do(context.Background(), nil, once{names[i%len(names)], &judged}); {
				case err == nil:
					made.Add(1)
				case laurel.CodeOf(err) == laurel.Refused:
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, c := range nodes {
			c.Close()
		}
		if made.Load() != int64(len(names)) || refused.Load() != int64(len(names)*(times-1)) {
			t.Errorf("%d made, %d refused", made.Load(), refused.Load())
		}
		for _, name := range names {
			if value(t, db, name) != 1 {
				t.Errorf("%s was made %d times", name, value(t, db, name))
			}
		}
	})
}

func TestAPresumedRowIsNotRead(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := store.NewCommitter(db)
		defer c.Close()
		var judged atomic.Int64
		if err := c.Do(context.Background(), nil, once{"new", &judged}); err != nil || judged.Load() != 1 {
			t.Errorf("judged %d times: %v", judged.Load(), err)
		}
		judged.Store(0)
		if err := c.Do(
			context.Background(),
			nil,
			once{"new", &judged},
		); laurel.CodeOf(err) != laurel.Refused ||
			judged.Load() != 2 {
			t.Errorf("of one that is there: judged %d times: %v", judged.Load(), err)
		}
	})
}

func TestIDsGoToTheDatabaseAndBack(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		id := db.NewID()
		if err := db.InTx(context.Background(), func(tx *store.Tx) error {
			for _, want := range []laurel.ID{id, {}} {
				var row struct {
					Same, Null laurel.ID
					Pointer    *laurel.ID
					Text       *string
				}
				kind := tx.Typed("uuid")
				if err := tx.Get(
					context.Background(),
					&row,
					`SELECT `+kind+` AS same, NULL AS "null", `+kind+` AS pointer, CAST(`+kind+` AS TEXT) AS text`,
					want,
					want.Ptr(),
					want,
				); err != nil {
					return err
				}
				if row.Same != want || !row.Null.IsZero() || (row.Pointer == nil) != want.IsZero() ||
					(row.Text == nil) != want.IsZero() ||
					row.Text != nil && *row.Text != want.String() {
					t.Errorf("%s came back as %+v", want, row)
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	})
}
