package store

import (
	"context"
	"time"

	"laurel.example/laurel"
)

// A database for tests can have a clock of its own, which is ahead of the system's by a time that callers set and that
// only grows. Everything that the database dates follows it, on all nodes.

// ReadClock reads the clock of the database, and reports whether it has one. A node calls it when it starts, and again
// to follow the others.
func (db *DB) ReadClock(ctx context.Context) (hasClock bool, err error) {
	var ahead int64
	err = db.Get(ctx, &ahead, "SELECT ahead FROM database_clock WHERE id = 1")
	if IsNoRows(err) {
		return false, nil
	}
	if err == nil {
		db.ahead.Store(max(db.ahead.Load(), ahead))
	}
	return err == nil, err
}

// CreateClock gives the database a clock of its own, which shows the system's time until it is set.
func (db *DB) CreateClock(ctx context.Context) error {
	return db.InTx(ctx, func(tx *Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO database_clock (id, ahead) VALUES (1, 0) ON CONFLICT (id) DO NOTHING")
		return err
	})
}

// latest is the end of the time that a clock can show: sums of microseconds, and the times in ids, stay in range.
var latest = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// SetClock sets the clock of the database to a moment, and returns the time that it shows now. Invalid for a moment
// before the present one, or after the year 2199.
func (db *DB) SetClock(ctx context.Context, at time.Time) (time.Time, error) {
	var f laurel.Faults
	if !at.Before(latest) {
		f.Add("at", "must be before %s", latest.Format(time.RFC3339))
		return time.Time{}, f.Err()
	}
	err := db.InTx(ctx, func(tx *Tx) error {
		var ahead int64
		err := tx.Get(ctx, &ahead, "SELECT ahead FROM database_clock WHERE id = 1"+tx.ForUpdate())
		if err != nil {
			return err
		}
		want := at.Sub(db.system()).Microseconds()
		if want < ahead {
			now := db.system().Add(time.Duration(ahead) * time.Microsecond).UTC()
			f.Add("at", "must not be before %s, since time only moves forward", now.Format(time.RFC3339))
			return f.Err()
		}
		_, err = tx.Exec(ctx, "UPDATE database_clock SET ahead = ? WHERE id = 1", want)
		return err
	})
	if err != nil {
		return time.Time{}, err
	}
	_, err = db.ReadClock(ctx)
	return db.Now(), err
}
