package store

import (
	"context"
	"errors"
	"time"
)

// Within answers a Queryer outside transactions whose statements end after the limit as a statement timeout does, on both engines:
// for reads that grow with the data.
func (db *DB) Within(limit time.Duration) Queryer { return within{db, limit} }

type within struct {
	*DB
	limit time.Duration
}

func (w within) Get(ctx context.Context, dst any, query string, args ...any) error {
	return w.bounded(ctx, func(ctx context.Context) error { return w.DB.Get(ctx, dst, query, args...) })
}

func (w within) Select(ctx context.Context, dst any, query string, args ...any) error {
	return w.bounded(ctx, func(ctx context.Context) error { return w.DB.Select(ctx, dst, query, args...) })
}

var errLimit = &dbError{kind: errSlow, err: errors.New("the query took longer than it may")}

func (w within) bounded(ctx context.Context, read func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, w.limit, errLimit)
	defer cancel()
	err := read(ctx)
	if err != nil && !NoRows(err) && errors.Is(context.Cause(ctx), errLimit) {
		return errLimit
	}
	return err
}

// TookTooLong reports whether a read ended at its time limit.
func TookTooLong(err error) bool { return isKind(err, errSlow) }
