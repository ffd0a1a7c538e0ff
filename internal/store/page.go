package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"

	"laurel"
	"laurel/internal/budget"
)

// SelectPage reads a page of a list: rows in the query's order, at most limit of them and, like SelectWithinBudget,
// budget.Page bytes. The query ends with its ORDER BY.
func SelectPage[R any](ctx context.Context, q Queryer, limit int, query string, args ...any) (laurel.Page[R], error) {
	rows, next, err := SelectWithinBudget[R](ctx, q, query+" LIMIT ?", append(args, limit+1)...)
	page := laurel.PageOf(rows, limit)
	page.HasNextPage = page.HasNextPage || next != nil
	return page, err
}

// SelectWithinBudget reads rows until their texts have budget.Page bytes together, the first row whatever its size. next is
// the row that is too much; nil: all rows are there. Never more is held in memory, and PostgreSQL sends no more.
func SelectWithinBudget[R any](ctx context.Context, q Queryer, query string, args ...any) (rows []R, next *R, err error) {
	texts := budget.TextsOf[R]()
	if q.Engine() == Postgres {
		query = limitBytes(query, texts.Columns, texts.All)
	}
	held := 0
	err = q.scanRows(ctx, func(row *sqlx.Rows) (bool, error) {
		var r R
		if err := row.StructScan(&r); err != nil {
			return false, err
		}
		if held += texts.Size(&r); held > budget.Page && len(rows) > 0 {
			next = &r
			return false, nil
		}
		rows = append(rows, r)
		return true, nil
	}, query, args...)
	return rows, next, err
}

// ForEachRow hands all rows to f, one at a time, so that f holds what it needs of them and no more.
func ForEachRow[R any](ctx context.Context, q Queryer, f func(R) error, query string, args ...any) error {
	return q.scanRows(ctx, func(row *sqlx.Rows) (bool, error) {
		var r R
		if err := row.StructScan(&r); err != nil {
			return false, err
		}
		return true, f(r)
	}, query, args...)
}

// rowScanner takes one row and reports whether it needs the next.
type rowScanner func(row *sqlx.Rows) (bool, error)

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

// limitBytes makes a query end soon behind the row with which its texts are too many bytes, for PostgreSQL, which would send
// all rows to whoever reads only some. Whether a row is sent depends on those before the one before it: the row that is
// too much is always there, so that its reader knows that there are more. Sizes stand in the rows' headers, so no text
// is unpacked for them. A window without an order keeps that of the rows.
func limitBytes(query string, textColumns, allColumns []string) string {
	if len(textColumns) == 0 {
		return query
	}
	sizes := make([]string, len(textColumns))
	for i, column := range textColumns {
		sizes[i] = "COALESCE(OCTET_LENGTH(p." + column + "), 0)"
	}
	return "SELECT p." + strings.Join(allColumns, ", p.") + " FROM (SELECT p.*, COALESCE(SUM(" + strings.Join(sizes, " + ") +
		") OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING), 0) AS bytes_before FROM (" + query + ") p) p WHERE bytes_before <= " + strconv.Itoa(budget.Page)
}
