package store

import (
	"context"
	"errors"
	"time"
)

// Connections of one kind of read, of those that a node has for reads. What a completion and the check of a key read is
// of neither kind, and always finds one.
const (
	sqliteLongReads, sqliteListReads     = 2, 4 // of sqliteReaders
	postgresLongReads, postgresListReads = 6, 12
	longReadWait                         = 2 * time.Second // how long a read waits for a place
	listReadWait                         = 5 * time.Second
)

// readSlots bounds how many reads of a kind are under way at once. Whoever waits is served in order.
type readSlots chan struct{}

var (
	errLimit  = &dbError{kind: errSlow, err: errors.New("the query took longer than it may")}
	errNoSlot = &dbError{kind: errDown, err: errors.New("as many such reads are under way as there may be")}
)

func (p readSlots) acquire(ctx context.Context, maxWait time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, maxWait, errNoSlot)
	defer cancel()
	select {
	case p <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p readSlots) release() { <-p }

// LongRead runs a read that grows with the data, statement by statement, in one of a few places. Where none is free for a
// while that is Unavailable. All its statements together end after the limit as a statement timeout does, on both
// engines.
func (db *DB) LongRead(ctx context.Context, limit time.Duration, read func(q Queryer) error) error {
	if err := db.longReads.acquire(ctx, longReadWait); err != nil {
		return err
	}
	defer db.longReads.release()
	return read(deadlineQueryer{db, time.Now().Add(limit)})
}

type deadlineQueryer struct {
	*DB
	deadline time.Time
}

func (w deadlineQueryer) Get(ctx context.Context, dst any, query string, args ...any) error {
	return w.withDeadline(ctx, func(ctx context.Context) error { return w.DB.Get(ctx, dst, query, args...) })
}

func (w deadlineQueryer) Select(ctx context.Context, dst any, query string, args ...any) error {
	return w.withDeadline(ctx, func(ctx context.Context) error { return w.DB.Select(ctx, dst, query, args...) })
}

func (w deadlineQueryer) scanRows(ctx context.Context, scan rowScanner, query string, args ...any) error {
	return w.withDeadline(ctx, func(ctx context.Context) error { return w.DB.scanRows(ctx, scan, query, args...) })
}

func (w deadlineQueryer) withDeadline(ctx context.Context, read func(context.Context) error) error {
	ctx, cancel := context.WithDeadlineCause(context.WithValue(ctx, listReadKey{}, false), w.deadline, errLimit) // it has its place
	defer cancel()
	err := read(ctx)
	if err != nil && !NoRows(err) && errors.Is(context.Cause(ctx), errLimit) {
		return errLimit
	}
	return err
}

// TookTooLong reports whether a read ended at its time limit.
func TookTooLong(err error) bool { return isKind(err, errSlow) }

// listReadKey marks the context of a request that only reads.
type listReadKey struct{}

// WithListReads returns the context of a request that only reads, of which callers may send many at once, and slow ones. Its
// reads outside transactions share a part of the connections, statement by statement. Where none is free for a while
// that is Unavailable.
func WithListReads(ctx context.Context) context.Context {
	return context.WithValue(ctx, listReadKey{}, true)
}

// acquireListSlot takes a place for a read where its context asks for one.
func (db *DB) acquireListSlot(ctx context.Context) (release func(), err error) {
	if isListRead, _ := ctx.Value(listReadKey{}).(bool); !isListRead {
		return func() {}, nil
	}
	return db.listReads.release, db.listReads.acquire(ctx, listReadWait)
}
