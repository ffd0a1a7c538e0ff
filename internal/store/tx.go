package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jmoiron/sqlx"

	"laurel.example/laurel"
)

const (
	maxAttempts = 8 // of one transaction that meets serialization failures, deadlocks or a busy file
	// txLimit is the default of Options.TxLimit: a longer transaction would hold back every consumer of the change feed.
	txLimit = 2 * time.Second
)

// ErrRerun makes InTx run the whole transaction again, on the data that other nodes have committed meanwhile. For
// example, an insert found a row that did not exist when it was read.
var ErrRerun = &dbError{kind: errRetry, err: errors.New("another transaction came first")}

// Tx is one write transaction. It belongs to one goroutine.
type Tx struct {
	db       *DB
	conn     *sqlx.Conn
	now      time.Time
	deadline time.Time  // by the system's clock
	identity txIdentity // PostgreSQL: to look up a COMMIT of unknown outcome
	hasBegun bool       // PostgreSQL: BEGIN was sent
	firstErr error      // the first statement error: such a transaction is never committed
	// deferWrites is set while bulk writes are collected in deferred, to be sent together.
	deferWrites bool
	deferred    []statement
}

// Now returns the time of the transaction, which is the same from its beginning to its end.
func (tx *Tx) Now() time.Time { return tx.now }

// NowAfter returns the time of the next change of a record that was changed last at a moment: Now, but at least a
// millisecond later than that moment. So two changes never have the same updatedAt in the API, which shows milliseconds
// (laurel.Scope.CheckUnchanged).
func (tx *Tx) NowAfter(last time.Time) time.Time {
	if next := last.Add(time.Millisecond).UTC(); next.After(tx.now) {
		return next
	}
	return tx.now
}

// NewID makes a version 7 UUID.
func (tx *Tx) NewID() laurel.ID { return tx.db.NewID() }

// Random fills b with secure bytes.
func (tx *Tx) Random(b []byte) { tx.db.Random(b) }

// Engine names the database.
func (tx *Tx) Engine() Engine { return tx.db.engine }

// ForUpdate returns the clause of a SELECT that locks its rows; SQLite has a single writer and needs none.
func (tx *Tx) ForUpdate() string { return tx.lockClause(" FOR UPDATE") }

// ForUpdateSkip returns the clause that locks rows and skips those that another transaction has locked.
func (tx *Tx) ForUpdateSkip() string { return tx.lockClause(" FOR UPDATE SKIP LOCKED") }

// ForShare returns the clause that locks rows against changes by others, for rows that the transaction only reads.
func (tx *Tx) ForShare() string { return tx.lockClause(" FOR SHARE") }

// Typed returns a placeholder with an SQL type, for places where PostgreSQL cannot infer it, such as a select list.
func (tx *Tx) Typed(kind string) string {
	if tx.db.engine == SQLite {
		return "?"
	}
	return "CAST(? AS " + kind + ")"
}

// lockClause returns the clause on PostgreSQL, and "" on SQLite.
func (tx *Tx) lockClause(clause string) string {
	if tx.db.engine == SQLite {
		return ""
	}
	return clause
}

// errTooLong is the cause of a context that ended at the transaction's deadline.
var errTooLong = &dbError{kind: errSlow, err: errors.New("the transaction took longer than it may")}

// withDeadline returns a context that ends at the transaction's deadline. SQLite needs none: its transactions do not
// hold back consumers of the change feed.
func (tx *Tx) withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if tx.db.engine == SQLite {
		return ctx, func() {}
	}
	return context.WithDeadlineCause(ctx, tx.deadline, errTooLong)
}

// Get reads one row into dst. If there is none, it returns an error for which IsNoRows is true. It first sends the
// writes that were deferred.
func (tx *Tx) Get(ctx context.Context, dst any, query string, args ...any) error {
	return tx.execute(ctx, query,
		func(ctx context.Context, stmt *sqlx.Stmt) error { return stmt.GetContext(ctx, dst, args...) },
		func(ctx context.Context, text string) error { return tx.conn.GetContext(ctx, dst, text, args...) })
}

// Select reads all rows of a query into the slice that dst points to. It first sends the writes that were deferred.
func (tx *Tx) Select(ctx context.Context, dst any, query string, args ...any) error {
	return tx.execute(ctx, query,
		func(ctx context.Context, stmt *sqlx.Stmt) error { return stmt.SelectContext(ctx, dst, args...) },
		func(ctx context.Context, text string) error { return tx.conn.SelectContext(ctx, dst, text, args...) })
}

// scanRows calls scan with the rows of a query, one by one, until scan fails or wants no more. It first sends the
// writes that were deferred.
func (tx *Tx) scanRows(ctx context.Context, scan rowScanner, query string, args ...any) error {
	return tx.execute(ctx, query,
		func(ctx context.Context, stmt *sqlx.Stmt) error {
			return scan.scanAll(stmt.QueryxContext(ctx, args...))
		},
		func(ctx context.Context, text string) error {
			return scan.scanAll(tx.conn.QueryxContext(ctx, text, args...))
		})
}

// Exec runs a statement and returns how many rows it inserted, updated or deleted. It first sends the writes that were
// deferred.
func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	var result sql.Result
	err := tx.execute(ctx, query,
		func(ctx context.Context, stmt *sqlx.Stmt) (err error) {
			result, err = stmt.ExecContext(ctx, args...)
			return err
		},
		func(ctx context.Context, text string) (err error) {
			result, err = tx.conn.ExecContext(ctx, text, args...)
			return err
		})
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// execute sends the writes that were deferred. Then it runs the prepared statement of a query if there is one, and its
// text otherwise, with a context that ends at the transaction's deadline.
func (tx *Tx) execute(
	ctx context.Context, query string, byStatement func(context.Context, *sqlx.Stmt) error,
	byText func(context.Context, string) error,
) error {
	if err := tx.sendDeferred(ctx); err != nil {
		return err
	}
	ctx, cancel := tx.withDeadline(ctx)
	defer cancel()
	stmt, err := tx.prepared(ctx, query)
	switch {
	case err != nil: // is recorded below
	case stmt != nil:
		err = byStatement(ctx, stmt)
	default:
		err = byText(ctx, tx.db.rebind(query))
	}
	return tx.recordError(ctx, query, err)
}

// prepared returns the prepared statement of a query on SQLite. It returns nil, so that the text is executed, if the
// cache of statements is full, and always on PostgreSQL.
func (tx *Tx) prepared(ctx context.Context, query string) (*sqlx.Stmt, error) {
	if tx.db.engine != SQLite {
		return nil, nil // pgx keeps its own prepared statements
	}
	return tx.db.writer.prepared(ctx, query)
}

// recordError returns the error of a statement, classified and with the statement's name; nil stays nil. It keeps the
// first error in firstErr, because a transaction in which a statement failed must not be committed. If a Get found no
// row, that is no such failure.
func (tx *Tx) recordError(ctx context.Context, query string, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errTooLong) {
		err = errTooLong
	}
	err = tx.db.classify(withStatement(query, err))
	if err != nil && !IsNoRows(err) && tx.firstErr == nil {
		tx.firstErr = err
	}
	return err
}

// InTx runs fn in one transaction and commits if it returns nil. After a serialization failure, a deadlock or a busy
// file fn runs again, so it must not keep results of a failed attempt. If the connection breaks during COMMIT, the
// outcome is looked up and never repeated blindly; if it cannot be known, the error is Unavailable. The effect of a
// request with an Idempotency-Key belongs into Write instead.
func (db *DB) InTx(ctx context.Context, fn func(tx *Tx) error) error {
	return db.inTx(ctx, fn, (*Tx).beginNow)
}

// inTx is InTx with a choice of how a transaction begins on PostgreSQL: begin is beginNow or beginWithFirstStatement.
// It runs fn again, after a short random pause, if the error is a retryable one, maxAttempts times in all.
func (db *DB) inTx(ctx context.Context, fn func(tx *Tx) error, begin func(*Tx, context.Context) error) error {
	for attempt := 1; ; attempt++ {
		err := db.attempt(ctx, fn, begin)
		if err == nil || attempt == maxAttempts || !hasErrKind(err, errRetry) {
			return err
		}
		db.Metrics.retries.Inc()
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Duration(rand.IntN(attempt*10)+1) * time.Millisecond):
		}
	}
}

// attempt runs fn in one transaction, once, and commits it if fn returns nil. After a panic of fn it rolls back and
// panics again.
func (db *DB) attempt(ctx context.Context, fn func(tx *Tx) error, begin func(*Tx, context.Context) error) (err error) {
	db.Metrics.begun.Inc()
	tx, release, err := db.begin(ctx, begin)
	if err != nil {
		return err
	}
	committing := false
	defer func() {
		if p := recover(); p != nil {
			release(tx.rollback(ctx))
			panic(p)
		}
		if committing {
			release(err)
		} else {
			release(tx.rollback(ctx))
		}
	}()
	if err := fn(tx); err != nil {
		return err
	}
	if tx.firstErr != nil {
		return tx.firstErr
	}
	if db.engine == Postgres && time.Now().After(tx.deadline) {
		return errTooLong // the node was stalled: consumers of the feed may have passed this transaction's time
	}
	committing = true
	return tx.commit(ctx)
}

// begin returns a transaction, and the function that releases its connection. That function takes the error of COMMIT
// or ROLLBACK: if it is not nil, the state of the connection is unknown, so the connection is closed. On PostgreSQL the
// transaction begins by the given function, beginNow or beginWithFirstStatement.
func (db *DB) begin(ctx context.Context, begin func(*Tx, context.Context) error) (*Tx, func(error), error) {
	tx := &Tx{db: db}
	if db.engine == SQLite {
		if err := db.writer.acquire(ctx); err != nil {
			return nil, nil, err
		}
		tx.conn = db.writer.conn
		if err := tx.beginSQLite(ctx, "BEGIN IMMEDIATE"); err != nil {
			// If the context ends while BEGIN runs, a transaction may be left open on the only connection that writes.
			_ = tx.rollback(ctx)
			db.writer.release()
			return nil, nil, err
		}
		return tx, func(error) { db.writer.release() }, nil
	}
	conn, err := db.write.Connx(ctx)
	if err != nil {
		return nil, nil, db.classify(err)
	}
	tx.conn = conn
	release := func(err error) {
		if err != nil {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		}
		_ = conn.Close()
	}
	if err := begin(tx, ctx); err != nil {
		release(err)
		return nil, nil, err
	}
	return tx, release, nil
}

// beginSQLite begins the transaction with a statement, and sets its time and deadline.
func (tx *Tx) beginSQLite(ctx context.Context, statement string) error {
	if _, err := tx.conn.ExecContext(ctx, statement); err != nil {
		return tx.db.classify(err)
	}
	tx.now, tx.deadline = tx.db.Now(), time.Now().Add(tx.db.txLimit)
	return nil
}

// beginNow begins the transaction in a round trip of its own.
func (tx *Tx) beginNow(ctx context.Context) error { return tx.sendStatements(ctx, nil) }

// beginWithFirstStatement sends nothing: the first call of sendStatements also sends BEGIN. It must come before every
// other statement.
func (tx *Tx) beginWithFirstStatement(context.Context) error { return nil }

// rollback rolls the transaction back, even if ctx has ended.
func (tx *Tx) rollback(ctx context.Context) error {
	_, err := tx.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	if err != nil && tx.db.engine == SQLite {
		return nil // SQLite rolls back by itself after some errors, and then ROLLBACK fails
	}
	return err
}

// commit commits the transaction. It does not end with the caller's context, since the outcome must be known once
// COMMIT is sent. If the connection to PostgreSQL breaks, it looks the outcome up.
func (tx *Tx) commit(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	_, err := tx.conn.ExecContext(ctx, "COMMIT")
	if err == nil {
		return nil
	}
	err = tx.db.classify(withStatement("COMMIT", err))
	if tx.db.engine == SQLite {
		_ = tx.rollback(ctx)
		return err // a COMMIT that SQLite refused changed nothing
	}
	if !hasErrKind(err, errDown) && !errors.Is(err, context.DeadlineExceeded) {
		return err // the server responded: the transaction is rolled back
	}
	return tx.db.findCommitOutcome(ctx, tx.identity, err)
}
