package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

func TestAWriteThatFindsNoRoomIsRememberedForSomeSeconds(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		now := time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)
		db := storetest.Open(t, address, func() time.Time { return now })
		ctx := context.Background()
		if err := db.RecentWriteRefusal(); err != nil {
			t.Fatal(err)
		}
		full := map[store.Engine]string{ // SQLite is never asked whether it may write
			store.SQLite: "PRAGMA max_page_count = 1", store.Postgres: "SET TRANSACTION READ ONLY",
		}
		err := db.InTx(ctx, func(tx *store.Tx) error {
			if _, err := tx.Exec(ctx, full[db.Engine()]); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, "INSERT INTO settings (name, value) VALUES ('large', ?)", strings.Repeat("x", 1<<20))
			return err
		})
		if err == nil || !store.IsFault(err) {
			t.Fatalf("the write was taken: %v", err)
		}
		if db.RecentWriteRefusal() == nil {
			t.Error("the refusal is forgotten")
		}
		now = now.Add(16 * time.Second)
		if err := db.RecentWriteRefusal(); err != nil {
			t.Errorf("after some seconds: %v", err)
		}
	})
}
