package store

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
)

// SelectPage reads a page of a list: rows in the query's order, at most limit of them, and as many as fit into
// budget.MaxPageBytes as SelectWithinBudget counts. The page says whether there are more. The query must end with its
// ORDER BY; SelectPage adds the LIMIT.
func SelectPage[R any](ctx context.Context, q Queryer, limit int, query string, args ...any) (laurel.Page[R], error) {
	rows, next, err := SelectWithinBudget[R](ctx, q, query+" LIMIT ?", append(args, limit+1)...)
	page := laurel.PageOf(rows, limit)
	page.HasNextPage = page.HasNextPage || next != nil
	return page, err
}

// SelectWithinBudget reads rows until their texts exceed budget.MaxPageBytes bytes; the first row is returned whatever
// its size. next is the first row that no longer fits, or nil if all rows were read. No further rows are held in memory
// or sent by PostgreSQL.
func SelectWithinBudget[R any](
	ctx context.Context, q Queryer, query string, args ...any,
) (rows []R, next *R, err error) {
	texts := budget.TextColumnsOf[R]()
	if q.Engine() == Postgres {
		query = limitBytes(query, texts.Columns, texts.All)
	}
	size := 0
	err = q.scanRows(ctx, func(row *sqlx.Rows) (bool, error) {
		var r R
		scanned, err := scanRow(row, &r, texts.Scanned) // scanned: bytes that Size cannot count
		if err != nil {
			return false, err
		}
		if size += texts.Size(&r) + scanned; size > budget.MaxPageBytes && len(rows) > 0 {
			next = &r
			return false, nil
		}
		rows = append(rows, r)
		return true, nil
	}, query, args...)
	return rows, next, err
}

// scanRow scans a row into the struct that r points to. bytes is the size of the stored texts of the counted columns,
// whose fields are sql.Scanners or pointers to such.
func scanRow(row *sqlx.Rows, r any, counted []string) (bytes int, err error) {
	if len(counted) == 0 {
		return 0, row.StructScan(r)
	}
	columns, err := row.Columns()
	if err != nil {
		return 0, err
	}
	record := reflect.ValueOf(r).Elem()
	to := make([]any, len(columns))
	for i, index := range row.Mapper.TraversalsByName(record.Type(), columns) {
		if len(index) == 0 {
			return 0, fmt.Errorf("store: %s has no field for the column %s", record.Type(), columns[i])
		}
		field := record.FieldByIndex(index)
		if to[i] = field.Addr().Interface(); !slices.Contains(counted, columns[i]) {
			continue
		}
		scanner, ok := to[i].(sql.Scanner)
		if !ok {
			scanner = pointerScanner{field}
		}
		to[i] = &countingScanner{scanner, &bytes}
	}
	err = row.Scan(to...)
	return bytes, err
}

// countingScanner scans a text and adds its bytes to a sum.
type countingScanner struct {
	sql.Scanner
	sum *int
}

// Scan adds the size of a text to the sum and passes src to the wrapped Scanner. Other values, such as NULL, count
// nothing.
func (s *countingScanner) Scan(src any) error {
	switch v := src.(type) {
	case string:
		*s.sum += len(v)
	case []byte:
		*s.sum += len(v)
	}
	return s.Scanner.Scan(src)
}

// pointerScanner scans into a field that is a pointer to a Scanner, and sets it to nil for NULL.
type pointerScanner struct{ field reflect.Value }

// Scan sets the field to a new value that has scanned src, or to nil.
func (s pointerScanner) Scan(src any) error {
	s.field.SetZero()
	if src == nil {
		return nil
	}
	value := reflect.New(s.field.Type().Elem())
	s.field.Set(value)
	return value.Interface().(sql.Scanner).Scan(src) //nolint:forcetypeassert // only such fields are counted
}

// ForEachRow calls f with each row of a query as it arrives, so that only one row is in memory at a time. It stops at
// the first error of f and returns it.
func ForEachRow[R any](ctx context.Context, q Queryer, f func(R) error, query string, args ...any) error {
	return q.scanRows(ctx, func(row *sqlx.Rows) (bool, error) {
		var r R
		if err := row.StructScan(&r); err != nil {
			return false, err
		}
		return true, f(r)
	}, query, args...)
}

// rowScanner reads one row and reports whether it needs the next.
type rowScanner func(row *sqlx.Rows) (bool, error)

// scanAll calls scan for each row, until scan fails or wants no more rows, and closes rows. Its arguments are the two
// results of a query call; it returns err if that is not nil.
func (scan rowScanner) scanAll(rows *sqlx.Rows, err error) error {
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if more, err := scan(rows); err != nil || !more {
			return err
		}
	}
	return rows.Err()
}

// limitBytes wraps a query for PostgreSQL so that it ends soon after its texts exceed budget.MaxPageBytes; otherwise
// the server would send all rows even if only some are read. A row is sent unless the rows before the previous one
// exceed the limit, so the first row that no longer fits is always sent, and the reader knows that there are more.
// OCTET_LENGTH reads sizes from the rows' headers without unpacking texts, and a window without an order keeps the
// order of the rows.
func limitBytes(query string, textColumns, allColumns []string) string {
	if len(textColumns) == 0 {
		return query
	}
	sizes := make([]string, len(textColumns))
	for i, column := range textColumns {
		sizes[i] = "COALESCE(OCTET_LENGTH(p." + column + "), 0)"
	}
	return "SELECT p." + strings.Join(allColumns, ", p.") + " FROM (SELECT p.*, COALESCE(SUM(" + strings.Join(sizes, " + ") +
		") OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING), 0) AS bytes_before FROM (" + query + ") p) p WHERE bytes_before <= " + strconv.Itoa(budget.MaxPageBytes)
}
