package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

func TestReadsNeverKeepTransactionsWaiting(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		const connections = 64 // more than any pool has
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		reading, release := make(chan struct{}, connections), make(chan struct{})
		var readers sync.WaitGroup
		for range connections {
			readers.Go(func() {
				_ = db.Snapshot(context.Background(), func(store.Queryer) error {
					reading <- struct{}{}
					<-release
					return nil
				})
			})
		}
		for range map[store.Engine]int{store.SQLite: 8, store.Postgres: 24}[db.Engine()] {
			<-reading
		}
		err := db.InTx(ctx, func(*store.Tx) error { return nil })
		if err == nil {
			c := store.NewCommitter(db)
			defer c.Close()
			err = c.Do(ctx, nil, &raise{names: []string{"n"}})
		}
		if err != nil {
			t.Errorf("a transaction beside readers: %v", err)
		}
		close(release)
		readers.Wait()
	})
}
