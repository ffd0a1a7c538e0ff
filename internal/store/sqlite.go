package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	"github.com/jmoiron/sqlx"
	sqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// sqliteReaders bounds the read-only connections: WAL readers never wait for the writer, but each keeps a page cache.
const sqliteReaders = 8

// maxStatements bounds the prepared statements that the writer keeps.
const maxStatements = 512

// openSQLite makes the file where it may, takes its lock and connects.
func (db *DB) openSQLite(ctx context.Context, path string, o Options) error {
	db.engine, db.longReads, db.listReads = SQLite, make(readSlots, sqliteLongReads), make(readSlots, sqliteListReads)
	if err := createFile(path, o.MustExist); err != nil {
		return err
	}
	if !o.Exclusive {
		return db.connectSQLite(ctx, path)
	}
	lock, isNewLock, err := lockFile(path)
	if err != nil {
		return err
	}
	db.unlock = lock.Unlock
	if err = db.connectSQLite(ctx, path); err == nil {
		return nil
	}
	if isNewLock || isNotDatabase(err) { // no server has ever needed this lock, so nobody waits for it
		err = errors.Join(err, os.Remove(lock.Path()))
	}
	return errors.Join(err, lock.Unlock())
}

// connectSQLite opens two pools on one file: a single writer (BEGIN IMMEDIATE, full durability) and read-only readers.
func (db *DB) connectSQLite(ctx context.Context, path string) error {
	dsn := func(extra url.Values) string {
		q := url.Values{
			"_pragma": {
				"busy_timeout(10000)",
				"journal_mode(WAL)",
				"synchronous(FULL)",
				"foreign_keys(1)",
				"cache_size(-16000)",
			},
		}
		for k, v := range extra {
			q[k] = append(q[k], v...)
		}
		return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
	}
	var err error
	// Commits write the pages that changed to the log; copying them from there into the file four times less often than by
	// default copies each hot page less.
	writing := dsn(url.Values{"_txlock": {"immediate"}, "_pragma": {"wal_autocheckpoint(4000)"}})
	db.openMigrationPool = func() (*sql.DB, error) { return sql.Open("sqlite", writing) }
	if db.write, err = sqlx.Open("sqlite", writing); err != nil {
		return err
	}
	db.write.SetMaxOpenConns(1)
	db.write.SetConnMaxLifetime(0)
	if err := db.write.PingContext(ctx); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", path, err), db.write.Close())
	}
	conn, err := db.write.Connx(ctx)
	if err != nil {
		return err
	}
	db.writer = &writer{conn: conn, slot: make(chan struct{}, 1), stmts: map[string]*sqlx.Stmt{}}
	if db.read, err = sqlx.Open("sqlite", dsn(url.Values{"_pragma": {"query_only(1)"}})); err != nil {
		return err
	}
	db.read.SetMaxOpenConns(sqliteReaders)
	db.read.SetMaxIdleConns(sqliteReaders)
	db.reads.stmts = map[string]*sqlx.Stmt{}
	return nil
}

// createFile makes the database for its owner alone, since it holds members and their secrets; SQLite gives its other
// files the same mode. A file that is there is not touched: closing it would end this process's locks on it (SQLite,
// "How To Corrupt", section 2.2).
func createFile(path string, mustExist bool) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if mustExist {
		return fmt.Errorf(
			"%s does not exist; laurel serve and laurel init make a database, --database (LAUREL_DATABASE_URL) names another one",
			path,
		)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// lockFile takes the advisory lock beside the database for as long as the DB is open. The system frees it when the
// process dies. made tells that the file of the lock was not there before.
func lockFile(path string) (lock *flock.Flock, isNew bool, err error) {
	lock = flock.New(path+".lock", flock.SetPermissions(0o600))
	_, err = os.Stat(lock.Path())
	isNew = errors.Is(err, fs.ErrNotExist)
	isLocked, err := lock.TryLock()
	if err != nil {
		return nil, false, fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	if !isLocked {
		return nil, false, fmt.Errorf("%s is already served by another process", path)
	}
	return lock, isNew, nil
}

// isNotDatabase reports that a file holds something else than a database.
func isNotDatabase(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_NOTADB
}

// writer is the one connection that writes to SQLite. Its statements stay prepared: preparing costs more than running
// them.
type writer struct {
	conn    *sqlx.Conn
	slot    chan struct{} // holds one token while a transaction runs; waiters are served in order
	stmts   map[string]*sqlx.Stmt
	begunAt atomic.Pointer[time.Time] // when the holder of the turn began, by the system's clock
}

func (w *writer) acquire(ctx context.Context) error {
	select {
	case w.slot <- struct{}{}:
		began := time.Now()
		w.begunAt.Store(&began)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *writer) release() {
	w.begunAt.Store(nil)
	<-w.slot
}

// close finishes the statements and gives the connection back to its pool, which closes only what it has. A connection
// that stays open keeps the newest writes in the -wal file.
func (w *writer) close() {
	w.slot <- struct{}{}
	defer w.release()
	for _, s := range w.stmts {
		_ = s.Close()
	}
	_ = w.conn.Close()
}

// WithSecureDelete runs f so that what is overwritten meanwhile leaves no trace in SQLite's files: freed space is zeroed, and
// the write-ahead log is emptied afterwards. What was overwritten before may still lie in free space, which only VACUUM
// removes. PostgreSQL has no such way: dead rows lie until they are vacuumed and their pages written over.
// Errors: those of f; that the log could not be emptied, and then what f did stays.
func (db *DB) WithSecureDelete(ctx context.Context, f func() error) error {
	if db.engine != SQLite {
		return f()
	}
	if err := db.pragma(ctx, "secure_delete = ON"); err != nil {
		return err
	}
	err := f()
	ctx = context.WithoutCancel(ctx)
	return errors.Join(err, db.pragma(ctx, "secure_delete = OFF"), db.truncateWAL(ctx))
}

// truncateWAL writes the write-ahead log back into the file and cuts it off. SQLite tells in a row that a reader was
// in the way.
func (db *DB) truncateWAL(ctx context.Context) error {
	if err := db.writer.acquire(ctx); err != nil {
		return err
	}
	defer db.writer.release()
	var isBusy bool
	var pages, moved int
	err := db.writer.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&isBusy, &pages, &moved)
	if err == nil && isBusy {
		err = errors.New("store: something reads the database, so its -wal file still holds what was overwritten")
	}
	return err
}

// pragma sets something of SQLite's writer.
func (db *DB) pragma(ctx context.Context, text string) error {
	if err := db.writer.acquire(ctx); err != nil {
		return err
	}
	defer db.writer.release()
	_, err := db.writer.conn.ExecContext(ctx, "PRAGMA "+text)
	return err
}

// prepared returns a statement for the holder of the turn, nil where the cache is full (only lists with many filters
// get there).
func (w *writer) prepared(ctx context.Context, query string) (*sqlx.Stmt, error) {
	if s := w.stmts[query]; s != nil || len(w.stmts) >= maxStatements {
		return s, nil
	}
	s, err := w.conn.PreparexContext(ctx, query)
	if err == nil {
		w.stmts[query] = s
	}
	return s, err
}

// classifySQLite sorts the driver's errors by what follows from them.
func classifySQLite(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return &dbError{kind: errRetry, err: err}
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
		return &dbError{kind: errDown, err: err}
	}
	return err
}
