package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// LockMode says how strongly a Work holds a row.
type LockMode string

// The modes. A Read row needs no lock of its own: another locked row already keeps everyone else from changing it.
const (
	LockUpdate LockMode = " FOR UPDATE OF t"
	LockShare  LockMode = " FOR SHARE OF t"
	LockNone   LockMode = ""
)

// Table is a kind of row that Works lock, declared once by the package that owns the table. Within a batch each row is in memory
// once, so a later Work sees what an earlier one did to it.
//
// Deadlocks cannot arise between nodes: every transaction locks existing rows in (Rank, key) order and only then inserts,
// again in (Rank, key) order. An insert that meets a row which was not there before asks for a rerun (ErrRerun).
type Table[K comparable, R any] struct {
	Name    string
	Rank    int // place in the one lock order of the service; docs/ARCHITECTURE.md lists it
	Compare func(a, b K) int
	Query   string   // "SELECT t.… FROM <table> t", without WHERE
	Key     []Column // columns of the key, in the order that Args gives
	Args    func(K) []any
	KeyOf   func(*R) K
	New     func(K) *R // what a key without a row stands for; Save tells such rows from others
	Mode    LockMode
	Save    func(ctx context.Context, tx *Tx, rows []*R) error // the changed rows, in key order; nil: never changed
}

// Lock names one row of the table as needed by a Work.
func (t *Table[K, R]) Lock(key K) Lock { return Lock{table: t, key: key} }

// Row answers the row as the batch has it now. It must have been named in the Work's Locks.
func (t *Table[K, R]) Row(b *Batch, key K) *R {
	set := b.rows[anyTable(t)]
	if set == nil || set.rows[key] == nil {
		panic(fmt.Sprintf("store: %s row %v was not locked", t.Name, key))
	}
	return set.rows[key].(*R)
}

// Changed answers the row and marks it to be saved with the batch.
func (t *Table[K, R]) Changed(b *Batch, key K) *R {
	row := t.Row(b, key)
	b.rows[anyTable(t)].dirty[key] = true
	return row
}

// Lock is one row that a Work needs.
type Lock struct {
	table anyTable
	key   any
}

// anyTable lets a batch hold tables of different key and row types.
type anyTable interface {
	rank() int
	changes() bool // rows are locked to be changed
	load(ctx context.Context, q Queryer, wanted map[any]bool) (map[any]any, error)
	loading(wanted map[any]bool) loading
	save(ctx context.Context, tx *Tx, set *rowSet) error
}

type rowSet struct {
	rows  map[any]any
	dirty map[any]bool
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

func (t *Table[K, R]) rank() int { return t.Rank }

func (t *Table[K, R]) changes() bool { return t.Mode == LockUpdate }

func (t *Table[K, R]) sorted(keys map[any]bool) []K {
	list := make([]K, 0, len(keys))
	for k := range keys {
		list = append(list, k.(K))
	}
	slices.SortFunc(list, t.Compare)
	return list
}

// loading is one table's share of what a batch locks. Rows that another transaction holds are left out unless the batch waits for them.
type loading interface {
	lock(wait bool) []queued // reads and locks the rows
	recheck() (queued, bool) // reads those it did not get, where some are missing: a row that is there is held elsewhere
	result() map[any]any     // by key, with a new row where there is none
}

type tableLoad[K comparable, R any] struct {
	table  *Table[K, R]
	keys   []K
	found  map[K]*R
	held   map[K]bool // others have these: a second read found them, or their gates are shut
	looked bool       // no second read is needed
}

func (t *Table[K, R]) loading(wanted map[any]bool) loading {
	return &tableLoad[K, R]{table: t, keys: t.sorted(wanted), found: make(map[K]*R, len(wanted)), held: map[K]bool{}}
}

func (l *tableLoad[K, R]) lock(wait bool) []queued {
	found := func(r *R) { l.found[l.table.KeyOf(r)] = r }
	if l.table.Mode == LockGate {
		l.looked = true
		return []queued{l.enter(wait), l.table.reading(l.keys, "", found)}
	}
	lock := string(l.table.Mode)
	l.looked = wait || lock == ""
	if !l.looked {
		lock += " SKIP LOCKED"
	}
	return []queued{l.table.reading(l.keys, lock, found)}
}

func (l *tableLoad[K, R]) look(keys []K) queued {
	return l.table.reading(keys, "", func(r *R) { l.held[l.table.KeyOf(r)] = true })
}

func (l *tableLoad[K, R]) recheck() (queued, bool) {
	var missing []K
	for _, k := range l.keys {
		if l.found[k] == nil {
			missing = append(missing, k)
		}
	}
	if len(missing) == 0 || l.looked {
		return queued{}, false
	}
	return l.look(missing), true
}

func (l *tableLoad[K, R]) result() map[any]any {
	out := make(map[any]any, len(l.keys))
	for _, k := range l.keys {
		switch {
		case l.held[k]:
		case l.found[k] != nil:
			out[k] = l.found[k]
		default:
			out[k] = l.table.New(k)
		}
	}
	return out
}

// reading is the statement that reads the rows of many keys on PostgreSQL.
func (t *Table[K, R]) reading(keys []K, lock string, each func(*R)) queued {
	query, args := t.joined(keys, lock)
	return queued{query, args, func(r pgx.BatchResults) error {
		rows, err := collect[R](r)
		for _, row := range rows {
			each(row)
		}
		return err
	}}
}

// load reads the rows of the keys on SQLite, where the one writer needs no locks.
func (t *Table[K, R]) load(ctx context.Context, q Queryer, wanted map[any]bool) (map[any]any, error) {
	keys := t.sorted(wanted)
	rows, err := t.selectRows(ctx, q, keys)
	out := make(map[any]any, len(keys))
	for _, row := range rows {
		out[t.KeyOf(row)] = row
	}
	for _, k := range keys {
		if out[k] == nil {
			out[k] = t.New(k)
		}
	}
	return out, err
}

func (t *Table[K, R]) selectRows(ctx context.Context, q Queryer, keys []K) ([]*R, error) {
	var rows []*R
	if q.Engine() == Postgres {
		query, args := t.joined(keys, "")
		err := q.Select(ctx, &rows, query, args...)
		return rows, err
	}
	query := t.Query + " WHERE t." + strings.ReplaceAll(names(t.Key), ", ", " = ? AND t.") + " = ?"
	for _, k := range keys {
		var row []*R // Select starts its slice afresh
		if err := q.Select(ctx, &row, query, t.Args(k)...); err != nil {
			return nil, err
		}
		rows = append(rows, row...)
	}
	return rows, nil
}

// joined answers the statement for many keys on PostgreSQL, in the order of the keys: one look into the index after the other, which is also the
// order of the locks. A plain join would leave it to the planner where to begin, and it would walk a table that it knows as small.
func (t *Table[K, R]) joined(keys []K, lock string) (query string, args []any) {
	values := make([][]any, len(keys))
	for i, k := range keys {
		values[i] = t.Args(k)
	}
	on := make([]string, len(t.Key))
	for i, c := range t.Key {
		on[i] = "t." + c.Name + " = k." + c.Name
	}
	if lock == "" {
		lock = " OFFSET 0" // keeps the inner query whole
	}
	return fmt.Sprintf("SELECT r.* FROM %s AS k(%s) CROSS JOIN LATERAL (%s WHERE %s%s) r", unnest(t.Key), names(t.Key), t.Query,
		strings.Join(on, " AND "), lock), arrays(values, t.Key)
}

func (t *Table[K, R]) save(ctx context.Context, tx *Tx, set *rowSet) error {
	if len(set.dirty) == 0 {
		return nil
	}
	keys := t.sorted(set.dirty)
	rows := make([]*R, len(keys))
	for i, k := range keys {
		rows[i] = set.rows[k].(*R)
	}
	return t.Save(ctx, tx, rows)
}

// Sink takes rows that are only ever added, such as ledger entries. Sinks are written after tables of a smaller rank.
type Sink[R any] struct {
	Name  string
	Rank  int
	Write func(ctx context.Context, tx *Tx, rows []R) error // in the order they were added
}

// Add stages a row to be written with the batch.
func (s *Sink[R]) Add(b *Batch, row R) { b.added[anySink(s)] = append(b.added[anySink(s)], row) }

type anySink interface {
	rank() int
	write(ctx context.Context, tx *Tx, rows []any) error
}

func (s *Sink[R]) rank() int { return s.Rank }

func (s *Sink[R]) write(ctx context.Context, tx *Tx, rows []any) error {
	typed := make([]R, len(rows))
	for i, r := range rows {
		typed[i] = r.(R)
	}
	return s.Write(ctx, tx, typed)
}
