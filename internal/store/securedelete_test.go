package store_test

import (
	"context"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

func TestALogThatSomebodyReadsIsNotCalledEmpty(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Engine() != store.SQLite {
			return // PostgreSQL promises nothing of the kind
		}
		ctx := context.Background()
		overwrite := func() error {
			return db.InTx(ctx, func(tx *store.Tx) error {
				_, err := tx.Exec(ctx, "INSERT INTO settings (name, value) VALUES (?, 'v')", tx.NewID().String())
				return err
			})
		}
		err := db.Snapshot(ctx, func(q store.Queryer) error {
			var n int
			if err := q.Get(ctx, &n, "SELECT COUNT(*) FROM settings"); err != nil {
				return err
			}
			if err := db.WithSecureDelete(ctx, overwrite); err == nil {
				t.Error("a log that is read was called empty")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.WithSecureDelete(ctx, overwrite); err != nil {
			t.Errorf("nobody reads: %v", err)
		}
	})
}
