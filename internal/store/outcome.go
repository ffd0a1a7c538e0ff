package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// txIdentity is what a PostgreSQL transaction is known by when its COMMIT breaks. Its number alone would not do: a server
// that crashes forgets the numbers of transactions that it had not written down yet, and gives them to others when it
// is back.
type txIdentity struct {
	XID      string `db:"xid"`
	BegunAt  int64  `db:"born"`     // by the server's clock, microseconds
	Timeline string `db:"timeline"` // of the write-ahead log: another one when a standby takes over
}

const selectTxIdentity = `SELECT pg_current_xact_id()::text AS xid, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint) AS born,
	left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline`

// txStatus is what became of a transaction, and whether the server has recovered since: it then began anew to count, or at
// least its statistics (PostgreSQL manual, monitoring: they are reset by a recovery).
type txStatus struct {
	Status       sql.NullString `db:"status"`
	HasRecovered bool           `db:"recovered"`
}

const selectTxStatus = `SELECT pg_xact_status(CAST(CAST(? AS text) AS xid8)) AS status,
	EXTRACT(EPOCH FROM GREATEST(pg_postmaster_start_time(), (SELECT stats_reset FROM pg_stat_wal))) * 1000000 >= CAST(? AS bigint)
	OR left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) <> CAST(? AS text) AS recovered`

// findCommitOutcome asks on a new connection what became of a transaction whose COMMIT broke: nil when it is committed,
// a retryable error when it is aborted, Unavailable when that cannot be known.
func (db *DB) findCommitOutcome(ctx context.Context, identity txIdentity, cause error) error {
	for range 50 {
		var status txStatus
		err := db.Get(ctx, &status, selectTxStatus, identity.XID, identity.BegunAt, identity.Timeline)
		switch {
		case err != nil:
		case status.Status.String == "committed" && !status.HasRecovered:
			return nil
		case status.Status.String == "aborted": // whoever has the number now: had this one committed, it would still be its own
			return &dbError{kind: errRetry, err: cause}
		case !status.Status.Valid, status.Status.String == "committed":
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
