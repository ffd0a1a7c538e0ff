package store

import (
	"context"
	"time"

	"laurel"
)

// settleAfter is how long a moment waits until it is settled: a write transaction may take txLimit, a stalled node's
// session is ended after idle_in_transaction_session_timeout (10 s, postgres.go), and clockSkew is how far the clocks
// of two nodes may be apart.
const (
	clockSkew   = 3 * time.Second
	settleAfter = txLimit + 10*time.Second + clockSkew
)

// Settled returns a moment such that no transaction that may still commit has a Now at or before it: what is dated by
// Tx.Now up to there never changes again, and every read that begins after this call sees all of it.
//
// A transaction takes its id with BEGIN and reads its Now afterwards, so whatever may still commit with a Now up to
// here has an id by now. It is seen until its effects are visible, however long its COMMIT takes (a stalled disk, a
// synchronous standby that is away); its age is measured by the database's clock and compared as a duration, so only
// the nodes' clocks must agree, within clockSkew. SQLite has one writer, whose age this process knows.
func (db *DB) Settled(ctx context.Context) (time.Time, error) {
	now := db.Now()
	oldest, err := db.oldestWriter(ctx)
	if err != nil {
		return time.Time{}, err
	}
	return now.Add(-max(settleAfter, oldest+clockSkew)), nil
}

// SettledAtMost returns a moment that no node can have been answered by Settled so far, unless a clock stepped back or
// is wrong by more than clockSkew.
func (db *DB) SettledAtMost() time.Time { return db.Now().Add(clockSkew - settleAfter) }

// RequireSettled is a fault of the named field unless the moment is settled.
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

// oldestWriter returns the age of the oldest transaction under way that writes, 0 where there is none.
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
