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

// A batch of Works runs some fifteen statements. PostgreSQL takes them in one round trip instead of fifteen (pipeline
// mode), and does not wait for this process between them. On SQLite a statement is a function call, so nothing in this
// file is used there.

// statement is one statement of a pipeline, with the function that reads its result.
type statement struct {
	query      string
	args       []any
	readResult func(r pgx.BatchResults) error
}

// defersWrites reports whether bulk writes are collected instead of sent: on PostgreSQL, while a Batch flushes.
func (tx *Tx) defersWrites() bool { return tx.deferWrites && tx.db.engine == Postgres }

// deferWrite collects a bulk write of a number of rows, which sendDeferred sends later. With mayConflict, sending it
// returns ErrRerun if one of the rows existed already.
func (tx *Tx) deferWrite(query string, args []any, rows int64, mayConflict bool) {
	tx.deferred = append(tx.deferred, statement{query, args, func(r pgx.BatchResults) error {
		tag, err := r.Exec()
		if mayConflict && (isDuplicateKey(err) || err == nil && tag.RowsAffected() < rows) {
			return ErrRerun
		}
		return err
	}})
}

// sendDeferred sends the writes that deferWrite has collected, in their order, in one round trip. Without any it does
// nothing.
func (tx *Tx) sendDeferred(ctx context.Context) error {
	if len(tx.deferred) == 0 {
		return nil
	}
	statements := tx.deferred
	tx.deferred = nil
	return tx.sendStatements(ctx, statements)
}

// beginStatements returns the statements that begin the transaction and read its identity. They come before all others,
// so that the outcome of a broken COMMIT can be looked up, and so that the transaction's id is older than its numbers
// in the change feed.
func (tx *Tx) beginStatements() []statement {
	return []statement{{query: "BEGIN", readResult: func(r pgx.BatchResults) error {
		_, err := r.Exec()
		return err
	}}, {query: selectTxIdentity, readResult: func(r pgx.BatchResults) error {
		return eachRow(r, 0, func(row *txIdentity) { tx.identity = *row }, nil)
	}}}
}

// sendStatements runs statements in one round trip, after BEGIN if the transaction has not begun. It returns the error
// of the first statement that fails; those after it do nothing.
func (tx *Tx) sendStatements(ctx context.Context, statements []statement) error {
	if tx.hasBegun {
		return tx.sendBatch(ctx, statements)
	}
	tx.hasBegun, tx.deadline = true, time.Now().Add(tx.db.txLimit)
	err := tx.sendBatch(ctx, append(tx.beginStatements(), statements...))
	tx.now = tx.db.Now() // after the id was given: see Settled
	return err
}

// sendBatch sends the statements to PostgreSQL in one round trip and reads their results in order, up to the first
// error.
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
				return withStatement(s.query, err)
			}
		}
		return nil
	})
	return tx.recordError(ctx, "" /* err names its statement */, err)
}

// columnsOf maps column names to struct fields by their db tags.
var columnsOf = reflectx.NewMapperFunc("db", strings.ToLower)

// eachRow reads the result of a statement and calls onRow with each row as an R, whose fields match columns by their db
// tags. leading is the number of columns at the start of a row that do not belong to R. If there are such columns and
// the first is not NULL, the row holds no R: eachRow calls onLeading with the raw values of the leading columns
// instead.
func eachRow[R any](r pgx.BatchResults, leading int, onRow func(*R), onLeading func(leading [][]byte)) error {
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
			onLeading(raw[:leading])
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
		onRow(row)
	}
	return rows.Err()
}
