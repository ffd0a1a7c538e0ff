package store

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx/reflectx"
)

// A batch of Works runs some fifteen statements. PostgreSQL takes them together: their answers travel back once instead
// of fifteen times, and the server does not wait for this process between them. On SQLite a statement is a function
// call, so nothing of this file is used there.

// statement is a statement on its way, with what becomes of its answer.
type statement struct {
	query      string
	args       []any
	readResult func(r pgx.BatchResults) error
}

// defersWrites reports whether bulk writes are collected: only while a Batch writes what its Works staged.
func (tx *Tx) defersWrites() bool { return tx.deferWrites && tx.db.engine == Postgres }

// deferWrite puts off a bulk write whose outcome nobody waits for. Rows that were there already, where the statement leaves
// them out, ask for a rerun.
func (tx *Tx) deferWrite(query string, args []any, rows int64, mayConflict bool) {
	tx.deferred = append(tx.deferred, statement{query, args, func(r pgx.BatchResults) error {
		tag, err := r.Exec()
		if mayConflict && (isDuplicate(err) || err == nil && tag.RowsAffected() < rows) {
			return ErrRerun
		}
		return err
	}})
}

// sendDeferred carries out what was put off, in its order.
func (tx *Tx) sendDeferred(ctx context.Context) error {
	if len(tx.deferred) == 0 {
		return nil
	}
	statements := tx.deferred
	tx.deferred = nil
	return tx.sendStatements(ctx, statements)
}

// beginStatements begins the transaction and learns its id before anything else, so that it is known when COMMIT breaks, and
// older than every change-feed number of this transaction.
func (tx *Tx) beginStatements() []statement {
	return []statement{{query: "BEGIN", readResult: func(r pgx.BatchResults) error {
		_, err := r.Exec()
		return err
	}}, {query: selectTxIdentity, readResult: func(r pgx.BatchResults) error {
		return eachRow(r, 0, func(row *txIdentity) { tx.identity = *row }, nil)
	}}}
}

// sendStatements runs statements in one go, and BEGIN before them where the transaction has not begun. The first that fails
// is the error; those after it did nothing.
func (tx *Tx) sendStatements(ctx context.Context, statements []statement) error {
	if tx.hasBegun {
		return tx.sendBatch(ctx, statements)
	}
	tx.hasBegun, tx.deadline = true, time.Now().Add(tx.db.txLimit)
	err := tx.sendBatch(ctx, append(tx.beginStatements(), statements...))
	tx.now = tx.db.Now() // after the id was given: see Settled
	return err
}

func (tx *Tx) sendBatch(ctx context.Context, statements []statement) error {
	ctx, cancel := tx.withDeadline(ctx)
	defer cancel()
	err := tx.conn.Raw(func(conn any) (err error) {
		c, ok := conn.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("store: a connection of PostgreSQL is a %T", conn)
		}
		var b pgx.Batch
		for _, s := range statements {
			b.Queue(tx.db.rebind(s.query), s.args...)
		}
		results := c.Conn().SendBatch(ctx, &b)
		defer func() {
			if closed := results.Close(); err == nil {
				err = closed
			}
		}()
		for _, s := range statements {
			if err := s.readResult(results); err != nil {
				return err
			}
		}
		return nil
	})
	return tx.recordError(ctx, err)
}

// columnsOf reads the tags that name the columns of rows.
var columnsOf = reflectx.NewMapperFunc("db", strings.ToLower)

// eachRow reads the rows of a statement into R, matching columns to fields by name. The first leading columns do not
// belong to R. A row whose first leading column is not NULL goes, as raw values, to other instead of each.
func eachRow[R any](r pgx.BatchResults, leading int, each func(*R), other func(leading [][]byte)) error {
	rows, err := r.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	descriptions := rows.FieldDescriptions()
	columns := make([]string, len(descriptions)-leading)
	for i := range columns {
		columns[i] = descriptions[leading+i].Name
	}
	paths := columnsOf.TraversalsByName(reflect.TypeFor[R](), columns)
	targets := make([]any, len(descriptions)) // nil: not read
	for rows.Next() {
		if raw := rows.RawValues(); leading > 0 && raw[0] != nil {
			other(raw[:leading])
			continue
		}
		row := new(R)
		value := reflect.ValueOf(row).Elem()
		for i, path := range paths {
			if len(path) == 0 {
				return fmt.Errorf("store: %T has no field for column %q", row, columns[i])
			}
			targets[leading+i] = value.FieldByIndex(path).Addr().Interface()
		}
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		each(row)
	}
	return rows.Err()
}
