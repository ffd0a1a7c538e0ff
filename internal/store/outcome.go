package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// birth is what a PostgreSQL transaction is known by when its COMMIT breaks. Its number alone would not do: a server
// that crashes forgets the numbers of transactions that it had not written down yet, and gives them to others when it
// is back.
type birth struct {
	XID      string `db:"xid"`
	At       int64  `db:"born"`     // by the server's clock, microseconds
	Timeline string `db:"timeline"` // of the write-ahead log: another one when a standby takes over
}

const selectBirth = `SELECT pg_current_xact_id()::text AS xid, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint) AS born,
	left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline`

// fate is what became of a transaction, and whether the server has recovered since: it then began anew to count, or at
// least its statistics (PostgreSQL manual, monitoring: they are reset by a recovery).
type fate struct {
	Status    sql.NullString `db:"status"`
	Recovered bool           `db:"recovered"`
}

const selectFate = `SELECT pg_xact_status(CAST(CAST(? AS text) AS xid8)) AS status,
	EXTRACT(EPOCH FROM GREATEST(pg_postmaster_start_time(), (SELECT stats_reset FROM pg_stat_wal))) * 1000000 >= CAST(? AS bigint)
	OR left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) <> CAST(? AS text) AS recovered`

// outcome asks on a new connection what became of a transaction whose COMMIT broke: nil when it is committed,
// a retryable error when it is aborted, Unavailable when that cannot be known.
func (db *DB) outcome(ctx context.Context, b birth, cause error) error {
	for range 50 {
		var f fate
		err := db.Get(ctx, &f, selectFate, b.XID, b.At, b.Timeline)
		switch {
		case err != nil:
		case f.Status.String == "committed" && !f.Recovered:
			return nil
		case f.Status.String == "aborted": // whoever has the number now: had this one committed, it would still be its own
			return &dbError{kind: errRetry, err: cause}
		case !f.Status.Valid, f.Status.String == "committed":
			return unknownOutcome(cause)
		}
		select {
		case <-ctx.Done():
			return unknownOutcome(cause)
		case <-time.After(100 * time.Millisecond):
		}
	}
	return unknownOutcome(cause)
}

func unknownOutcome(cause error) error {
	return &dbError{kind: errDown, err: fmt.Errorf("the outcome of COMMIT is unknown: %w", cause)}
}
