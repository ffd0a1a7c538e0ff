package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"laurel/internal/store/pgtypes"
)

// Column names a column and its type in PostgreSQL, where many rows travel as one array per column.
type Column struct{ Name, Type string }

// Columns reads "name type, name type, …".
func Columns(list string) []Column {
	var out []Column
	for item := range strings.SplitSeq(list, ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(item), " ")
		out = append(out, Column{name, strings.TrimSpace(kind)})
	}
	return out
}

// Insert describes an insert of many rows. Measured: one statement of arrays is best on PostgreSQL, one prepared
// statement per row inside the transaction on SQLite (docs/decisions/0002-bulk-writes.md).
type Insert struct {
	Table    string
	Columns  []Column
	Conflict string // for example IgnoreConflicts; empty: a duplicate is an error
}

// IgnoreConflicts is the conflict clause of rows that may be there already.
const IgnoreConflicts = "ON CONFLICT DO NOTHING"

// InsertRows inserts the rows and returns how many were inserted: fewer than given only with a Conflict clause.
func (tx *Tx) InsertRows(ctx context.Context, in Insert, rows [][]any) (int64, error) {
	conflict := in.Conflict
	// nobody goes on from a row that was there, and an error is cheaper than the looking
	if tx.defersWrites() && conflict == IgnoreConflicts {
		conflict = ""
	}
	return tx.bulkWrite(ctx, rows, func() string {
		if tx.db.engine == Postgres {
			return fmt.Sprintf(
				"INSERT INTO %s (%s) SELECT * FROM %s %s",
				in.Table,
				columnNames(in.Columns),
				unnest(in.Columns),
				conflict,
			)
		}
		return fmt.Sprintf(
			"INSERT INTO %s (%s) VALUES (%s) %s",
			in.Table,
			columnNames(in.Columns),
			placeholders(len(in.Columns)),
			in.Conflict,
		)
	}, in.Columns, in.Conflict != "")
}

// Update describes an update of many rows by key. The key columns come first in each row.
type Update struct {
	Table string
	Keys  []Column
	Set   []Column
}

// UpdateRows updates one row per given row and returns how many were met.
func (tx *Tx) UpdateRows(ctx context.Context, up Update, rows [][]any) (int64, error) {
	all := append(append([]Column{}, up.Keys...), up.Set...)
	return tx.bulkWrite(ctx, rows, func() string {
		var set, where []string
		if tx.db.engine == Postgres {
			for _, c := range up.Set {
				set = append(set, c.Name+" = v."+c.Name)
			}
			for _, c := range up.Keys {
				where = append(where, "t."+c.Name+" = v."+c.Name)
			}
			return fmt.Sprintf(
				"UPDATE %s t SET %s FROM %s AS v(%s) WHERE %s",
				up.Table,
				strings.Join(set, ", "),
				unnest(all),
				columnNames(all),
				strings.Join(where, " AND "),
			)
		}
		for i, c := range up.Set {
			set = append(set, c.Name+" = ?"+strconv.Itoa(len(up.Keys)+i+1))
		}
		for i, c := range up.Keys {
			where = append(where, c.Name+" = ?"+strconv.Itoa(i+1))
		}
		return fmt.Sprintf("UPDATE %s SET %s WHERE %s", up.Table, strings.Join(set, ", "), strings.Join(where, " AND "))
	}, all, false)
}

// bulkWrite writes the rows. Where writes are put off, all rows count as written: one that was there already asks for a
// rerun when they are sent.
func (tx *Tx) bulkWrite(
	ctx context.Context,
	rows [][]any,
	statement func() string,
	columns []Column,
	mayConflict bool,
) (int64, error) {
	if len(rows) == 0 {
		return 0, nil
	}
	query := statement()
	if tx.defersWrites() {
		tx.deferWrite(query, arrays(rows, columns), int64(len(rows)), mayConflict)
		return int64(len(rows)), nil
	}
	if tx.db.engine == Postgres {
		return tx.Exec(ctx, query, arrays(rows, columns)...)
	}
	var total int64
	for _, row := range rows {
		n, err := tx.Exec(ctx, query, row...)
		if err != nil {
			return total, err
		}
		total += n
	}
	return total, nil
}

// arrays turns rows into one array per column.
func arrays(rows [][]any, columns []Column) []any {
	out := make([]any, len(columns))
	for c, column := range columns {
		out[c] = pgtypes.Pack(rows, c, column.Type)
	}
	return out
}

func columnNames(columns []Column) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.Name
	}
	return strings.Join(list, ", ")
}

func placeholders(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

// unnest turns arrays into rows. Each array comes from a query of its own so that the planner cannot see how long it
// is: it would plan a statement with a short one anew every time, since the plan that it keeps is for an array of
// unknown length.
func unnest(columns []Column) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = "(SELECT ?::" + c.Type + "[])"
	}
	return "unnest(" + strings.Join(list, ", ") + ")"
}

// OrNull returns the value, or a plain nil that every driver takes as NULL.
func OrNull[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}
