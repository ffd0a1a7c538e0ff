package app

import (
	"context"
	"database/sql"
	"errors"

	"laurel.example/laurel/internal/store"
)

// errInUse means that another process uses the database: a server, or a command that needs it exclusively.
var errInUse = errors.New("the database is in use by another process of Laurel")

// processLock marks the database as in use, shared by many processes or exclusively by one, for as long as a session
// lasts. On SQLite it does nothing: the file lock of Config.Exclusive keeps other processes out.
type processLock struct {
	pool      *sql.DB // one connection of its own; nil on SQLite
	conn      *sql.Conn
	statement string // lockShared or lockExclusive
}

const (
	lockShared    = "SELECT pg_try_advisory_lock_shared(hashtextextended('laurel servers', 0))"
	lockExclusive = "SELECT pg_try_advisory_lock(hashtextextended('laurel servers', 0))"
)

// lockProcess takes the lock of the database; statement is lockShared or lockExclusive. On SQLite it takes none: there
// the lock of the file keeps other processes out. Errors: errInUse if another process has a lock that excludes this
// one.
func lockProcess(ctx context.Context, db *store.DB, statement string) (*processLock, error) {
	l := &processLock{statement: statement}
	if db.Engine() == store.SQLite {
		return l, nil
	}
	var err error
	if l.pool, err = db.OpenSessionPool(); err != nil {
		return nil, err
	}
	if err := l.ensure(ctx); err != nil {
		return nil, errors.Join(err, l.release())
	}
	return l, nil
}

// ensure takes the lock if this process does not have it: at the start, and again in a new session after the old one
// has ended. On SQLite it does nothing. Errors: errInUse if another process has it.
func (l *processLock) ensure(ctx context.Context) error {
	if l.pool == nil {
		return nil
	}
	if l.conn != nil {
		if l.conn.PingContext(ctx) == nil {
			return nil
		}
		_ = l.conn.Close()
		l.conn = nil
	}
	conn, err := l.pool.Conn(ctx)
	if err != nil {
		return err
	}
	var isLocked bool
	if err := conn.QueryRowContext(ctx, l.statement).Scan(&isLocked); err != nil {
		return errors.Join(err, conn.Close())
	}
	if !isLocked {
		return errors.Join(errInUse, conn.Close())
	}
	l.conn = conn
	return nil
}

// release gives the lock back: it ends the session.
func (l *processLock) release() error {
	if l.pool == nil {
		return nil
	}
	if l.conn != nil {
		_ = l.conn.Close()
	}
	return l.pool.Close()
}
