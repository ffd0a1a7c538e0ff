package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

func TestATransactionNumberIsBelievedOnlyInTheServersPresentLifeOnPostgreSQL(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Engine() == store.SQLite {
			return // a COMMIT that SQLite refuses has changed nothing
		}
		refusal, broken := errors.New("no"), errors.New("the connection broke")
		var committed, aborted store.TxIdentity
		if err := db.InTx(t.Context(), func(tx *store.Tx) error { committed = tx.Identity(); return nil }); err != nil {
			t.Fatal(err)
		}
		if err := db.InTx(
			t.Context(),
			func(tx *store.Tx) error { aborted = tx.Identity(); return refusal },
		); !errors.Is(
			err,
			refusal,
		) {
			t.Fatal(err)
		}
		earlier, elsewhere, gone := committed, committed, aborted
		earlier.BegunAt, elsewhere.Timeline, gone.BegunAt = 0, "FFFFFFFF", 0
		for _, c := range []struct {
			name  string
			birth store.TxIdentity
			known bool
		}{{"committed", committed, true}, {"of an earlier life", earlier, false}, {"of another timeline", elsewhere, false}} {
			if err := db.Outcome(
				t.Context(),
				c.birth,
				broken,
			); c.known != (err == nil) ||
				err != nil && laurel.CodeOf(err) != laurel.Unavailable {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		for _, b := range []store.TxIdentity{aborted, gone} {
			if err := db.Outcome(t.Context(), b, broken); !errors.Is(err, broken) || err.Error() != broken.Error() {
				t.Errorf("aborted: %v", err)
			}
		}
	})
}

func TestAClosedConnectionAndATimeLimitAreAnUnavailableDatabaseOnPostgreSQL(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Engine() == store.SQLite {
			return // it has no connections that others close
		}
		for _, cause := range []error{pgconn.ErrConnClosed, context.DeadlineExceeded} {
			if err := db.Classify(fmt.Errorf("exchange: %w", cause)); laurel.CodeOf(err) != laurel.Unavailable {
				t.Error(err)
			}
		}
	})
}
