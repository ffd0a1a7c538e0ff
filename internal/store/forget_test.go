package store_test

import (
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

func TestOldAnswersAreForgottenInShortTransactions(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		const old, young = 3500, 3
		start := db.Now().Add(-48 * time.Hour)
		rows := make([][]any, 0, old+young)
		key := db.NewID()
		for i := range old + young {
			at := start
			if i >= old {
				at = db.Now()
			}
			rows = append(rows, []any{key, fmt.Sprint("key ", i), "/p", "h", store.Micros(at), 0, ""})
		}
		must(t, db.InTx(ctx, func(tx *store.Tx) error {
			_, err := tx.InsertRows(ctx, store.Insert{
				Table: "request_keys",
				Columns: store.Columns(
					"api_key_id uuid, idempotency_key text, path text, hash text, created_at bigint, status bigint, answer text",
				),
			}, rows)
			return err
		}))
		if db.Engine() == store.Postgres {
			refuseLongDeletes(t, db)
		}
		must(t, db.DeleteOldRequestKeys(ctx, start.Add(time.Hour)))
		var left int
		must(t, db.Get(ctx, &left, "SELECT COUNT(*) FROM request_keys"))
		if left != young {
			t.Errorf("%d keys are left, want %d", left, young)
		}
	})
}

// refuseLongDeletes makes a statement fail that removes more than 1000 keys, which may take longer than a transaction
// may.
func refuseLongDeletes(t *testing.T, db *store.DB) {
	t.Helper()
	must(t, db.InTx(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), `CREATE FUNCTION few() RETURNS trigger LANGUAGE plpgsql AS
			'BEGIN IF (SELECT COUNT(*) FROM gone) > 1000 THEN RAISE ''too many''; END IF; RETURN NULL; END'`)
		if err == nil {
			_, err = tx.Exec(
				t.Context(),
				`CREATE TRIGGER few AFTER DELETE ON request_keys REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION few()`,
			)
		}
		return err
	}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
