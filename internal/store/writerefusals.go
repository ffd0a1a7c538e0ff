package store

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// refusalLifetime is how long a refused write counts. Leases and consumers of the feed write every few seconds, so a
// database that is still full refuses another write before that.
const refusalLifetime = 15 * time.Second

// writeRefusals remembers the last write that the database refused because its disk is full or it is read-only.
type writeRefusals struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

// record stores the error of a refused write, at the moment now.
func (r *writeRefusals) record(err error, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at, r.err = now, err
}

// RecentWriteRefusal returns the error of the last write that the database refused because its disk is full or it is
// read-only. It returns nil if there is none, or if that was more than refusalLifetime ago. It does not query the
// database.
func (db *DB) RecentWriteRefusal() error {
	db.writeRefusals.mu.Lock()
	defer db.writeRefusals.mu.Unlock()
	if db.writeRefusals.err == nil || db.Now().Sub(db.writeRefusals.at) > refusalLifetime {
		return nil
	}
	return fmt.Errorf("a write was refused: %w", db.writeRefusals.err)
}

// isWriteRefusal reports whether an error says that the disk is full (disk_full, SQLITE_FULL) or the database
// read-only.
func isWriteRefusal(err error) bool {
	var p *pgconn.PgError
	if errors.As(err, &p) {
		return p.Code == "53100" || p.Code == "25006"
	}
	var s *sqlite.Error
	if errors.As(err, &s) {
		return s.Code()&0xff == sqlite3.SQLITE_FULL || s.Code()&0xff == sqlite3.SQLITE_READONLY
	}
	return false
}

// IsFault reports whether the database or a time limit caused the error, so that the same read may succeed later.
// Errors about data, such as a value that is too large or out of range, are no faults.
func IsFault(err error) bool {
	if isUnavailable(err) || isConnectionError(err) {
		return true
	}
	var p *pgconn.PgError
	if errors.As(err, &p) {
		return p.Code[:min(2, len(p.Code))] != "22" // data exception
	}
	var s *sqlite.Error
	if errors.As(err, &s) {
		switch s.Code() & 0xff {
		case sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE:
			return false
		}
		return true
	}
	return false
}
