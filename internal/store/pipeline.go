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

// queued is a statement on its way, with what becomes of its answer.
type queued struct {
	query  string
	args   []any
	answer func(r pgx.BatchResults) error
}

// defers reports whether bulk writes are collected: only while a Batch writes what its Works staged.
func (tx *Tx) defers() bool { return tx.deferring && tx.db.engine == Postgres }

// later puts off a bulk write whose outcome nobody waits for. Rows that were there already, where the statement leaves
// them out, ask for a rerun.
func (tx *Tx) later(query string, args []any, rows int64, mayMeet bool) {
	tx.queue = append(tx.queue, queued{query, args, func(r pgx.BatchResults) error {
		tag, err := r.Exec()
		if mayMeet && (isDuplicate(err) || err == nil && tag.RowsAffected() < rows) {
			return ErrRerun
		}
		return err
	}})
}

// send carries out what was put off, in its order.
func (tx *Tx) send(ctx context.Context) error {
	if len(tx.queue) == 0 {
		return nil
	}
	statements := tx.queue
	tx.queue = nil
	return tx.pipeline(ctx, statements)
}

// opening begins the transaction and learns its id before anything else, so that it is known when COMMIT breaks, and
// older than every change-feed number of this transaction.
func (tx *Tx) opening() []queued {
	return []queued{{query: "BEGIN", answer: func(r pgx.BatchResults) error {
		_, err := r.Exec()
		return err
	}}, {query: selectBirth, answer: func(r pgx.BatchResults) error {
		return eachRow(r, 0, func(row *birth) { tx.birth = *row }, nil)
	}}}
}

// pipeline runs statements in one go, and BEGIN before them where the transaction has not begun. The first that fails
// is the error; those after it did nothing.
func (tx *Tx) pipeline(ctx context.Context, statements []queued) error {
	if tx.begun {
		return tx.exchange(ctx, statements)
	}
	tx.begun, tx.ends = true, time.Now().Add(tx.db.txLimit)
	err := tx.exchange(ctx, append(tx.opening(), statements...))
	tx.now = tx.db.Now() // after the id was given: see Settled
	return err
}

func (tx *Tx) exchange(ctx context.Context, statements []queued) error {
	ctx, cancel := tx.bounded(ctx)
	defer cancel()
	err := tx.conn.Raw(func(conn any) (err error) {
		c, ok := conn.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("store: a connection of PostgreSQL is a %T", conn)
		}
		var b pgx.Batch
		for _, s := range statements {
			b.Queue(tx.db.text(s.query), s.args...)
		}
		results := c.Conn().SendBatch(ctx, &b)
		defer func() {
			if closed := results.Close(); err == nil {
				err = closed
			}
		}()
		for _, s := range statements {
			if err := s.answer(results); err != nil {
				return err
			}
		}
		return nil
	})
	return tx.note(ctx, err)
}

// columnsOf reads the tags that name the columns of rows.
var columnsOf = reflectx.NewMapperFunc("db", strings.ToLower)

// eachRow reads rows of a statement into R by the names of its columns. A number of columns that come first are not
// R's, and tell by being NULL or not: other gets the rows in which the first of them is not.
func eachRow[R any](r pgx.BatchResults, first int, each func(*R), other func(first [][]byte)) error {
	rows, err := r.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	fields := rows.FieldDescriptions()
	columns := make([]string, len(fields)-first)
	for i := range columns {
		columns[i] = fields[first+i].Name
	}
	places := columnsOf.TraversalsByName(reflect.TypeFor[R](), columns)
	targets := make([]any, len(fields)) // nil: not read
	for rows.Next() {
		if raw := rows.RawValues(); first > 0 && raw[0] != nil {
			other(raw[:first])
			continue
		}
		row := new(R)
		value := reflect.ValueOf(row).Elem()
		for i, place := range places {
			if len(place) == 0 {
				return fmt.Errorf("store: %T has no place for column %q", row, columns[i])
			}
			targets[first+i] = value.FieldByIndex(place).Addr().Interface()
		}
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		each(row)
	}
	return rows.Err()
}
