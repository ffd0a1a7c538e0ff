package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// txIdentity identifies a PostgreSQL transaction, to look up its outcome if the connection breaks during COMMIT. Its id
// alone is not enough: a server that crashes forgets ids that it had not written to disk, and assigns them again.
type txIdentity struct {
	XID      string `db:"xid"`
	BegunAt  int64  `db:"born"`     // by the server's clock, microseconds
	Timeline string `db:"timeline"` // of the write-ahead log; it changes when a standby takes over
}

const selectTxIdentity = `SELECT pg_current_xact_id()::text AS xid, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS bigint) AS born,
	left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline`

// txStatus is the outcome of a transaction, and whether the server has recovered from a crash since it began. After a
// recovery its id may belong to another transaction. A recovery resets the statistics (PostgreSQL manual, monitoring).
type txStatus struct {
	Status       sql.NullString `db:"status"`
	HasRecovered bool           `db:"recovered"`
}

const selectTxStatus = `SELECT pg_xact_status(CAST(CAST(? AS text) AS xid8)) AS status,
	EXTRACT(EPOCH FROM GREATEST(pg_postmaster_start_time(), (SELECT stats_reset FROM pg_stat_wal))) * 1000000 >= CAST(? AS bigint)
	OR left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) <> CAST(? AS text) AS recovered`

// findCommitOutcome looks up, on a new connection, the outcome of a transaction whose connection broke during COMMIT.
// It returns nil if the transaction is committed, a retryable error if it is aborted, and Unavailable if that cannot be
// known, for example because the server has recovered from a crash since. It tries for 5 s.
func (db *DB) findCommitOutcome(ctx context.Context, identity txIdentity, cause error) error {
	for range 50 {
		var status txStatus
		err := db.Get(ctx, &status, selectTxStatus, identity.XID, identity.BegunAt, identity.Timeline)
		switch {
		case err != nil: // the database is not reachable yet: try again
		case status.Status.String == "committed" && !status.HasRecovered:
			return nil
		case status.Status.String == "aborted": // even after a recovery: a committed transaction would have kept its id
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

// unknownOutcome returns the error for a COMMIT of which the outcome cannot be known. Callers see Unavailable.
func unknownOutcome(cause error) error {
	return &dbError{kind: errDown, err: fmt.Errorf("the outcome of COMMIT is unknown: %w", cause)}
}
