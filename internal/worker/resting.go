package worker

import (
	"sync"
	"time"

	"laurel"
)

// resting knows the owners that are left alone.
type resting struct {
	mu    sync.Mutex
	until map[laurel.ID]time.Time // one that is over is still known until an item shows that the owner is back
}

// size is how many items of an owner may be taken at a moment: none while it is left alone, then a single one to see
// whether it is back.
func (r *resting) size(owner laurel.ID, now time.Time, batch int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	until, failed := r.until[owner]
	switch {
	case !failed:
		return batch
	case now.Before(until):
		return 0
	}
	return 1
}

// begin has an owner left alone, and reports whether that is new.
func (r *resting) begin(owner laurel.ID, until time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.until[owner]
	if r.until == nil {
		r.until = map[laurel.ID]time.Time{}
	}
	r.until[owner] = until
	return !known
}

// end notes that an owner is not left alone any more.
func (r *resting) end(owner laurel.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.until, owner)
}
