package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
	load(ctx context.Context, tx *Tx, keys map[any]bool, wait bool) (map[any]any, error)
	save(ctx context.Context, tx *Tx, set *rowSet) error
}

type rowSet struct {
	rows  map[any]any
	dirty map[any]bool
}

// Read reads the rows of the keys outside a transaction, without locks. Keys without a row are left out.
func (t *Table[K, R]) Read(ctx context.Context, db *DB, keys []K) (map[K]*R, error) {
	rows, err := t.selectRows(ctx, db, keys, "")
	out := make(map[K]*R, len(rows))
	for _, r := range rows {
		out[t.KeyOf(r)] = r
	}
	return out, err
}

func (t *Table[K, R]) rank() int { return t.Rank }

func (t *Table[K, R]) sorted(keys map[any]bool) []K {
	list := make([]K, 0, len(keys))
	for k := range keys {
		list = append(list, k.(K))
	}
	slices.SortFunc(list, t.Compare)
	return list
}

// load locks the rows of the keys. Rows that another transaction holds are left out unless wait is set.
func (t *Table[K, R]) load(ctx context.Context, tx *Tx, wanted map[any]bool, wait bool) (map[any]any, error) {
	keys := t.sorted(wanted)
	lock := string(t.Mode)
	if lock != "" && !wait {
		lock += " SKIP LOCKED"
	}
	found, err := t.selectRows(ctx, tx, keys, lock)
	if err != nil {
		return nil, err
	}
	out := make(map[any]any, len(keys))
	for _, row := range found {
		out[t.KeyOf(row)] = row
	}
	var missing []K
	for _, k := range keys {
		if out[k] == nil {
			missing = append(missing, k)
		}
	}
	held := map[K]bool{}
	if len(missing) > 0 && !wait && t.Mode != LockNone && tx.db.engine == Postgres {
		rows, err := t.selectRows(ctx, tx, missing, "")
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			held[t.KeyOf(row)] = true
		}
	}
	for _, k := range missing {
		if !held[k] {
			out[k] = t.New(k)
		}
	}
	return out, nil
}

func (t *Table[K, R]) selectRows(ctx context.Context, q Queryer, keys []K, lock string) ([]*R, error) {
	var rows []*R
	if q.Engine() == SQLite {
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
	args := make([][]any, len(keys))
	for i, k := range keys {
		args[i] = t.Args(k)
	}
	on := make([]string, len(t.Key))
	for i, c := range t.Key {
		on[i] = "t." + c.Name + " = k." + c.Name
	}
	query := fmt.Sprintf("%s JOIN %s AS k(%s) ON %s ORDER BY t.%s%s", t.Query, unnest(t.Key), names(t.Key),
		strings.Join(on, " AND "), strings.ReplaceAll(names(t.Key), ", ", ", t."), lock)
	err := q.Select(ctx, &rows, query, arrays(args, len(t.Key))...)
	return rows, err
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
