package store

import (
	"context"
	"errors"
	"time"
)

// Connections that long reads and list reads may use, out of those that a node has for reads. Completions and key
// checks are neither, so a connection is always left for them.
const (
	sqliteLongReads, sqliteListReads     = 2, 4 // of sqliteReaders
	postgresLongReads, postgresListReads = 6, 12
	longReadWait                         = 2 * time.Second // how long a read waits for a slot
	listReadWait                         = 5 * time.Second
)

// readSlots is a semaphore that bounds how many reads of a kind run at once. Slots are given in order of arrival.
type readSlots chan struct{}

var (
	errReadTooLong = &dbError{kind: errSlow, err: errors.New("the query took longer than it may")}
	errNoSlot      = &dbError{kind: errDown, err: errors.New("as many such reads are under way as there may be")}
)

// acquire takes a slot. If none is free, it waits for one, and returns errNoSlot after maxWait.
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

// LongRead calls read, which may read much, such as a verification or an export, in one of a few slots; if none becomes
// free within longReadWait, the error is Unavailable. All statements of read together may take as long as limit; then
// they fail like a statement timeout, on both engines.
func (db *DB) LongRead(ctx context.Context, limit time.Duration, read func(q Queryer) error) error {
	if err := db.longReads.acquire(ctx, longReadWait); err != nil {
		return err
	}
	defer db.longReads.release()
	return read(deadlineQueryer{db, time.Now().Add(limit)})
}

// deadlineQueryer is a Queryer whose statements share one deadline.
type deadlineQueryer struct {
	*DB
	deadline time.Time
}

func (w deadlineQueryer) Get(ctx context.Context, dst any, query string, args ...any) error {
	return w.runWithDeadline(ctx, func(ctx context.Context) error { return w.DB.Get(ctx, dst, query, args...) })
}

func (w deadlineQueryer) Select(ctx context.Context, dst any, query string, args ...any) error {
	return w.runWithDeadline(ctx, func(ctx context.Context) error { return w.DB.Select(ctx, dst, query, args...) })
}

func (w deadlineQueryer) scanRows(ctx context.Context, scan rowScanner, query string, args ...any) error {
	return w.runWithDeadline(ctx, func(ctx context.Context) error { return w.DB.scanRows(ctx, scan, query, args...) })
}

// runWithDeadline calls read with a context that ends at the deadline. If read fails because of the deadline, it
// returns errReadTooLong, otherwise what read returns.
func (w deadlineQueryer) runWithDeadline(ctx context.Context, read func(context.Context) error) error {
	ctx = context.WithValue(ctx, listReadKey{}, false) // it has a slot for long reads and needs no other
	ctx, cancel := context.WithDeadlineCause(ctx, w.deadline, errReadTooLong)
	defer cancel()
	err := read(ctx)
	if err != nil && !IsNoRows(err) && errors.Is(context.Cause(ctx), errReadTooLong) {
		return errReadTooLong
	}
	return err
}

// TookTooLong reports whether an error says that a read reached its time limit.
func TookTooLong(err error) bool { return hasErrKind(err, errSlow) }

// listReadKey is the context key of WithListReads.
type listReadKey struct{}

// WithListReads returns a context for a request that only reads. Callers may send many of those at once, and slow ones,
// so their statements outside transactions may use only a part of the connections. If none becomes free in time, the
// error is Unavailable.
func WithListReads(ctx context.Context) context.Context {
	return context.WithValue(ctx, listReadKey{}, true)
}

// acquireListSlot takes a slot for one statement if its context is from WithListReads. The caller calls release.
func (db *DB) acquireListSlot(ctx context.Context) (release func(), err error) {
	if isListRead, _ := ctx.Value(listReadKey{}).(bool); !isListRead {
		return func() {}, nil
	}
	return db.listReads.release, db.listReads.acquire(ctx, listReadWait)
}
