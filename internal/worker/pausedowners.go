package worker

import (
	"sync"
	"time"

	"laurel.example/laurel"
)

// pausedOwners remembers the owners whose items are paused.
type pausedOwners struct {
	mu    sync.Mutex
	until map[laurel.ID]time.Time // a pause that has ended stays until an item succeeds
}

// batchSize returns how many items of an owner may be leased now: the whole batch, none while the owner is paused, and
// after a pause a single one, to see whether attempts succeed again.
func (r *pausedOwners) batchSize(owner laurel.ID, now time.Time, batch int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	until, isPaused := r.until[owner]
	switch {
	case !isPaused:
		return batch
	case now.Before(until):
		return 0
	}
	return 1
}

// pause pauses an owner until the given time, and reports whether it was not paused before.
func (r *pausedOwners) pause(owner laurel.ID, until time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, wasPaused := r.until[owner]
	if r.until == nil {
		r.until = map[laurel.ID]time.Time{}
	}
	r.until[owner] = until
	return !wasPaused
}

// resume ends the pause of an owner.
func (r *pausedOwners) resume(owner laurel.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.until, owner)
}
