package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
)

// Work is one caller's part of a transaction that a Committer shares among callers: the rows that it needs, and a
// decision on them.
type Work interface {
	// Locks names every row the decision reads or changes.
	Locks() []Lock
	// Judge decides on the locked rows. It uses no database and no clock other than b, and stages what is to be written.
	// An error refuses this Work alone, but rows that it staged or changed before are committed with the others. So a
	// refusal stages only what it wants stored, and a Judge that returns ErrStale stages nothing. Judge may run several
	// times, each time on freshly read rows.
	Judge(b *Batch) error
}

// LateLocker is a Work that learns only from rows that it has locked which further rows it needs. For example, a bid
// must change the account of the highest bidder. That changes with every bid, so only the locked auction says who it
// is.
type LateLocker interface {
	Work
	// LateLocks names the further rows. It is called before Judge, once the rows of Locks are locked, and again until the
	// batch has locked every row that it names.
	LateLocks(b *Batch) []Lock
}

// ErrStale is returned by a Judge whose Work was prepared from rows that have changed since, so that the caller
// prepares it again.
var ErrStale = errors.New("store: prepared on rows that have changed since")

// Batch holds the locked rows of some Works and what they stage.
type Batch struct {
	tx            *Tx
	rows          map[anyTable]*rowSet
	added         map[anySink][]any
	skipsPresumed bool // rows that are presumed to be absent are not read
}

func newBatch(tx *Tx) *Batch {
	return &Batch{tx: tx, rows: map[anyTable]*rowSet{}, added: map[anySink][]any{}}
}

// Now is the one time of the transaction.
func (b *Batch) Now() time.Time { return b.tx.now }

// NowAfter returns the time of the next change of a record that was changed last at a moment, as Tx.NowAfter does.
func (b *Batch) NowAfter(last time.Time) time.Time { return b.tx.NowAfter(last) }

// NewID makes a version 7 UUID.
func (b *Batch) NewID() laurel.ID { return b.tx.NewID() }

// Run runs one Work in the caller's transaction: it locks the rows of w.Locks, waiting for those that others have
// locked, calls w.Judge, and writes what Judge staged. It is for rare operations; frequent ones use a Committer.
// Errors: the error of Judge, a failure of the database, or a panic of the Work. The caller must roll back after any
// error.
func Run(ctx context.Context, tx *Tx, w Work) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s %w: %v", workName(w), panics.ErrCaught, p)
		}
	}()
	b := newBatch(tx)
	if err := b.lock(ctx, w.Locks(), true /* wait */); err != nil {
		return err
	}
	refusal, err := b.judge(ctx, w)
	if err := errors.Join(err, refusal); err != nil {
		return err
	}
	return b.flush(ctx)
}

// judge calls the Judge of a Work, one caller's part of the batch. refusal is the error of Judge, which concerns only
// that caller; err fails the whole batch. For a LateLocker, judge first locks the rows of LateLocks, and asks for them
// again until all that it names are locked. It does not wait for locks: if another transaction holds one of the rows,
// the refusal is ErrStale.
func (b *Batch) judge(ctx context.Context, w Work) (refusal, err error) {
	lateLocker, locksLate := w.(LateLocker)
	if !locksLate {
		return w.Judge(b), nil
	}
	for needed := lateLocker.LateLocks(b); !b.Holds(needed...); needed = lateLocker.LateLocks(b) {
		missing := slices.DeleteFunc(needed, func(l Lock) bool { return b.Holds(l) })
		// Rows that come later in the lock order are locked already, so waiting here could deadlock: rows that others hold
		// are skipped.
		if err := b.lock(ctx, missing, false); err != nil {
			return nil, err
		}
		if !b.Holds(missing...) {
			return ErrStale, nil
		}
	}
	return w.Judge(b), nil
}

// lock locks the rows and loads them into the batch, table by table in rank order, the one order in which all
// transactions lock. Without waitForLocks, rows that another transaction has locked are left out of the batch. Rows
// that do not exist are loaded as new ones.
func (b *Batch) lock(ctx context.Context, locks []Lock, waitForLocks bool) error {
	needed := map[anyTable]neededKeys{}
	for _, l := range locks {
		if needed[l.table] == nil {
			needed[l.table] = neededKeys{}
		}
		// A row is read unless all its locks presume it absent and the batch skips such rows.
		if mustRead := !l.isPresumedAbsent || !b.skipsPresumed; mustRead || !needed[l.table][l.key] {
			needed[l.table][l.key] = mustRead
		}
	}
	if b.tx.db.engine == Postgres {
		return b.lockPostgres(ctx, needed, waitForLocks)
	}
	for _, t := range byRank(maps.Keys(needed)) {
		rows, err := t.load(ctx, b.tx, needed[t])
		if err != nil {
			return fmt.Errorf("lock: %w", err)
		}
		b.addRows(t, rows)
	}
	return nil
}

// addRows adds locked rows of a table to the batch.
func (b *Batch) addRows(t anyTable, rows map[any]any) {
	if set := b.rows[t]; set != nil {
		maps.Copy(set.rows, rows)
		return
	}
	b.rows[t] = &rowSet{rows: rows, changed: map[any]bool{}}
}

// lockPostgres is lock on PostgreSQL: it locks and reads the rows of all tables in one round trip, in rank order.
func (b *Batch) lockPostgres(ctx context.Context, needed map[anyTable]neededKeys, waitForLocks bool) error {
	tables := byRank(maps.Keys(needed))
	loads := make([]tableLoader, len(tables))
	var locks []statement
	var advisoryLocks []advisoryLock
	for i, t := range tables {
		loads[i] = t.newLoader(needed[t])
		locks = append(locks, loads[i].lockStatements(waitForLocks)...)
		advisoryLocks = append(advisoryLocks, loads[i].advisoryLocks()...)
	}
	if !waitForLocks && len(advisoryLocks) > 0 {
		locks = append([]statement{tryLockShared(advisoryLocks)}, locks...)
	}
	if err := b.tx.sendStatements(ctx, locks); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	for i, t := range tables {
		b.addRows(t, loads[i].rows())
	}
	return nil
}

// Holds reports whether the batch has locked all of the rows, for this or another Work. A Judge calls it for a row that
// it turns out to need. If the row is not locked, Judge returns ErrStale; the caller then prepares the Work again, with
// the row among its Locks.
func (b *Batch) Holds(locks ...Lock) bool {
	for _, l := range locks {
		if set := b.rows[l.table]; set == nil || set.rows[l.key] == nil {
			return false
		}
	}
	return true
}

// flush writes all that the Works of the batch have staged: the changed rows of tables, and the rows that were added to
// sinks, in rank order. On PostgreSQL it collects the writes and sends them in one round trip.
func (b *Batch) flush(ctx context.Context) error {
	type step struct {
		rank int
		run  func() error
	}
	var steps []step
	for t, set := range b.rows {
		steps = append(steps, step{t.rank(), func() error { return t.save(ctx, b.tx, set) }})
	}
	for s, rows := range b.added {
		steps = append(steps, step{s.rank(), func() error { return s.write(ctx, b.tx, rows) }})
	}
	slices.SortFunc(steps, func(a, c step) int { return cmp.Compare(a.rank, c.rank) })
	b.tx.deferWrites = true // on PostgreSQL the steps only collect their writes
	defer func() { b.tx.deferWrites = false }()
	for _, s := range steps {
		if err := s.run(); err != nil {
			return err
		}
	}
	return b.tx.sendDeferred(ctx)
}

// byRank returns the tables in lock order.
func byRank(tables func(func(anyTable) bool)) []anyTable {
	return slices.SortedFunc(tables, func(a, c anyTable) int { return cmp.Compare(a.rank(), c.rank()) })
}
