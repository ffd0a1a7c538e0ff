package feed

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
)

// pruneChunk bounds the rows removed in one transaction, so that pruning never stands before a request for long.
const pruneChunk = 200

// Replay moves the cursor of a consumer back: the change numbered from, and all after it, are handed over again, with
// those of its row before it. A cursor that is not there yet stays. Changes that were pruned do not come again. It
// answers NotFound for an unknown name.
func (f *Feed) Replay(ctx context.Context, name string, from int64) error {
	return f.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := loadConsumer(ctx, tx, name); store.NoRows(err) {
			return laurel.Missing("Consumer")
		} else if err != nil {
			return err
		}
		return moveBack(ctx, tx, name, max(rowOf(from)-1, 0))
	})
}

// ReplaySince is Replay from the first change that was made at or after a time; a few older ones may come along,
// because transactions that overlap are numbered in another order than they began.
func (f *Feed) ReplaySince(ctx context.Context, name string, at time.Time) error {
	row, err := firstSince(ctx, f.db, at)
	if err != nil {
		return err
	}
	return f.Replay(ctx, name, row<<bundleBits)
}

// Lag returns per consumer how many rows it is behind the last number given out. Numbers that were rolled back count
// until they are passed, numbers that were pruned do not.
func (f *Feed) Lag(ctx context.Context) (map[string]int64, error) {
	consumers, err := listConsumers(ctx, f.db)
	if err != nil {
		return nil, err
	}
	last, err := lastNumber(ctx, f.db)
	if err != nil {
		return nil, err
	}
	first, err := firstNumber(ctx, f.db)
	if err != nil {
		return nil, err
	}
	lag := make(map[string]int64, len(consumers))
	for _, c := range consumers {
		lag[c.Name] = 0
		if first > 0 {
			lag[c.Name] = max(0, last-max(c.Position, first-1))
		}
	}
	return lag, nil
}

// Prune removes the rows that are older than before and that every consumer has passed, and returns how many.
// Where no consumer is known, age alone decides.
func (f *Feed) Prune(ctx context.Context, before time.Time) (int64, error) {
	keep, err := firstSince(ctx, f.db, before)
	if err != nil {
		return 0, err
	}
	var total int64
	for {
		var n int64
		err := f.db.InTx(ctx, func(tx *store.Tx) (err error) {
			n, err = deleteChanges(ctx, tx, keep, pruneChunk)
			return err
		})
		total += n
		if err != nil || n < pruneChunk {
			return total, err
		}
	}
}
