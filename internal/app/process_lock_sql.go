package app

import (
	"context"
	"database/sql"
	"errors"

	"laurel/internal/store"
)

// errInUse tells that somebody else holds the database: a server, or a command that must have it alone.
var errInUse = errors.New("the database is in use by another process of Laurel")

// processLock tells others that the database is in use, for as long as a session lasts: many may share it, or one has it
// alone. On SQLite it does nothing; the lock of the file (Config.Exclusive) keeps a second process out there.
type processLock struct {
	pool      *sql.DB // one connection of its own; nil on SQLite
	conn      *sql.Conn
	statement string // lockShared or lockExclusive
}

const (
	lockShared    = "SELECT pg_try_advisory_lock_shared(hashtextextended('laurel servers', 0))"
	lockExclusive = "SELECT pg_try_advisory_lock(hashtextextended('laurel servers', 0))"
)

// lockProcess takes the database, alone or together with others. Errors: errInUse.
func lockProcess(ctx context.Context, db *store.DB, statement string) (*processLock, error) {
	h := &processLock{statement: statement}
	if db.Engine() == store.SQLite {
		return h, nil
	}
	var err error
	if h.pool, err = db.OpenSessionPool(); err != nil {
		return nil, err
	}
	if err := h.ensure(ctx); err != nil {
		return nil, errors.Join(err, h.release())
	}
	return h, nil
}

// ensure takes the database again, in a new session, where the old one has ended. Errors: errInUse where somebody came in
// between.
func (h *processLock) ensure(ctx context.Context) error {
	if h.pool == nil {
		return nil
	}
	if h.conn != nil {
		if h.conn.PingContext(ctx) == nil {
			return nil
		}
		_ = h.conn.Close()
		h.conn = nil
	}
	conn, err := h.pool.Conn(ctx)
	if err != nil {
		return err
	}
	var isLocked bool
	if err := conn.QueryRowContext(ctx, h.statement).Scan(&isLocked); err != nil {
		return errors.Join(err, conn.Close())
	}
	if !isLocked {
		return errors.Join(errInUse, conn.Close())
	}
	h.conn = conn
	return nil
}

// release ends the session.
func (h *processLock) release() error {
	if h.pool == nil {
		return nil
	}
	if h.conn != nil {
		_ = h.conn.Close()
	}
	return h.pool.Close()
}
