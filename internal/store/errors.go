package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"

	"laurel.example/laurel"
)

// errKind is what an error of the database means for the caller.
type errKind int

const (
	errRetry errKind = iota + 1 // serialization failure, deadlock, busy: the same work may succeed
	errDown                     // the database cannot be reached or cannot write
	errSlow                     // the statement timeout
)

// dbError is a driver's error, classified by how the caller can react.
type dbError struct {
	kind errKind
	err  error
}

func (e *dbError) Error() string { return e.err.Error() }
func (e *dbError) Unwrap() error { return e.err }

// As lets errors.As find a *laurel.Error in the error, which is what callers of the service see: Unavailable for a
// database that cannot be reached, for a conflict that lasts, and for a query that took too long.
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

// classify returns a driver's error as a dbError if its kind is known, and otherwise as it is. It records a write that
// the database refused because it is full or read-only, for RecentWriteRefusal.
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

// hasErrKind reports whether an error is a dbError of the kind.
func hasErrKind(err error, kind errKind) bool {
	var e *dbError
	return errors.As(err, &e) && e.kind == kind
}

// isUnavailable reports whether an error comes from an unreachable database, a time limit or a cancelled context, so
// that the same statement may succeed later.
func isUnavailable(err error) bool {
	var e *laurel.Error
	return errors.As(err, &e) && e.Code == laurel.Unavailable ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// IsNoRows reports whether a Get found no row.
func IsNoRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// isConnectionError reports whether an error comes from a broken connection, and not from the server's response.
func isConnectionError(err error) bool {
	var netErr net.Error
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) ||
		errors.As(err, &netErr) && !errors.Is(err, context.DeadlineExceeded)
}
