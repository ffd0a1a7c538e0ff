package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"laurel.example/laurel/internal/store/pgtypes"
)

// Column names a column and its type in PostgreSQL, where many rows travel as one array per column.
type Column struct{ Name, Type string }

// Columns parses a list of columns, "name type, name type, …", with types of PostgreSQL.
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

// IgnoreConflicts is the conflict clause that skips rows whose key exists already.
const IgnoreConflicts = "ON CONFLICT DO NOTHING"

// InsertRows inserts the rows and returns how many were inserted. Only with a Conflict clause may these be fewer than
// the rows given. While a batch is flushed on PostgreSQL, the insert is only collected, and counts all rows as
// inserted.
func (tx *Tx) InsertRows(ctx context.Context, in Insert, rows [][]any) (int64, error) {
	conflict := in.Conflict
	// If a deferred insert meets an existing row, the transaction runs again in any case, and PostgreSQL reports the
	// error more cheaply than it looks for conflicts.
	if tx.defersWrites() && conflict == IgnoreConflicts {
		conflict = ""
	}
	return tx.bulkWrite(ctx, rows, func() string {
		if tx.db.engine == Postgres {
			return fmt.Sprintf(
				"INSERT INTO %s (%s) SELECT * FROM %s %s",
				in.Table,
				joinColumnNames(in.Columns),
				unnestArrays(in.Columns),
				conflict,
			)
		}
		return fmt.Sprintf(
			"INSERT INTO %s (%s) VALUES (%s) %s",
			in.Table,
			joinColumnNames(in.Columns),
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

// UpdateRows updates rows of a table and returns how many it found. Each item of rows has first the values of up.Keys,
// which select the row, and then those of up.Set, which the row gets. While a batch is flushed on PostgreSQL, the
// update is only collected, and counts all rows as found.
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
				unnestArrays(all),
				joinColumnNames(all),
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

// bulkWrite runs the statement for all rows and returns how many it wrote: once with an array per column on PostgreSQL,
// once per row on SQLite. While writes are deferred, it only collects the statement and counts all rows as written;
// with mayConflict, sending it later returns ErrRerun if one of the rows existed already.
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
		tx.deferWrite(query, columnArrays(rows, columns), int64(len(rows)), mayConflict)
		return int64(len(rows)), nil
	}
	if tx.db.engine == Postgres {
		return tx.Exec(ctx, query, columnArrays(rows, columns)...)
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

// columnArrays returns the rows as one PostgreSQL array per column.
func columnArrays(rows [][]any, columns []Column) []any {
	out := make([]any, len(columns))
	for c, column := range columns {
		out[c] = pgtypes.Pack(rows, c, column.Type)
	}
	return out
}

// joinColumnNames returns the names of the columns, separated by commas.
func joinColumnNames(columns []Column) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.Name
	}
	return strings.Join(list, ", ")
}

func placeholders(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

// unnestArrays returns the SQL that turns one array per column into rows. Each array comes from a subquery, which hides
// its length from the planner: it would make a new plan for every short array instead of using the cached generic plan.
func unnestArrays(columns []Column) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = "(SELECT ?::" + c.Type + "[])"
	}
	return "unnest(" + strings.Join(list, ", ") + ")"
}

// OrNull returns the value that p points to, or an untyped nil, which drivers store as NULL.
func OrNull[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}
