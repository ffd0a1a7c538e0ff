package tenancy

import (
	"context"
	"time"

	"laurel.example/laurel/internal/store"
)

// counterChunk bounds the counters that one transaction deletes, so that requests never wait long for it.
const counterChunk = 1000

// incrementCounter increments the counter of a window and returns its value, or returns 0 and writes nothing if the
// counter has reached the limit.
func incrementCounter(ctx context.Context, tx *store.Tx, name string, start time.Time, limit int) (int, error) {
	var used int
	err := tx.Get(ctx, &used, `INSERT INTO rate_counters (name, window_start, used) VALUES (?, ?, 1)
		ON CONFLICT (name, window_start) DO UPDATE SET used = rate_counters.used + 1 WHERE rate_counters.used < ?
		RETURNING used`, name, store.Micros(start), limit)
	if store.IsNoRows(err) {
		return 0, nil
	}
	return used, err
}

func decrementCounter(ctx context.Context, tx *store.Tx, name string, start time.Time) error {
	_, err := tx.Exec(ctx, "UPDATE rate_counters SET used = used - 1 WHERE name = ? AND window_start = ? AND used > 0", name,
		store.Micros(start))
	return err
}

// deleteCounters deletes up to counterChunk counters of windows that started before a time, and returns how many it has
// deleted.
func deleteCounters(ctx context.Context, tx *store.Tx, before time.Time) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM rate_counters WHERE (name, window_start) IN
		(SELECT name, window_start FROM rate_counters WHERE window_start < ? LIMIT ?)`, store.Micros(before), counterChunk)
}
