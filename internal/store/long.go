package store

import (
	"context"
	"errors"
	"time"
)

// Connections of one kind of read, of those that a node has for reads. What a completion and the check of a key read is
// of neither kind, and always finds one.
const (
	sqliteLong, sqliteListed     = 2, 4 // of sqliteReaders
	postgresLong, postgresListed = 6, 12
	longPatience                 = 2 * time.Second // how long a read waits for a place
	listPatience                 = 5 * time.Second
)

// places bounds how many reads of a kind are under way at once. Whoever waits is served in order.
type places chan struct{}

var (
	errLimit = &dbError{kind: errSlow, err: errors.New("the query took longer than it may")}
	errFull  = &dbError{kind: errDown, err: errors.New("as many such reads are under way as there may be")}
)

func (p places) take(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errFull)
	defer cancel()
	select {
	case p <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p places) leave() { <-p }

// Long runs a read that grows with the data, statement by statement, in one of a few places. Where none is free for a
// while that is Unavailable. All its statements together end after the limit as a statement timeout does, on both
// engines.
func (db *DB) Long(ctx context.Context, limit time.Duration, read func(q Queryer) error) error {
	if err := db.long.take(ctx, longPatience); err != nil {
		return err
	}
	defer db.long.leave()
	return read(within{db, time.Now().Add(limit)})
}

type within struct {
	*DB
	end time.Time
}

func (w within) Get(ctx context.Context, dst any, query string, args ...any) error {
	return w.bounded(ctx, func(ctx context.Context) error { return w.DB.Get(ctx, dst, query, args...) })
}

func (w within) Select(ctx context.Context, dst any, query string, args ...any) error {
	return w.bounded(ctx, func(ctx context.Context) error { return w.DB.Select(ctx, dst, query, args...) })
}

func (w within) each(ctx context.Context, scan scan, query string, args ...any) error {
	return w.bounded(ctx, func(ctx context.Context) error { return w.DB.each(ctx, scan, query, args...) })
}

func (w within) bounded(ctx context.Context, read func(context.Context) error) error {
	ctx, cancel := context.WithDeadlineCause(context.WithValue(ctx, listing{}, false), w.end, errLimit) // it has its place
	defer cancel()
	err := read(ctx)
	if err != nil && !NoRows(err) && errors.Is(context.Cause(ctx), errLimit) {
		return errLimit
	}
	return err
}

// TookTooLong reports whether a read ended at its time limit.
func TookTooLong(err error) bool { return isKind(err, errSlow) }

// listing marks the context of a request that only reads.
type listing struct{}

// Listing returns the context of a request that only reads, of which callers may send many at once, and slow ones. Its
// reads outside transactions share a part of the connections, statement by statement. Where none is free for a while
// that is Unavailable.
func Listing(ctx context.Context) context.Context { return context.WithValue(ctx, listing{}, true) }

// placed takes a place for a read where its context asks for one.
func (db *DB) placed(ctx context.Context) (leave func(), err error) {
	if marked, _ := ctx.Value(listing{}).(bool); !marked {
		return func() {}, nil
	}
	return db.listed.leave, db.listed.take(ctx, listPatience)
}
