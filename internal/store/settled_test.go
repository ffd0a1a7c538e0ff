package store_test

import (
	"context"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

func TestOnlyAMomentBehindEveryWriterIsSettled(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := context.Background()
		age := func() time.Duration {
			t.Helper()
			d, err := db.OldestWriter(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		if got := age(); got != 0 {
			t.Errorf("a writer of %s before any", got)
		}
		err := db.Snapshot(ctx, func(q store.Queryer) error {
			var n int
			if err := q.Get(ctx, &n, "SELECT COUNT(*) FROM users"); err != nil {
				return err
			}
			if got := age(); got != 0 {
				t.Errorf("a reader counts as a writer of %s", got)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = db.InTx(ctx, func(*store.Tx) error {
			time.Sleep(50 * time.Millisecond)
			if got := age(); got < 50*time.Millisecond || got > 10*time.Second {
				t.Errorf("the writer of 50 ms is reported as %s", got)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := age(); got != 0 {
			t.Errorf("a writer of %s after all", got)
		}
		now := db.Now()
		settled, err := db.Settled(ctx)
		if err != nil || settled.After(db.Now().Add(-15*time.Second)) || settled.Before(now.Add(-16*time.Second)) {
			t.Errorf("settled is %s at %s: %v", settled, now, err)
		}
		if err := db.RequireSettled(ctx, "asOf", settled); err != nil {
			t.Errorf("the settled moment is refused: %v", err)
		}
		if err := db.RequireSettled(
			ctx,
			"asOf",
			now,
		); laurel.CodeOf(err) != laurel.Invalid ||
			err.Error() != "asOf must not be later than what is settled" {
			t.Errorf("now: %v", err)
		}
	})
}

func TestATransactionBeyondItsTimeIsNeverCommitted(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		db := storetest.OpenWith(t, store.Options{URL: address})
		if db.Engine() == store.SQLite {
			return // one writer and no readers behind a horizon: nothing is bounded
		}
		ctx := context.Background()
		id := db.NewID()
		err := db.InTx(ctx, func(tx *store.Tx) error {
			_, err := tx.Exec(ctx, "INSERT INTO settings (name, value) VALUES (?, '')", id.String())
			time.Sleep(2100 * time.Millisecond) // a node that stands still between its last statement and COMMIT
			return err
		})
		var n int
		if counted := db.Get(
			ctx,
			&n,
			"SELECT COUNT(*) FROM settings WHERE name = ?",
			id.String(),
		); counted != nil || n != 0 ||
			!store.TookTooLong(err) {
			t.Errorf("%d rows, %v, %v", n, err, counted)
		}
	})
}
