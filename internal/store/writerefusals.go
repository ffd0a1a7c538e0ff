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

// refusalLifetime is for how long a write that found no room tells of the database: leases and readers of the feed write
// every few seconds, so one that is still full is met again before that.
const refusalLifetime = 15 * time.Second

// writeRefusals keeps the last write that the database refused because it has no room or can only be read.
type writeRefusals struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

func (r *writeRefusals) record(err error, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at, r.err = now, err
}

// RecentWriteRefusal returns the error of a write of the last seconds for which the database had no room, or which it
// refused because it can only be read; nil for none. It asks nothing of the database.
func (db *DB) RecentWriteRefusal() error {
	db.writeRefusals.mu.Lock()
	defer db.writeRefusals.mu.Unlock()
	if db.writeRefusals.err == nil || db.Now().Sub(db.writeRefusals.at) > refusalLifetime {
		return nil
	}
	return fmt.Errorf("a write was refused: %w", db.writeRefusals.err)
}

// isWriteRefusal reports whether the database has no room (disk_full, SQLITE_FULL) or can only be read.
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

// IsFault reports whether an error tells of the database, or of the time that was given, and not of the rows that were
// read: the same read may succeed later. What the database says of data is no fault of its own: a value out of its
// range, or too large.
func IsFault(err error) bool {
	if isUnavailable(err) || isConnection(err) {
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
