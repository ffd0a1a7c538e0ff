package store_test

import (
	"context"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

func TestPingAnswersBesideTransactions(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		for range 3 {
			if err := db.Ping(ctx); err != nil {
				t.Fatal(err)
			}
			if err := db.InTx(ctx, func(*store.Tx) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
	})
}
