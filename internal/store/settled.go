package store

import (
	"context"
	"time"

	"laurel.example/laurel"
)

// settleAfter is the age from which a moment is settled: a write transaction may take txLimit, the session of a stalled
// node ends after idle_in_transaction_session_timeout (10 s, postgres.go), and the clocks of two nodes may differ by
// clockSkew.
const (
	clockSkew   = 3 * time.Second
	settleAfter = txLimit + 10*time.Second + clockSkew
)

// Settled returns the newest settled moment: no transaction that may still commit has a Now at or before it. So the
// rows dated by Tx.Now up to then are final, and every read that begins after this call sees all of them.
//
// A transaction takes its id with BEGIN and reads its Now afterwards. So every transaction that may still commit with
// such a Now has an id already, and oldestWriter sees it until its effects are visible, however long its COMMIT takes
// (a stalled disk, an unreachable synchronous standby). Its age is measured by the database's clock and used as a
// duration, so only the nodes' clocks must agree, within clockSkew. SQLite has one writer, whose age this process
// knows.
func (db *DB) Settled(ctx context.Context) (time.Time, error) {
	now := db.Now()
	oldest, err := db.oldestWriter(ctx)
	if err != nil {
		return time.Time{}, err
	}
	return now.Add(-max(settleAfter, oldest+clockSkew)), nil
}

// SettledAtMost returns an upper bound of the moments that Settled has returned so far on any node, unless a clock
// stepped back or is wrong by more than clockSkew.
func (db *DB) SettledAtMost() time.Time { return db.Now().Add(clockSkew - settleAfter) }

// RequireSettled returns nil if the moment is settled (see Settled), else a validation error for the field.
func (db *DB) RequireSettled(ctx context.Context, field string, at time.Time) error {
	settled, err := db.Settled(ctx)
	if err != nil {
		return err
	}
	var f laurel.Faults
	if at.After(settled) {
		f.Add(field, "must not be later than what is settled")
	}
	return f.Err()
}

// oldestWriter returns for how long the oldest write transaction under way has been running, on any node, or 0 if there
// is none.
func (db *DB) oldestWriter(ctx context.Context) (time.Duration, error) {
	if db.engine == SQLite {
		if began := db.writer.begunAt.Load(); began != nil {
			return time.Since(*began), nil
		}
		return 0, nil
	}
	// Only the role's own sessions: every node has the same role, and a role sees all of its own.
	var micros int64
	err := db.Get(
		ctx,
		&micros,
		`SELECT CAST(COALESCE(MAX(EXTRACT(EPOCH FROM clock_timestamp() - xact_start)), 0) * 1000000 AS BIGINT)
		FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND backend_xid IS NOT NULL`,
	)
	return time.Duration(micros) * time.Microsecond, err
}
