package store

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/jackc/pgx/v5"
)

// LockAdvisory is for rows that every Work of a crowd relies on and few change, such as a rule: Works go through the row's
// gate together, and whoever changes the row shuts it. A shared row lock would not do: on PostgreSQL those who share a
// row never queue behind one who waits to change it, so a change would wait as long as the crowd goes on. A gate is a
// lock of the transaction outside of the tables (PostgreSQL manual, advisory locks), where nobody passes one who waits.
// It also writes nothing.
const LockAdvisory LockMode = "gate"

// LockExclusively waits until no Work relies on the rows and keeps others from it until the transaction ends. It comes before the
// rows are locked or changed, on every path that changes them. SQLite's single writer needs no gates.
func (t *Table[K, R]) LockExclusively(ctx context.Context, tx *Tx, keys ...K) error {
	if tx.db.engine == SQLite || len(keys) == 0 {
		return nil
	}
	advisoryKeys := t.advisoryKeys(keys)
	slices.Sort(advisoryKeys)
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(g) FROM unnest(?::bigint[]) AS g", advisoryKeys)
	return err
}

// advisoryKeys are the numbers of the keys' gates, the same on every node. Two rows that share one by chance only wait for
// each other now and then.
func (t *Table[K, R]) advisoryKeys(keys []K) []int64 {
	out := make([]int64, len(keys))
	for i, k := range keys {
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, t.Name, t.Args(k)) // a hash never fails
		out[i] = int64(h.Sum64())               //nolint:gosec // any 64 bits will do
	}
	return out
}

// lockShared waits at the gates of the keys.
func (t *Table[K, R]) lockShared(keys []K) statement {
	return statement{
		"SELECT pg_advisory_xact_lock_shared(g) FROM unnest(?::bigint[]) AS g",
		[]any{t.advisoryKeys(keys)},
		func(r pgx.BatchResults) error {
			_, err := r.Exec()
			return err
		},
	}
}

// advisoryLock is one that a batch goes through if it is open, and what becomes of the row behind it if it is not.
type advisoryLock struct {
	key    int64
	onBusy func()
}

// tryLockShared goes through the gates that are open, all in one statement: nobody waits, so their order is of no account.
func tryLockShared(locks []advisoryLock) statement {
	keys := make([]int64, len(locks))
	for i, g := range locks {
		keys[i] = g.key
	}
	return statement{
		"SELECT pg_try_advisory_xact_lock_shared(g) FROM unnest(?::bigint[]) WITH ORDINALITY AS u(g, n) ORDER BY n",
		[]any{keys},
		func(r pgx.BatchResults) error {
			rows, err := r.Query()
			if err != nil {
				return err
			}
			acquired, err := pgx.CollectRows(rows, pgx.RowTo[bool])
			for i, ok := range acquired {
				if !ok {
					locks[i].onBusy()
				}
			}
			return err
		},
	}
}

// AdvisoryLock keeps other transactions that name the same from going on until this one ends: for decisions on rows that
// may not be there yet, which nobody can lock. It comes before every other lock, so that no cycle of waiting arises.
// SQLite's single writer takes turns anyway.
func (tx *Tx) AdvisoryLock(ctx context.Context, name string) error {
	if tx.db.engine == SQLite {
		return nil
	}
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", name)
	return err
}
