package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// idle is a Work without rows.
type idle struct{}

func (idle) Locks() []store.Lock      { return nil }
func (idle) Judge(*store.Batch) error { return nil }

func TestNoCallerHangsWhenTheCommitterCloses(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		for range 60 {
			c := store.NewCommitter(db)
			var callers sync.WaitGroup
			for range 64 {
				callers.Go(func() {
					for c.Do(context.Background(), nil, idle{}) == nil {
					}
				})
			}
			time.Sleep(3 * time.Millisecond)
			c.Close()
			all := make(chan struct{})
			go func() { callers.Wait(); close(all) }()
			select {
			case <-all:
			case <-time.After(20 * time.Second):
				t.Fatal("a caller waits for ever")
			}
		}
	})
}

// hold locks the row in a transaction of another node until release is closed.
func hold(t *testing.T, db *store.DB, name string) (release func()) {
	t.Helper()
	held, let, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		if err := db.InTx(context.Background(), func(tx *store.Tx) error {
			var value string
			err := tx.Get(context.Background(), &value, "SELECT value FROM settings WHERE name = ?"+tx.ForUpdate(), name)
			close(held)
			<-let
			return err
		}); err != nil {
			t.Error(err)
		}
	}()
	<-held
	return sync.OnceFunc(func() { close(let); <-ended })
}

func TestARowHeldElsewhereKeepsBackOnlyTheWorksThatNeedItOnPostgreSQL(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Engine() == store.SQLite {
			return // one writer: no row is held elsewhere
		}
		c := store.NewCommitter(db)
		defer c.Close()
		for _, name := range []string{"held", "shared"} {
			if err := c.Do(context.Background(), nil, &raise{names: []string{name}}); err != nil {
				t.Fatal(err)
			}
		}
		release := hold(t, db, "held")
		defer release()
		var waiting sync.WaitGroup
		for i := range 20 { // more than there are transactions aside, some with a second row in common
			waiting.Go(func() {
				if err := c.Do(
					context.Background(),
					nil,
					&raise{names: []string{"held", []string{"shared", fmt.Sprint("own ", i)}[i%2]}},
				); err != nil {
					t.Error(err)
				}
			})
		}
		for i := range 40 {
			if err := c.Do(context.Background(), nil, &raise{names: []string{fmt.Sprint("other ", i)}}); err != nil {
				t.Fatal(err)
			}
		}
		if got := value(t, db, "held"); got != 1 {
			t.Errorf("the held row is %d before it is released", got)
		}
		release()
		waiting.Wait()
		if held, shared := value(t, db, "held"), value(t, db, "shared"); held != 21 || shared != 11 {
			t.Errorf("held is %d and shared %d, want 21 and 11", held, shared)
		}
	})
}
