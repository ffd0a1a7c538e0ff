package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"

	"laurel"
)

type errKind int

const (
	errRetry errKind = iota + 1 // serialization failure, deadlock, busy: the same work may succeed
	errDown                     // the database cannot be reached or cannot write
	errSlow                     // the statement timeout
)

// dbError is a driver's error with what follows from it.
type dbError struct {
	kind errKind
	err  error
}

func (e *dbError) Error() string { return e.err.Error() }
func (e *dbError) Unwrap() error { return e.err }

// As lets callers above see what they can act on: an unreachable database is Unavailable.
func (e *dbError) As(target any) bool {
	out, ok := target.(**laurel.Error)
	if !ok {
		return false
	}
	switch e.kind {
	case errDown, errRetry:
		*out = &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 1}
	case errSlow:
		*out = &laurel.Error{Code: laurel.Unavailable, Message: "The query took too long; narrow its filters", RetryAfter: 5}
	default:
		return false
	}
	return true
}

func (db *DB) classify(err error) error {
	if err == nil {
		return nil
	}
	if isWriteRefusal(err) {
		db.writeRefusals.record(err, db.Now())
	}
	if db.engine == SQLite {
		return classifySQLite(err)
	}
	return classifyPostgres(err)
}

func isKind(err error, kind errKind) bool {
	var e *dbError
	return errors.As(err, &e) && e.kind == kind
}

// isUnavailable reports whether the database or its time was lacking: also a limit of ours that ended a read, and a
// context that is over.
func isUnavailable(err error) bool {
	var e *laurel.Error
	return errors.As(err, &e) && e.Code == laurel.Unavailable ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// NoRows reports whether a Get found nothing.
func NoRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// isConnection tells a broken connection from an error that the server answered.
func isConnection(err error) bool {
	var netErr net.Error
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) ||
		errors.As(err, &netErr) && !errors.Is(err, context.DeadlineExceeded)
}
