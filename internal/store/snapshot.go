package store

import (
	"context"
	"database/sql/driver"

	"github.com/jmoiron/sqlx"
)

// liftTimeouts lifts the statement and transaction timeouts for one transaction, whether the address, the role or the
// server set them. Only PostgreSQL 17 and newer have transaction_timeout. Between two statements up to an hour may
// pass, so that a client that vanished does not hold back vacuuming forever.
const liftTimeouts = `SELECT set_config(name, CASE name WHEN 'idle_in_transaction_session_timeout' THEN '3600000' ELSE '0' END, true) FROM pg_settings
	WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

// Snapshot calls fn with a Queryer that reads one consistent state of the database, without a time limit. Errors: those
// of fn, and of beginning the transaction.
func (db *DB) Snapshot(ctx context.Context, fn func(q Queryer) error) error {
	conn, err := db.read.Connx(ctx)
	if err != nil {
		return db.classify(err)
	}
	defer func() { // also if BEGIN fails: a context that ends while it runs may leave a transaction open
		if _, err := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); err != nil {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // its state is unknown: discard it
		}
		_ = conn.Close()
	}()
	begin := []string{"BEGIN"}
	if db.engine == Postgres {
		begin = []string{"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", liftTimeouts}
	}
	for _, statement := range begin {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return db.classify(withStatement(statement, err))
		}
	}
	return fn(&snapshot{db, conn})
}

type snapshot struct {
	db   *DB
	conn *sqlx.Conn
}

func (s *snapshot) Engine() Engine { return s.db.engine }

func (s *snapshot) Get(ctx context.Context, dst any, query string, args ...any) error {
	return s.db.classify(withStatement(query, s.conn.GetContext(ctx, dst, s.db.rebind(query), args...)))
}

func (s *snapshot) Select(ctx context.Context, dst any, query string, args ...any) error {
	return s.db.classify(withStatement(query, s.conn.SelectContext(ctx, dst, s.db.rebind(query), args...)))
}

func (s *snapshot) scanRows(ctx context.Context, scan rowScanner, query string, args ...any) error {
	return s.db.classify(withStatement(query, scan.scanAll(s.conn.QueryxContext(ctx, s.db.rebind(query), args...))))
}
