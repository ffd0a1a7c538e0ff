package tenancy

import (
	"context"
	"fmt"
	"time"

	"laurel.example/laurel/internal/store"
)

// longestWindow bounds windows, so that counters older than it can be deleted.
const longestWindow = 24 * time.Hour

// Allowance is the state of a rate limit after a use.
type Allowance struct {
	Limit     int
	Remaining int
	Reset     time.Duration // until the window ends
	Start     time.Time     // of the window
	OK        bool          // false: refused, and not counted
}

// Allow counts one use of a rate limit in its present window and reports whether it is within the limit, over all
// nodes. Windows are fixed: they start at multiples of their length since 1970, and are at most 24 h long. The limit
// holds for each name by itself, so the name must contain the tenant and whatever else has a limit of its own:
// "complete:<website>:<user>". A limit of 0 or less is off.
func (s *Service) Allow(ctx context.Context, name string, limit int, window time.Duration) (Allowance, error) {
	if limit <= 0 {
		return Allowance{OK: true}, nil
	}
	if window < time.Second || window > longestWindow {
		return Allowance{}, fmt.Errorf("tenancy: rate limit %q has a window of %s", name, window)
	}
	out := Allowance{Limit: limit}
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		start := store.Time(store.Micros(tx.Now()) / window.Microseconds() * window.Microseconds())
		out.Start, out.Reset = start, start.Add(window).Sub(tx.Now())
		used, err := incrementCounter(ctx, tx, name, start, limit)
		out.OK, out.Remaining = used > 0, 0
		if out.OK {
			out.Remaining = limit - used
		}
		return err
	})
	return out, err
}

// UndoAllow takes back one use that Allow has counted, in the window in which it was counted.
func (s *Service) UndoAllow(ctx context.Context, name string, counted Allowance) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error { return decrementCounter(ctx, tx, name, counted.Start) })
}

// DeleteOldCounters deletes the counters of windows that have ended, in chunks. It is for a periodic worker.
func (s *Service) DeleteOldCounters(ctx context.Context) error {
	for {
		var removed int64
		err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
			removed, err = deleteCounters(ctx, tx, tx.Now().Add(-longestWindow)) // windows that began earlier have ended
			return err
		})
		if err != nil || removed < counterChunk {
			return err
		}
	}
}
