package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"laurel.example/laurel/internal/store/loader"
)

// LockMode is how a Work locks rows of a table.
type LockMode string

// The modes. Rows with LockNone need no lock of their own: another locked row already keeps others from changing them.
const (
	LockUpdate LockMode = " FOR UPDATE OF t"
	LockShare  LockMode = " FOR SHARE OF t"
	LockNone   LockMode = ""
)

// Table describes a table whose rows Works lock, declared once by the package that owns it. Within a batch each row is
// in memory once, so a later Work sees the changes of an earlier one.
//
// Deadlocks cannot arise between nodes: every transaction first locks existing rows in (Rank, key) order and then
// inserts, again in (Rank, key) order. An insert that finds a row which did not exist when it was read returns
// ErrRerun.
type Table[K comparable, R any] struct {
	Name    string
	Rank    LockRank // its place in the lock order, and how its rows are locked
	Compare func(a, b K) int
	Query   string   // "SELECT t.… FROM <table> t", without WHERE
	Key     []Column // columns of the key, in the order that Args gives
	Args    func(K) []any
	KeyOf   func(*R) K
	// New returns the row of a key that has none in the database; Save must be able to tell such rows from existing ones.
	New  func(K) *R
	Save func(ctx context.Context, tx *Tx, rows []*R) error // the changed rows, in key order; nil: never changed
	// HasHotRows says that many Works change one row at once, each together with rows of its own. Such a row decides the
	// lane of its Works.
	HasHotRows bool
}

// Lock returns the lock of one row of the table, for a Work's Locks.
func (t *Table[K, R]) Lock(key K) Lock { return Lock{table: t, key: key} }

// LockPresumedAbsent returns the lock of a row that is never changed and rarely exists: the first try of a batch does
// not read it and takes it to be absent. A Work that relies on its absence must insert it. If the row exists, the
// insert fails, and the batch runs again and reads it.
func (t *Table[K, R]) LockPresumedAbsent(key K) Lock {
	return Lock{table: t, key: key, isPresumedAbsent: true}
}

// Loader reads rows by key for many callers at once. It is an interface for the same reason as budget.Cache: only
// packages that create one compile the generic code behind it.
type Loader[K comparable, V any] interface {
	// Get returns the row of a key and whether there is one. The row is shared with other callers and must not be
	// changed.
	Get(ctx context.Context, key K) (V, bool, error)
}

// NewLoader returns a Loader that calls read with the keys of many callers; read leaves keys without a row out of its
// result.
func NewLoader[K comparable, V any](read func(ctx context.Context, keys []K) (map[K]V, error)) Loader[K, V] {
	return loader.New(func(ctx context.Context, keys []K) (map[K]V, error) {
		return read(context.WithValue(ctx, listReadKey{}, false), keys) // completions may share the read that a list began
	})
}

// Loader returns a Loader of the table's rows.
func (t *Table[K, R]) Loader(db *DB) Loader[K, *R] {
	return NewLoader(func(ctx context.Context, keys []K) (map[K]*R, error) { return t.Read(ctx, db, keys) })
}

// Row returns the row as earlier Works of the batch have left it. It panics if the Work has not locked it.
func (t *Table[K, R]) Row(b *Batch, key K) *R {
	set := b.rows[anyTable(t)]
	if set == nil || set.rows[key] == nil {
		panic(fmt.Sprintf("store: %s row %v was not locked", t.Name, key))
	}
	return set.rows[key].(*R)
}

// Changed returns the row like Row and marks it to be saved with the batch.
func (t *Table[K, R]) Changed(b *Batch, key K) *R {
	row := t.Row(b, key)
	b.rows[anyTable(t)].changed[key] = true
	return row
}

// Lock is one row that a Work needs.
type Lock struct {
	table            anyTable
	key              any
	isPresumedAbsent bool
}

// neededKeys has the keys of the rows of a table that a batch locks. The value says whether the row must be read; it is
// false for rows that are presumed to be absent.
type neededKeys map[any]bool

// anyTable lets a batch hold tables of different key and row types.
type anyTable interface {
	rank() int
	lanePriority() int // the highest among a Work's tables decides its lane; 0: Works do not change its rows
	load(ctx context.Context, q Queryer, wanted neededKeys) (map[any]any, error)
	newLoader(wanted neededKeys) tableLoader
	save(ctx context.Context, tx *Tx, set *rowSet) error
}

// rowSet is a table's rows in a batch by key, and which of them have changed.
type rowSet struct {
	rows    map[any]any
	changed map[any]bool
}

// Read reads the rows of the keys outside a transaction, without locks. Keys without a row are left out.
func (t *Table[K, R]) Read(ctx context.Context, db *DB, keys []K) (map[K]*R, error) {
	rows, err := t.selectRows(ctx, db, keys)
	out := make(map[K]*R, len(rows))
	for _, r := range rows {
		out[t.KeyOf(r)] = r
	}
	return out, err
}

func (t *Table[K, R]) rank() int { return t.Rank.Place }

// lanePriority returns how much the table counts in the choice of a Work's lane: most if it has hot rows; otherwise
// more, the later it comes in the lock order; 0 if Works do not change its rows.
func (t *Table[K, R]) lanePriority() int {
	switch {
	case t.HasHotRows:
		return math.MaxInt
	case t.Rank.Lock == LockUpdate:
		return t.Rank.Place
	}
	return 0
}

// keysToRead returns the needed keys whose rows must be read, in the order in which rows are locked.
func (t *Table[K, R]) keysToRead(needed neededKeys) []K {
	keys := map[any]bool{}
	for k, read := range needed {
		if read {
			keys[k] = true
		}
	}
	return t.sortedKeys(keys)
}

// sortedKeys returns the keys in the order in which rows are locked.
func (t *Table[K, R]) sortedKeys(keys map[any]bool) []K {
	list := make([]K, 0, len(keys))
	for k := range keys {
		list = append(list, k.(K))
	}
	slices.SortFunc(list, t.Compare)
	return list
}

// tableLoader locks and reads the rows that a batch needs of one table on PostgreSQL. Unless the batch waits, rows that
// another transaction has locked are left out.
type tableLoader interface {
	advisoryLocks() []advisoryLock        // of the rows, for a batch that does not wait
	lockStatements(wait bool) []statement // that lock and read the rows; with wait, also their advisory locks
	rows() map[any]any                    // by key; a new row for each key that has none
}

// tableLoad is the tableLoader of a table.
type tableLoad[K comparable, R any] struct {
	table           *Table[K, R]
	keys            []K // to be read
	needed          neededKeys
	found           map[K]*R
	lockedElsewhere map[K]bool // another transaction holds their row or advisory lock
}

// newLoader returns what locks and reads the needed rows of the table, for one batch on PostgreSQL.
func (t *Table[K, R]) newLoader(needed neededKeys) tableLoader {
	return &tableLoad[K, R]{
		table:           t,
		keys:            t.keysToRead(needed),
		needed:          needed,
		found:           make(map[K]*R, len(needed)),
		lockedElsewhere: map[K]bool{},
	}
}

// advisoryLocks returns the advisory locks of the rows, or nil for a table that is locked otherwise.
func (l *tableLoad[K, R]) advisoryLocks() []advisoryLock {
	if l.table.Rank.Lock != LockAdvisory {
		return nil
	}
	out := make([]advisoryLock, len(l.keys))
	for i, key := range l.table.advisoryKeys(l.keys) {
		out[i] = advisoryLock{key, func() { l.lockedElsewhere[l.keys[i]] = true }}
	}
	return out
}

// lockStatements returns the statements that lock and read the rows, by the lock mode of the table. Without
// waitForLocks they skip rows that another transaction has locked, and leave advisory locks to tryLockShared.
func (l *tableLoad[K, R]) lockStatements(waitForLocks bool) []statement {
	t := l.table
	switch {
	case len(l.keys) == 0:
		return nil
	case t.Rank.Lock == LockAdvisory && waitForLocks:
		return []statement{t.lockShared(l.keys), l.readStatement("")}
	case t.Rank.Lock == LockAdvisory || t.Rank.Lock == LockNone:
		return []statement{l.readStatement("")}
	case waitForLocks:
		return []statement{l.readStatement(string(t.Rank.Lock))}
	}
	return []statement{l.tryLockStatement()}
}

// readStatement returns the statement that reads the rows with a locking clause; it waits for rows that others hold.
func (l *tableLoad[K, R]) readStatement(lock string) statement {
	query, args := l.table.lookupQuery(l.keys, lock)
	return statement{query, args, func(r pgx.BatchResults) error { return eachRow(r, 0, l.addFound, nil) }}
}

// tryLockStatement returns the statement that locks and reads the rows that no other transaction holds, and finds out
// which rows others hold.
func (l *tableLoad[K, R]) tryLockStatement() statement {
	query, args := l.table.tryLockQuery(l.keys)
	return statement{query, args, func(r pgx.BatchResults) error {
		return eachRow(r, 1, l.addFound, func(first [][]byte) { // first[0] is the place of the key, from 1
			l.lockedElsewhere[l.keys[binary.BigEndian.Uint64(first[0])-1]] = true
		})
	}}
}

func (l *tableLoad[K, R]) addFound(r *R) { l.found[l.table.KeyOf(r)] = r }

// rows returns the needed rows by key: those that were found, and a new one for each other key. Rows that another
// transaction has locked are left out.
func (l *tableLoad[K, R]) rows() map[any]any {
	out := make(map[any]any, len(l.needed))
	for key := range l.needed {
		k := key.(K)
		switch {
		case l.lockedElsewhere[k]: // left out
		case l.found[k] != nil:
			out[key] = l.found[k]
		default:
			out[key] = l.table.New(k)
		}
	}
	return out
}

// load returns the rows of the needed keys on SQLite, where the one writer needs no locks. Keys that have no row, or
// are presumed to have none, get a new one.
func (t *Table[K, R]) load(ctx context.Context, q Queryer, needed neededKeys) (map[any]any, error) {
	rows, err := t.selectRows(ctx, q, t.keysToRead(needed))
	out := make(map[any]any, len(needed))
	for _, row := range rows {
		out[t.KeyOf(row)] = row
	}
	for k := range needed {
		if out[k] == nil {
			out[k] = t.New(k.(K))
		}
	}
	return out, err
}

// selectRows reads the rows of the keys without locks. Keys without a row are left out. On SQLite it runs a query for
// each key.
func (t *Table[K, R]) selectRows(ctx context.Context, q Queryer, keys []K) ([]*R, error) {
	var rows []*R
	if q.Engine() == Postgres {
		query, args := t.lookupQuery(keys, "")
		err := q.Select(ctx, &rows, query, args...)
		return rows, err
	}
	query := t.Query + " WHERE t." + strings.ReplaceAll(joinColumnNames(t.Key), ", ", " = ? AND t.") + " = ?"
	for _, k := range keys {
		var row []*R // Select overwrites its slice
		if err := q.Select(ctx, &row, query, t.Args(k)...); err != nil {
			return nil, err
		}
		rows = append(rows, row...)
	}
	return rows, nil
}

// lookupQuery returns PostgreSQL's query for the rows of many keys: one index lookup after the other, in the order of
// the keys, which is also the order of the locks. With a plain join the planner would choose the order, and scan a
// table that it takes to be small.
func (t *Table[K, R]) lookupQuery(keys []K, lock string) (query string, args []any) {
	if lock == "" {
		lock = " OFFSET 0" // keeps the planner from turning the lookups into a join
	}
	query = fmt.Sprintf("SELECT r.* FROM %s AS k(%s) CROSS JOIN LATERAL (%s WHERE %s%s) r",
		unnestArrays(t.Key), joinColumnNames(t.Key), t.Query, t.keyCondition(), lock)
	return query, t.keyArrays(keys)
}

// tryLockQuery returns a query like lookupQuery that locks the rows in the table's mode, and skips those that other
// transactions have locked. Its first column, place, is NULL for a row that it has locked. For each skipped row, the
// result has a row without other columns, whose place is the position of the key among keys, from 1.
func (t *Table[K, R]) tryLockQuery(keys []K) (query string, args []any) {
	isLocked := "r." + t.Key[0].Name + " IS NOT NULL"
	query = fmt.Sprintf(
		`SELECT h.place, r.* FROM %s WITH ORDINALITY AS k(%s, place) LEFT JOIN LATERAL (%s WHERE %s%s SKIP LOCKED) r ON TRUE
		LEFT JOIN LATERAL (SELECT k.place FROM (%s WHERE %s) t WHERE NOT %s OFFSET 0) h ON TRUE WHERE %s OR h.place IS NOT NULL`,
		unnestArrays(t.Key), joinColumnNames(t.Key), t.Query, t.keyCondition(), t.Rank.Lock,
		t.Query, t.keyCondition(), isLocked, isLocked)
	return query, t.keyArrays(keys)
}

// keyCondition returns the SQL condition that row t has key k.
func (t *Table[K, R]) keyCondition() string {
	conditions := make([]string, len(t.Key))
	for i, c := range t.Key {
		conditions[i] = "t." + c.Name + " = k." + c.Name
	}
	return strings.Join(conditions, " AND ")
}

// keyArrays returns the keys as one PostgreSQL array per key column.
func (t *Table[K, R]) keyArrays(keys []K) []any {
	values := make([][]any, len(keys))
	for i, k := range keys {
		values[i] = t.Args(k)
	}
	return columnArrays(values, t.Key)
}

// save writes the changed rows of the set, in key order, by the table's Save.
func (t *Table[K, R]) save(ctx context.Context, tx *Tx, set *rowSet) error {
	if len(set.changed) == 0 {
		return nil
	}
	keys := t.sortedKeys(set.changed)
	rows := make([]*R, len(keys))
	for i, k := range keys {
		rows[i] = set.rows[k].(*R)
	}
	return t.Save(ctx, tx, rows)
}

// Sink describes rows that Works only ever add, such as ledger entries. Sinks are written in rank order, like tables.
type Sink[R any] struct {
	Name  string
	Rank  LockRank
	Write func(ctx context.Context, tx *Tx, rows []R) error // in the order they were added
}

// Add stages a row to be written with the batch.
func (s *Sink[R]) Add(b *Batch, row R) { b.added[anySink(s)] = append(b.added[anySink(s)], row) }

type anySink interface {
	rank() int
	write(ctx context.Context, tx *Tx, rows []any) error
}

func (s *Sink[R]) rank() int { return s.Rank.Place }

// write writes the added rows of a batch, which hold values of type R.
func (s *Sink[R]) write(ctx context.Context, tx *Tx, rows []any) error {
	typed := make([]R, len(rows))
	for i, r := range rows {
		typed[i] = r.(R)
	}
	return s.Write(ctx, tx, typed)
}
