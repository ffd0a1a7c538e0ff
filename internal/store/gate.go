package store

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/jackc/pgx/v5"
)

// LockGate is for rows that every Work of a crowd relies on and few change, such as a rule: Works go through the row's gate together, and whoever
// changes the row shuts it. A shared row lock would not do: on PostgreSQL those who share a row never queue behind one who waits to change
// it, so a change would wait as long as the crowd goes on. A gate is a lock of the transaction outside of the tables (PostgreSQL manual,
// advisory locks), where nobody passes one who waits. It also writes nothing.
const LockGate LockMode = "gate"

// Shut waits until no Work relies on the rows and keeps others from it until the transaction ends. It comes before the rows are locked or changed,
// on every path that changes them. SQLite's single writer needs no gates.
func (t *Table[K, R]) Shut(ctx context.Context, tx *Tx, keys ...K) error {
	if tx.db.engine == SQLite || len(keys) == 0 {
		return nil
	}
	gates := t.gates(keys)
	slices.Sort(gates)
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(g) FROM unnest(?::bigint[]) AS g", gates)
	return err
}

// gates are the numbers of the keys' gates, the same on every node. Two rows that share one by chance only wait for each other now and then.
func (t *Table[K, R]) gates(keys []K) []int64 {
	out := make([]int64, len(keys))
	for i, k := range keys {
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, t.Name, t.Args(k)) // a hash never fails
		out[i] = int64(h.Sum64())               //nolint:gosec // any 64 bits will do
	}
	return out
}

// enter goes through the gates of the keys: with wait, else noting those that are shut.
func (l *tableLoad[K, R]) enter(wait bool) queued {
	gates := l.table.gates(l.keys)
	if wait {
		return queued{"SELECT pg_advisory_xact_lock_shared(g) FROM unnest(?::bigint[]) AS g", []any{gates}, func(r pgx.BatchResults) error {
			_, err := r.Exec()
			return err
		}}
	}
	return queued{"SELECT pg_try_advisory_xact_lock_shared(g) FROM unnest(?::bigint[]) WITH ORDINALITY AS u(g, n) ORDER BY n", []any{gates},
		func(r pgx.BatchResults) error {
			rows, err := r.Query()
			if err != nil {
				return err
			}
			open, err := pgx.CollectRows(rows, pgx.RowTo[bool])
			for i, passed := range open {
				if !passed {
					l.held[l.keys[i]] = true
				}
			}
			return err
		}}
}
