package store

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/jackc/pgx/v5"
)

// LockGate is for rows that every Work of a crowd relies on and few change, such as a rule: Works go through the row's
// gate together, and whoever changes the row shuts it. A shared row lock would not do: on PostgreSQL those who share a
// row never queue behind one who waits to change it, so a change would wait as long as the crowd goes on. A gate is a
// lock of the transaction outside of the tables (PostgreSQL manual, advisory locks), where nobody passes one who waits.
// It also writes nothing.
const LockGate LockMode = "gate"

// Shut waits until no Work relies on the rows and keeps others from it until the transaction ends. It comes before the
// rows are locked or changed, on every path that changes them. SQLite's single writer needs no gates.
func (t *Table[K, R]) Shut(ctx context.Context, tx *Tx, keys ...K) error {
	if tx.db.engine == SQLite || len(keys) == 0 {
		return nil
	}
	gates := t.gates(keys)
	slices.Sort(gates)
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(g) FROM unnest(?::bigint[]) AS g", gates)
	return err
}

// gates are the numbers of the keys' gates, the same on every node. Two rows that share one by chance only wait for
// each other now and then.
func (t *Table[K, R]) gates(keys []K) []int64 {
	out := make([]int64, len(keys))
	for i, k := range keys {
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, t.Name, t.Args(k)) // a hash never fails
		out[i] = int64(h.Sum64())               //nolint:gosec // any 64 bits will do
	}
	return out
}

// enter waits at the gates of the keys.
func (t *Table[K, R]) enter(keys []K) queued {
	return queued{
		"SELECT pg_advisory_xact_lock_shared(g) FROM unnest(?::bigint[]) AS g",
		[]any{t.gates(keys)},
		func(r pgx.BatchResults) error {
			_, err := r.Exec()
			return err
		},
	}
}

// gate is one that a batch goes through if it is open, and what becomes of the row behind it if it is not.
type gate struct {
	number int64
	shut   func()
}

// enterAll goes through the gates that are open, all in one statement: nobody waits, so their order is of no account.
func enterAll(gates []gate) queued {
	numbers := make([]int64, len(gates))
	for i, g := range gates {
		numbers[i] = g.number
	}
	return queued{
		"SELECT pg_try_advisory_xact_lock_shared(g) FROM unnest(?::bigint[]) WITH ORDINALITY AS u(g, n) ORDER BY n",
		[]any{numbers},
		func(r pgx.BatchResults) error {
			rows, err := r.Query()
			if err != nil {
				return err
			}
			open, err := pgx.CollectRows(rows, pgx.RowTo[bool])
			for i, passed := range open {
				if !passed {
					gates[i].shut()
				}
			}
			return err
		},
	}
}
