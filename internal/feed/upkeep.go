package feed

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// maxPrunedAtOnce bounds the rows deleted in one transaction, so that pruning never delays a request for long.
const maxPrunedAtOnce = 200

// ReplayFrom moves the cursor of a consumer back, so that it gets the change with the number from and all later ones
// again, and earlier changes of the same row. A cursor before that change stays where it is. Changes that were pruned
// do not come again. It returns NotFound "Consumer" for an unknown name.
func (f *Feed) ReplayFrom(ctx context.Context, name string, from int64) error {
	return f.db.InTx(ctx, func(tx *store.Tx) error {
		if _, err := loadConsumer(ctx, tx, name); store.IsNoRows(err) {
			return laurel.Missing("Consumer")
		} else if err != nil {
			return err
		}
		return moveCursorBack(ctx, tx, name, max(rowNumber(from)-1, 0))
	})
}

// ReplaySince is ReplayFrom for the first change written at or after a time. A few older changes may come too, because
// concurrent transactions may take row numbers in another order than they began.
func (f *Feed) ReplaySince(ctx context.Context, name string, at time.Time) error {
	row, err := firstRowSince(ctx, f.db, at)
	if err != nil {
		return err
	}
	return f.ReplayFrom(ctx, name, row<<bundleBits)
}

// Lag returns, by consumer, how many rows it is behind the highest row number. It subtracts numbers, so rows that were
// rolled back count until the cursor has passed them. Pruned rows do not count.
func (f *Feed) Lag(ctx context.Context) (map[string]int64, error) {
	consumers, err := listConsumers(ctx, f.db)
	if err != nil {
		return nil, err
	}
	last, err := lastRowNumber(ctx, f.db)
	if err != nil {
		return nil, err
	}
	first, err := firstRowNumber(ctx, f.db)
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

// Prune deletes the rows from before a moment that every consumer has read, a few per transaction, and returns how many
// there were. Without any consumer, the age alone decides.
func (f *Feed) Prune(ctx context.Context, before time.Time) (int64, error) {
	keep, err := firstRowSince(ctx, f.db, before)
	if err != nil {
		return 0, err
	}
	var total int64
	for {
		var n int64
		err := f.db.InTx(ctx, func(tx *store.Tx) (err error) {
			n, err = deleteChanges(ctx, tx, keep, maxPrunedAtOnce)
			return err
		})
		total += n
		if err != nil || n < maxPrunedAtOnce {
			return total, err
		}
	}
}
