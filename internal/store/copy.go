package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"

	sqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrInUse means that another process has the SQLite database open.
var ErrInUse = errors.New("the database is in use by another process")

// CopyTo writes a copy of a SQLite database into a file that does not exist yet: one state between two transactions,
// without free space, so nothing that was overwritten or deleted is in it. Writers go on meanwhile; the write-ahead log
// grows by what they write. The copy is not flushed to the disk. If it fails, part of the file may be left.
func (db *DB) CopyTo(ctx context.Context, path string) error {
	if db.engine != SQLite {
		return errors.New("store: only SQLite is copied")
	}
	pool, err := db.openMigrationPool()
	if err != nil {
		return err
	}
	_, err = pool.ExecContext(ctx, "VACUUM INTO ?", path)
	return errors.Join(db.classify(err), pool.Close())
}

// SchemaVersion returns the version of the newest applied migration; 0 if the database has no schema yet.
func (db *DB) SchemaVersion(ctx context.Context) (int64, error) {
	versions, err := db.appliedVersions(ctx)
	if err != nil || len(versions) == 0 {
		return 0, err
	}
	return slices.Max(versions), nil
}

// NewestSchema returns the version of the newest migration that this program knows.
func NewestSchema() (int64, error) {
	texts, err := migrationTexts(SQLite)
	if err != nil {
		return 0, err
	}
	return slices.Max(slices.Collect(maps.Keys(texts))), nil
}

// SQLitePath returns the path of the file of a SQLite address. It reports false for the address of another engine.
func SQLitePath(address string) (string, bool) { return sqlitePath(address) }

// TryLock locks the lock file beside a path, which it creates if it is missing. It does not wait: it reports false if
// another process has the lock. A server holds this lock of its SQLite database. release removes the lock file, if
// isTemporary, and gives the lock back; the system does that, too, when the process dies.
func TryLock(path string, isTemporary bool) (release func() error, isLocked bool, err error) {
	lock, _, isLocked, err := tryLock(path)
	if err != nil || !isLocked {
		return nil, isLocked, err
	}
	return func() error {
		if isTemporary && os.Remove(lock.Path()) != nil { // Windows removes no open file
			return errors.Join(lock.Unlock(), os.Remove(lock.Path()))
		}
		return lock.Unlock()
	}, true, nil
}

// FoldLog moves what the -wal file of a SQLite database holds into the database, and removes the -wal and -shm files.
// Errors: ErrInUse if another process has the database open; one for which IsDamaged is true if it cannot be read.
func FoldLog(ctx context.Context, path string) error {
	query := url.Values{"_pragma": {"busy_timeout(1000)"}}
	pool, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return err
	}
	var mode string
	err = pool.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode)
	if code := sqliteCode(err); code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED {
		err = ErrInUse
	} else if err == nil && mode != "delete" {
		err = fmt.Errorf("store: the journal of %s stays %s", path, mode)
	}
	return errors.Join(err, pool.Close())
}

// IsDamaged reports whether an error says that a file is no SQLite database, or a damaged one.
func IsDamaged(err error) bool {
	code := sqliteCode(err)
	return code == sqlite3.SQLITE_NOTADB || code == sqlite3.SQLITE_CORRUPT
}

// sqliteCode returns SQLite's primary result code of an error; 0 if it is none of SQLite.
func sqliteCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}
