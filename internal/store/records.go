package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"go/token"
	"maps"
	"reflect"
	"slices"
	"strings"

	"laurel.example/laurel"
)

// Records are the statements of a table whose rows are values of R. They are made once, from the tags of R: `db` names
// the column of a field, `update:"no"` marks one that updates do not write, and `update:"key"` those that name the row in
// a table without ids. id, organization_id, website_id and created_at are never updated. R is the record as services
// return it: its fields scan and store themselves (laurel.ID, laurel.Timestamp, laurel.List, …).
//
// Joins, updates of some columns, reports and hot paths have SQL of their own.
type Records[R any] struct{ *recordTable }

// recordTable holds what does not depend on R, so that it is compiled once.
type recordTable struct {
	table   string
	noun    string // in NotFound
	row     reflect.Type
	columns []recordColumn
	keys    []recordColumn // of columns: those that name a row, for updates
	updated []recordColumn // of columns: those that updates write
	insert  string         // up to VALUES (…)
	update  string
	read    string // up to FROM table
	from    string // FROM table, with the alias and what is joined
	prefix  string // of column names in conditions: "", or an alias and a dot
	// computed has the columns that an expression is read for.
	computed map[string]string
}

type recordColumn struct {
	name  string
	index []int
	kind  string // its type in PostgreSQL
}

// fixedColumns are never updated: a row stays the same record of the same tenant.
var fixedColumns = []string{"id", "organization_id", "website_id", "created_at"}

// declaredRecords are all tables of Records, for RecordFields.
var declaredRecords []*recordTable

// RecordField is a field of a record and its column, for tests that compare records with the schema.
type RecordField struct {
	Table, Column string
	Kind          string // the column's type in PostgreSQL
	Field         reflect.StructField
	IsExported    bool // other packages can see the record, and return it
}

// RecordFields returns each field of each record type that NewRecords has declared, with its table and column.
func RecordFields() (all []RecordField) {
	for _, t := range declaredRecords {
		for _, c := range t.columns {
			field := t.row.FieldByIndex(c.index)
			all = append(all, RecordField{t.table, c.name, c.kind, field, token.IsExported(t.row.Name())})
		}
	}
	return all
}

// NewRecords returns the statements of a table. The noun names a record in NotFound, such as "Collection". It panics if
// a field of R cannot be stored or if a column appears twice.
func NewRecords[R any](table, noun string) Records[R] {
	t := newRecordTable(table, noun, reflect.TypeFor[R]())
	declaredRecords = append(declaredRecords, t)
	return Records[R]{t}
}

// newRecordTable makes the statements of a table from those fields of the row type that have a db tag. Like NewRecords,
// it panics if such a field cannot be stored or if two have the same column.
func newRecordTable(table, noun string, row reflect.Type) *recordTable {
	t := &recordTable{table: table, noun: noun, row: row}
	for _, f := range reflect.VisibleFields(row) {
		column := f.Tag.Get("db")
		if column == "" || column == "-" {
			continue
		}
		if !isStorable(f.Type) {
			panic(fmt.Sprintf("store: %s.%s cannot be stored as it is: a %s", row, f.Name, f.Type))
		}
		if slices.ContainsFunc(t.columns, func(c recordColumn) bool { return c.name == column }) {
			panic(fmt.Sprintf("store: %s has two fields for %s", row, column))
		}
		c := recordColumn{column, f.Index, columnKind(f.Type)}
		t.columns = append(t.columns, c)
		switch update := f.Tag.Get("update"); {
		case update == "key":
			t.keys = append(t.keys, c)
		case update == "" && !slices.Contains(fixedColumns, column):
			t.updated = append(t.updated, c)
		}
	}
	if len(t.keys) == 0 {
		t.keys = slices.DeleteFunc(slices.Clone(t.columns), func(c recordColumn) bool { return c.name != "id" })
	}
	list := t.Columns()
	t.from = " FROM " + table
	t.setRead()
	t.insert = "INSERT INTO " + table + " (" + list + ") VALUES (" + placeholders(len(t.columns)) + ")"
	t.update = "UPDATE " + table + " SET " + assignments(t.updated, ", ") + " WHERE " + assignments(t.keys, " AND ")
	return t
}

// assignments returns "column = ?" for each column.
func assignments(columns []recordColumn, separator string) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		list[i] = c.name + " = ?"
	}
	return strings.Join(list, separator)
}

// setRead makes the statement that reads the columns.
func (t *recordTable) setRead() {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = t.prefix + c.name
		if expression, isComputed := t.computed[c.name]; isComputed {
			names[i] = expression + " AS " + c.name
		}
	}
	t.read = "SELECT " + strings.Join(names, ", ") + t.from
}

// isStorable reports whether a database driver takes values of the type. time.Time is not: columns hold microseconds.
func isStorable(t reflect.Type) bool {
	if t.Implements(reflect.TypeFor[driver.Valuer]()) {
		return true
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Float64:
		return true
	case reflect.Slice:
		return t.Elem().Kind() == reflect.Uint8
	default:
		return false
	}
}

// Without returns the statements of the same table for lists that do not show large columns: they read NULL in place of
// the named columns. Of the result, only Get, Select and Page may be used. It panics if there is no such column.
func (r Records[R]) Without(columns ...string) Records[R] {
	for _, name := range columns {
		r = r.Computing(name, "NULL")
	}
	return r
}

// Computing returns the same statements, which read an SQL expression in place of a column. Only Get, Select and Page
// may be used. It panics if there is no such column.
func (r Records[R]) Computing(column, expression string) Records[R] {
	t := *r.recordTable
	t.position(column) // panics if there is none
	t.computed = maps.Clone(t.computed)
	if t.computed == nil {
		t.computed = map[string]string{}
	}
	t.computed[column] = expression
	t.setRead()
	return Records[R]{&t}
}

// As returns the same statements with an alias for the table, for conditions with subqueries, and the tables that they
// join, such as "JOIN websites w ON w.id = t.website_id". Only Get, Select and Page may be used; the names of columns
// in conditions and orders begin with the alias.
func (r Records[R]) As(alias string, joins ...string) Records[R] {
	t := *r.recordTable
	t.from, t.prefix = " FROM "+strings.Join(append([]string{t.table, alias}, joins...), " "), alias+"."
	t.setRead()
	return Records[R]{&t}
}

// Query returns the SELECT of all columns, without conditions, for statements by hand and for locked tables (Table).
func (t *recordTable) Query() string { return t.read }

// Columns returns the columns, separated by commas, for statements by hand. Their names begin with the alias, if any.
func (t *recordTable) Columns() string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = t.prefix + c.name
	}
	return strings.Join(names, ", ")
}

// values returns a record's values of the columns, in their order.
func values(record any, columns []recordColumn) []any {
	v, args := reflect.ValueOf(record).Elem(), make([]any, len(columns))
	for i, c := range columns {
		args[i] = v.FieldByIndex(c.index).Interface()
	}
	return args
}

// Insert inserts a record. The suffix follows the statement, such as "ON CONFLICT (…) DO NOTHING"; it may be empty.
// inserted is false if a conflict left the row out.
func (r Records[R]) Insert(ctx context.Context, tx *Tx, record *R, suffix string) (inserted bool, err error) {
	n, err := tx.Exec(ctx, r.insert+" "+suffix, values(record, r.columns)...)
	return n > 0, err
}

// Update writes every column that can change. The transaction has locked the row.
func (r Records[R]) Update(ctx context.Context, tx *Tx, record *R) error {
	_, err := tx.Exec(ctx, r.update, append(values(record, r.updated), values(record, r.keys)...)...)
	return err
}

// position returns the index of a column. It panics if the record has none of the name.
func (t *recordTable) position(column string) int {
	i := slices.IndexFunc(t.columns, func(c recordColumn) bool { return c.name == column })
	if i < 0 {
		panic("store: " + t.row.String() + " has no column " + column)
	}
	return i
}

// Get returns the record that meets the conditions; lock is the suffix that locks its row, or "". Errors: NotFound with
// the noun.
func (r Records[R]) Get(ctx context.Context, q Queryer, w *Where, lock string) (record R, err error) {
	err = q.Get(ctx, &record, r.read+w.String()+lock, w.Args...)
	if IsNoRows(err) {
		return record, laurel.Missing(r.noun)
	}
	return record, err
}

// Select returns all records that meet the conditions. The order is a list of columns, or "" for none.
func (r Records[R]) Select(ctx context.Context, q Queryer, w *Where, order string) (records []R, err error) {
	if order != "" {
		order = " ORDER BY " + order
	}
	err = q.Select(ctx, &records, r.read+w.String()+order, w.Args...)
	return records, err
}

// Count returns the number of records that meet the conditions.
func (r Records[R]) Count(ctx context.Context, q Queryer, w *Where) (n int, err error) {
	err = q.Get(ctx, &n, "SELECT COUNT(*) FROM "+r.table+w.String(), w.Args...)
	return n, err
}

// List says which records a page lists, and how.
type List struct {
	Where   *Where
	Cursors *Where   // what a record must meet to be a cursor, which may be more than Where lists: deleted records, too
	Order   []string // columns whose values together are unique; none may be NULL
	Newest  bool     // descending
}

// Page returns a page of the records that the list selects, in its order. page.StartingAfter is the id of the last
// record of the page before, or zero for the first page. Errors: laurel.ErrCursor if no record with this id meets the
// conditions l.Cursors.
func (r Records[R]) Page(ctx context.Context, q Queryer, l List, page laurel.PageRequest) (laurel.Page[R], error) {
	where := Where{parts: slices.Clone(l.Where.parts), Args: slices.Clone(l.Where.Args)}
	if !page.StartingAfter.IsZero() {
		cursor := Where{parts: slices.Clone(l.Cursors.parts), Args: slices.Clone(l.Cursors.Args)}
		cursor.Add(r.prefix+"id = ?", page.StartingAfter)
		var after R
		if err := q.Get(ctx, &after, "SELECT "+strings.Join(l.Order, ", ")+r.from+cursor.String(), cursor.Args...); IsNoRows(err) {
			return laurel.Page[R]{}, laurel.ErrCursor()
		} else if err != nil {
			return laurel.Page[R]{}, err
		}
		where.Add(l.after(), values(&after, r.named(l.Order))...)
	}
	return SelectPage[R](ctx, q, page.Limit, r.read+where.String()+l.orderBy(), where.Args...)
}

// named returns the columns with the names, in that order. The names may have the table's prefix.
func (t *recordTable) named(names []string) []recordColumn {
	out := make([]recordColumn, len(names))
	for i, name := range names {
		out[i] = t.columns[t.position(strings.TrimPrefix(name, t.prefix))]
	}
	return out
}

// after returns the condition for the rows that follow a cursor in the order of the list. Its arguments are the
// cursor's values of the columns in Order.
func (l List) after() string {
	op := " > ("
	if l.Newest {
		op = " < ("
	}
	return "(" + strings.Join(l.Order, ", ") + ")" + op + placeholders(len(l.Order)) + ")"
}

// orderBy returns the ORDER BY clause of the list.
func (l List) orderBy() string {
	if l.Newest {
		return " ORDER BY " + strings.Join(l.Order, " DESC, ") + " DESC"
	}
	return " ORDER BY " + strings.Join(l.Order, ", ")
}
