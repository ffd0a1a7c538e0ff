package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jmoiron/sqlx"

	"laurel"
)

const (
	maxAttempts = 8 // of one transaction that meets serialization failures, deadlocks or a busy file
	// txLimit bounds a write transaction on PostgreSQL, where Options name no other: a longer one would hold back every
	// reader of the change feed.
	txLimit = 2 * time.Second
)

// ErrRerun asks for the whole transaction to run again on what other nodes committed meanwhile, for example
// after an insert met a row that was not there when it was read.
var ErrRerun = &dbError{kind: errRetry, err: errors.New("another transaction came first")}

// Tx is one write transaction. It belongs to one goroutine.
type Tx struct {
	db       *DB
	conn     *sqlx.Conn
	now      time.Time
	deadline time.Time  // by the system's clock
	identity txIdentity // PostgreSQL: for a COMMIT of unknown outcome
	hasBegun bool       // PostgreSQL: BEGIN was sent
	firstErr error      // the first statement error: such a transaction is never committed
	// deferWrites collects bulk writes in queue, to be sent together.
	deferWrites bool
	deferred    []statement
}

// Now is the one time of this transaction, whatever it takes to run.
func (tx *Tx) Now() time.Time { return tx.now }

// NewID makes a version 7 UUID.
func (tx *Tx) NewID() laurel.ID { return tx.db.NewID() }

// Random fills b with secure bytes.
func (tx *Tx) Random(b []byte) { tx.db.Random(b) }

// Engine names the database.
func (tx *Tx) Engine() Engine { return tx.db.engine }

// ForUpdate and ForShare answer the locking clause of a SELECT; SQLite's single writer needs none.
func (tx *Tx) ForUpdate() string { return tx.lockClause(" FOR UPDATE") }

// ForUpdateSkip is ForUpdate for a statement that passes rows which somebody else holds.
func (tx *Tx) ForUpdateSkip() string { return tx.lockClause(" FOR UPDATE SKIP LOCKED") }

// ForShare is like ForUpdate for rows that are only relied on.
func (tx *Tx) ForShare() string { return tx.lockClause(" FOR SHARE") }

// Typed returns a placeholder in a place where PostgreSQL cannot infer the type by itself, such as a select list.
func (tx *Tx) Typed(kind string) string {
	if tx.db.engine == SQLite {
		return "?"
	}
	return "CAST(? AS " + kind + ")"
}

func (tx *Tx) lockClause(clause string) string {
	if tx.db.engine == SQLite {
		return ""
	}
	return clause
}

// errTooLong is why a statement's context ends before its caller's does.
var errTooLong = &dbError{kind: errSlow, err: errors.New("the transaction took longer than it may")}

// withDeadline gives a statement what is left of the transaction's time. SQLite needs no bound: nobody reads behind a
// horizon there.
func (tx *Tx) withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if tx.db.engine == SQLite {
		return ctx, func() {}
	}
	return context.WithDeadlineCause(ctx, tx.deadline, errTooLong)
}

// Get reads one row into dst.
func (tx *Tx) Get(ctx context.Context, dst any, query string, args ...any) error {
	if err := tx.sendDeferred(ctx); err != nil {
		return err
	}
	ctx, cancel := tx.withDeadline(ctx)
	defer cancel()
	stmt, err := tx.prepared(ctx, query)
	if err != nil {
		return tx.recordError(ctx, err)
	}
	if stmt != nil {
		return tx.recordError(ctx, stmt.GetContext(ctx, dst, args...))
	}
	return tx.recordError(ctx, tx.conn.GetContext(ctx, dst, tx.db.rebind(query), args...))
}

// Select reads all rows into a slice.
func (tx *Tx) Select(ctx context.Context, dst any, query string, args ...any) error {
	if err := tx.sendDeferred(ctx); err != nil {
		return err
	}
	ctx, cancel := tx.withDeadline(ctx)
	defer cancel()
	stmt, err := tx.prepared(ctx, query)
	if err != nil {
		return tx.recordError(ctx, err)
	}
	if stmt != nil {
		return tx.recordError(ctx, stmt.SelectContext(ctx, dst, args...))
	}
	return tx.recordError(ctx, tx.conn.SelectContext(ctx, dst, tx.db.rebind(query), args...))
}

func (tx *Tx) scanRows(ctx context.Context, scan rowScanner, query string, args ...any) error {
	if err := tx.sendDeferred(ctx); err != nil {
		return err
	}
	ctx, cancel := tx.withDeadline(ctx)
	defer cancel()
	stmt, err := tx.prepared(ctx, query)
	if err != nil {
		return tx.recordError(ctx, err)
	}
	if stmt != nil {
		return tx.recordError(ctx, scan.scanAll(stmt.QueryxContext(ctx, args...)))
	}
	return tx.recordError(ctx, scan.scanAll(tx.conn.QueryxContext(ctx, tx.db.rebind(query), args...)))
}

// Exec runs a statement and returns how many rows it touched.
func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if err := tx.sendDeferred(ctx); err != nil {
		return 0, err
	}
	ctx, cancel := tx.withDeadline(ctx)
	defer cancel()
	stmt, err := tx.prepared(ctx, query)
	if err != nil {
		return 0, tx.recordError(ctx, err)
	}
	var res sql.Result
	if stmt != nil {
		res, err = stmt.ExecContext(ctx, args...)
	} else {
		res, err = tx.conn.ExecContext(ctx, tx.db.rebind(query), args...)
	}
	if err != nil {
		return 0, tx.recordError(ctx, err)
	}
	return res.RowsAffected()
}

func (tx *Tx) prepared(ctx context.Context, query string) (*sqlx.Stmt, error) {
	if tx.db.engine != SQLite {
		return nil, nil // pgx keeps its own prepared statements
	}
	return tx.db.writer.prepared(ctx, query)
}

func (tx *Tx) recordError(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errTooLong) {
		err = errTooLong
	}
	err = tx.db.classify(err)
	if err != nil && !NoRows(err) && tx.firstErr == nil {
		tx.firstErr = err
	}
	return err
}

// InTx runs fn in one transaction and commits when it returns nil. Serialization failures, deadlocks and busy files run
// fn again, so fn must not keep results of an attempt that failed. A COMMIT whose outcome the server did not tell is
// looked up, never repeated blindly; where it cannot be known the error is Unavailable. The effect of a request belongs
// into Write.
func (db *DB) InTx(ctx context.Context, fn func(tx *Tx) error) error {
	return db.inTx(ctx, fn, (*Tx).beginNow)
}

// inTx is InTx with another way to begin on PostgreSQL.
func (db *DB) inTx(ctx context.Context, fn func(tx *Tx) error, begin func(*Tx, context.Context) error) error {
	for attempt := 1; ; attempt++ {
		err := db.attempt(ctx, fn, begin)
		if err == nil || attempt == maxAttempts || !isKind(err, errRetry) {
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
		return errTooLong // a node that stood still: readers may have passed this transaction's time
	}
	committing = true
	return tx.commit(ctx)
}

// begin returns a transaction and the function that gives its connection back; a connection of unknown state is thrown
// away.
func (db *DB) begin(ctx context.Context, begin func(*Tx, context.Context) error) (*Tx, func(error), error) {
	tx := &Tx{db: db}
	if db.engine == SQLite {
		if err := db.writer.acquire(ctx); err != nil {
			return nil, nil, err
		}
		tx.conn = db.writer.conn
		if err := tx.beginSQLite(ctx, "BEGIN IMMEDIATE"); err != nil {
			// A context that ends while BEGIN runs may leave a transaction open, and this is the only connection that writes.
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

func (tx *Tx) beginSQLite(ctx context.Context, statement string) error {
	if _, err := tx.conn.ExecContext(ctx, statement); err != nil {
		return tx.db.classify(err)
	}
	tx.now, tx.deadline = tx.db.Now(), time.Now().Add(tx.db.txLimit)
	return nil
}

// beginNow begins in an exchange of its own.
func (tx *Tx) beginNow(ctx context.Context) error { return tx.sendStatements(ctx, nil) }

// beginWithFirstStatement leaves BEGIN to the first pipeline, which must come before every other statement.
func (tx *Tx) beginWithFirstStatement(context.Context) error { return nil }

func (tx *Tx) rollback(ctx context.Context) error {
	_, err := tx.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	if err != nil && tx.db.engine == SQLite {
		return nil // SQLite has rolled back by itself after some errors; then there is nothing left to end
	}
	return err
}

// commit runs COMMIT without the caller's deadline: once sent, its outcome must be learnt.
func (tx *Tx) commit(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	_, err := tx.conn.ExecContext(ctx, "COMMIT")
	if err == nil {
		return nil
	}
	err = tx.db.classify(err)
	if tx.db.engine == SQLite {
		_ = tx.rollback(ctx)
		return err // a COMMIT that SQLite refused has changed nothing
	}
	if !isKind(err, errDown) && !errors.Is(err, context.DeadlineExceeded) {
		return err // the server answered: it is rolled back
	}
	return tx.db.findCommitOutcome(ctx, tx.identity, err)
}
