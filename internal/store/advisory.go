package store

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/jackc/pgx/v5"
)

// LockAdvisory is for rows that many Works read at once and that change rarely, such as a rule. Works take a shared
// advisory lock of the row (PostgreSQL manual, advisory locks), and a change takes it exclusively. A shared row lock
// would not do: on PostgreSQL new readers pass a writer who waits for the row, so under steady load a change would wait
// forever. Nobody passes a writer who waits for an advisory lock. Taking one also writes nothing to the table.
const LockAdvisory LockMode = "advisory"

// LockExclusively takes the advisory locks of the rows exclusively, for a transaction that changes the rows. It waits
// for the transactions that share them, which run Works that need the rows; later ones wait until this transaction
// ends. For a table with LockAdvisory, all code must call it before it locks or changes rows. On SQLite, which has a
// single writer, it does nothing.
func (t *Table[K, R]) LockExclusively(ctx context.Context, tx *Tx, keys ...K) error {
	if tx.db.engine == SQLite || len(keys) == 0 {
		return nil
	}
	advisoryKeys := t.advisoryKeys(keys)
	slices.Sort(advisoryKeys)
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(g) FROM unnest(?::bigint[]) AS g", advisoryKeys)
	return err
}

// advisoryKeys returns the number of each row's advisory lock: a hash of table and key, the same on every node. If two
// rows have the same hash, they share a lock, which only makes some transactions wait needlessly.
func (t *Table[K, R]) advisoryKeys(keys []K) []int64 {
	out := make([]int64, len(keys))
	for i, k := range keys {
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, t.Name, t.Args(k)) // a hash never fails
		out[i] = int64(h.Sum64())               //nolint:gosec // any 64 bits will do
	}
	return out
}

// lockShared returns the statement that takes the shared advisory locks of the rows. The statement waits for
// transactions that hold one exclusively because they change the row.
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

// advisoryLock is the advisory lock of one row that a batch tries to share. onBusy is called if another transaction
// holds it exclusively.
type advisoryLock struct {
	key    int64
	onBusy func()
}

// tryLockShared returns one statement that tries to share each of the advisory locks, and calls onBusy for those that
// another transaction holds exclusively. It never waits, so the order of the locks does not matter.
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

// AdvisoryLock takes the exclusive advisory lock of that name until the transaction ends. It is for decisions about
// rows that may not exist yet and so cannot be locked. It must come before every other lock, so that no deadlock
// arises. SQLite has a single writer and needs no such lock.
func (tx *Tx) AdvisoryLock(ctx context.Context, name string) error {
	if tx.db.engine == SQLite {
		return nil
	}
	_, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", name)
	return err
}
