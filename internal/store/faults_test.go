package store_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

func TestAPoisonedWorkIsNamedInTheLog(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		storetest.Open(t, address, nil)
		log := &storetest.Log{}
		db, err := store.Open(t.Context(), store.Options{URL: address, Logger: slog.New(slog.NewTextHandler(log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		c := store.NewCommitter(db)
		defer c.Close()
		var wg sync.WaitGroup
		for i := range 30 {
			w := &raise{names: []string{"sound"}}
			if i == 17 {
				w = &raise{names: []string{"culprit"}, poison: true}
			}
			wg.Go(func() {
				if err := c.Do(context.Background(), nil, w); (err != nil) != w.poison {
					t.Errorf("%s answered %v", w, err)
				}
			})
		}
		wg.Wait()
		output := log.String()
		if strings.Count(output, "set apart") != 1 || !strings.Contains(output, "raise [culprit]") ||
			strings.Contains(output, "raise [sound]") {
			t.Errorf("the log says:\n%s", output)
		}
		if got := value(t, db, "sound"); got != 29 {
			t.Errorf("%d of 29 neighbours are there", got)
		}
	})
}

// reserved is a Work that does not say what it is.
type reserved struct {
	of     raise
	secret string
}

func (r *reserved) Locks() []store.Lock        { return r.of.Locks() }
func (r *reserved) Judge(b *store.Batch) error { return r.of.Judge(b) }

func TestOfAWorkWithoutANameTheLogTellsItsKindOnly(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		storetest.Open(t, address, nil)
		log := &storetest.Log{}
		db, err := store.Open(t.Context(), store.Options{URL: address, Logger: slog.New(slog.NewTextHandler(log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		c := store.NewCommitter(db)
		defer c.Close()
		if err := c.Do(context.Background(), nil, &reserved{raise{names: []string{"a"}, poison: true}, "hush"}); err == nil {
			t.Fatal("it was committed")
		}
		if output := log.String(); strings.Count(output, "work=*store_test.reserved") != 2 || strings.Contains(output, "hush") {
			t.Errorf("the log says:\n%s", output)
		}
	})
}

func TestACancelledWorkIsVisibleOrNeverHappens(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		c := store.NewCommitter(db)
		var done, never atomic.Int64
		var wg sync.WaitGroup
		for lane := range 16 {
			wg.Go(func() {
				chance := rand.New(rand.NewPCG(uint64(lane), 1))
				for range 60 {
					ctx, cancel := context.WithTimeout(context.Background(), time.Duration(chance.IntN(3000))*time.Microsecond)
					switch err := c.Do(ctx, nil, &raise{names: []string{"n"}}); {
					case err == nil:
						done.Add(1)
					case errors.Is(err, context.DeadlineExceeded):
						never.Add(1)
					default:
						t.Error(err)
					}
					cancel()
				}
			})
		}
		wg.Wait()
		c.Close()
		if got := value(t, db, "n"); int64(got) != done.Load() {
			t.Errorf("%d are there, %d were acknowledged, %d given up", got, done.Load(), never.Load())
		}
		if done.Load() == 0 || never.Load() == 0 {
			t.Errorf("%d acknowledged, %d given up: this shows nothing", done.Load(), never.Load())
		}
	})
}

func TestIDsStayUniqueWhenTheClockStepsBack(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		var calls atomic.Int64
		noon := time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)
		// an hour back again and again: the same milliseconds come many times
		db := storetest.Open(t, address, func() time.Time {
			return noon.Add(-time.Hour * time.Duration(calls.Add(1)/100%2))
		})
		const lanes, each = 8, 5000
		made := make([][]laurel.ID, lanes)
		var wg sync.WaitGroup
		for lane := range lanes {
			wg.Go(func() {
				for range each {
					made[lane] = append(made[lane], db.NewID())
				}
			})
		}
		wg.Wait()
		seen := map[laurel.ID]bool{}
		for _, ids := range made {
			for _, id := range ids {
				if seen[id] {
					t.Fatalf("%s was made twice", id)
				}
				seen[id] = true
			}
		}
	})
}
