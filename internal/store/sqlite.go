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

// maxStatements bounds the cached prepared statements of the writer, and those of the readers.
const maxStatements = 512

// openSQLite creates the database file if it is missing and may be created, and connects. If Exclusive is set, it first
// takes the lock file next to the database. If it then cannot connect, it releases the lock, and removes the lock file
// if no other process can be using it.
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
	// Nothing waits for a lock: lockFile fails at once if another process has it. A lock file that this call has made, or
	// that lies next to a file that is no database, is of no use to another process.
	if isNewLock || isNotDatabase(err) {
		err = errors.Join(err, os.Remove(lock.Path()))
	}
	return errors.Join(err, lock.Unlock())
}

// connectSQLite opens two pools on one file: a single writer (BEGIN IMMEDIATE, full durability) and read-only readers.
// db.openMigrationPool then opens further writers for migrations.
func (db *DB) connectSQLite(ctx context.Context, path string) error {
	dsn := func(extra url.Values) string { // the driver's address, with the options of all connections and extra ones
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
	// Commits write changed pages to the write-ahead log. Checkpoints copy them into the file four times less often than
	// by default, so that a page that changes often is copied less.
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
	db.writer = &writer{conn: conn, slot: make(chan struct{}, 1), stmts: map[string]*sqlx.Stmt{}, metrics: db.Metrics}
	if db.read, err = sqlx.Open("sqlite", dsn(url.Values{"_pragma": {"query_only(1)"}})); err != nil {
		return err
	}
	db.read.SetMaxOpenConns(sqliteReaders)
	db.read.SetMaxIdleConns(sqliteReaders)
	db.reads.stmts = map[string]*sqlx.Stmt{}
	return nil
}

// createFile creates the database with access for its owner only, since it holds personal data and secrets; SQLite
// gives its other files the same mode. It does not open an existing file: closing it would drop this process's locks on
// it (SQLite, "How To Corrupt", section 2.2).
func createFile(path string, mustExist bool) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if mustExist {
		return fmt.Errorf(
			"%s does not exist; run laurel serve or laurel init to create it, or set --database (LAUREL_DATABASE_URL)",
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

// lockFile locks the lock file next to the database for as long as the DB is open, and creates the file if it is
// missing (isNew). It does not wait: it fails if another process has the lock. The system releases the lock when the
// process dies.
func lockFile(path string) (lock *flock.Flock, isNew bool, err error) {
	lock, isNew, isLocked, err := tryLock(path)
	if err == nil && !isLocked {
		err = fmt.Errorf("%s is already served by another process", path)
	}
	if err != nil {
		return nil, false, err
	}
	return lock, isNew, nil
}

// LockSuffix ends the name of the lock file beside a path.
const LockSuffix = ".lock"

// tryLock is lockFile, but only reports whether it has the lock.
func tryLock(path string) (lock *flock.Flock, isNew, isLocked bool, err error) {
	lock = flock.New(path+LockSuffix, flock.SetPermissions(0o600))
	_, err = os.Stat(lock.Path())
	isNew = errors.Is(err, fs.ErrNotExist)
	if isLocked, err = lock.TryLock(); err != nil {
		return nil, false, false, fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	return lock, isNew, isLocked, nil
}

// isNotDatabase reports whether an error says that the file is no SQLite database.
func isNotDatabase(err error) bool { return sqliteCode(err) == sqlite3.SQLITE_NOTADB }

// writer is the one connection that writes to SQLite. It caches prepared statements: preparing one costs more than
// running it.
type writer struct {
	conn    *sqlx.Conn
	slot    chan struct{} // holds one token while a transaction runs; it is given in order of arrival
	stmts   map[string]*sqlx.Stmt
	metrics *Metrics
	begunAt atomic.Pointer[time.Time] // when the transaction in the slot began, by the system's clock
}

// acquire waits for the slot, which lets the caller run one transaction. It returns the error of ctx if that ends
// first.
func (w *writer) acquire(ctx context.Context) error {
	asked := time.Now()
	select {
	case w.slot <- struct{}{}:
		w.begunAt.Store(&asked)
		return nil
	default:
	}
	w.metrics.writerWaits.Inc()
	defer func() { w.metrics.writerWaitSeconds.Add(time.Since(asked).Seconds()) }()
	select {
	case w.slot <- struct{}{}:
		began := time.Now()
		w.begunAt.Store(&began)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// release gives the slot to the next transaction.
func (w *writer) release() {
	w.begunAt.Store(nil)
	<-w.slot
}

// close waits for the transaction under way, closes the prepared statements, and returns the connection to its pool,
// which closes only idle connections. A connection that stays open would keep the newest writes in the -wal file.
func (w *writer) close() {
	w.slot <- struct{}{}
	defer w.release()
	for _, s := range w.stmts {
		_ = s.Close()
	}
	_ = w.conn.Close()
}

// WithSecureDelete calls f so that data which f overwrites leaves no trace in SQLite's files: freed space is zeroed,
// and the write-ahead log is truncated afterwards. Data that was overwritten earlier may still be in free space, which
// only VACUUM removes. On PostgreSQL it only calls f: dead rows stay until they are vacuumed and their pages
// overwritten. Errors: those of f, and a log that could not be truncated; the changes that f has committed stay in both
// cases.
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

// truncateWAL copies the write-ahead log into the database file and truncates it. It fails if another connection reads
// from the log.
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

// pragma executes a PRAGMA on SQLite's writer.
func (db *DB) pragma(ctx context.Context, text string) error {
	if err := db.writer.acquire(ctx); err != nil {
		return err
	}
	defer db.writer.release()
	_, err := db.writer.conn.ExecContext(ctx, "PRAGMA "+text)
	return err
}

// prepared returns the prepared statement of a query, from the cache or new. If the cache is full, which only lists
// with many filters cause, it returns nil, and the caller executes the text. Only the holder of the slot may call it.
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

// classifySQLite returns the driver's error as a dbError if its code says that the file is busy, so that a retry may
// help, or that it cannot be used. It returns other errors as they are.
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
