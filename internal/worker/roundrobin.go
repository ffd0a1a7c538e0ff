package worker

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"laurel.example/laurel/internal/panics"

	"laurel.example/laurel"
)

// RoundRobin schedules owners that have due work. Each is served in a goroutine of its own, never twice at once, so a
// slow or failing one delays no other. If there are more owners than MaxOwners, they are served in turn, and
// TenantSlots divides the slots by organization and then by website, so that a tenant with many owners leaves slots to
// others.
type RoundRobin struct {
	Loop      Loop // how often it looks for owners with due work
	MaxOwners int  // owners served at once
	MaxLooks  int  // owners looked at per round
	// TimeSlice is how long an owner is served before its slot goes to others. 0 means until it has nothing due, a
	// negative value one batch. Now is the clock that measures it.
	TimeSlice time.Duration
	Now       func() time.Time
	// HasDue reports whether any work is due, so that an idle round costs one query. If it is nil, each round calls Next.
	HasDue func(ctx context.Context) (bool, error)
	// Next returns the next owner after an id, in the order of ids, and whether it has due work. After the last owner it
	// returns the zero id.
	Next func(ctx context.Context, after laurel.ID) (owner Owner, due bool, err error)
	// ServeBatch does some of an owner's due work, and reports whether there is more. After an error the rest waits for
	// the next round.
	ServeBatch func(ctx context.Context, owner laurel.ID) (more bool, err error)

	mu      sync.Mutex
	busy    map[laurel.ID]bool
	slots   TenantSlots
	skipped []Owner   // owners with due work whose tenant had no slot left: they are served first, in this order
	cursor  laurel.ID // the owner looked at last
}

// Owner is an owner of queued items, such as a subscription or a website, with its tenant.
type Owner struct {
	ID laurel.ID
	Tenant
}

// Run serves owners until ctx ends, and returns when all goroutines have ended.
func (r *RoundRobin) Run(ctx context.Context) {
	var serving sync.WaitGroup
	defer serving.Wait()
	r.Loop.RunEach(ctx, func(ctx context.Context) error {
		return r.startDue(ctx, func(owner Owner) {
			serving.Go(func() {
				defer r.release(owner)
				r.serveOwner(ctx, owner.ID)
			})
		})
	})
}

// serveOwner does an owner's due work, batch by batch, until there is no more, a batch fails, or the owner's time slice
// is over. A TimeSlice of 0 sets no end; with a negative one, serveOwner does one batch.
func (r *RoundRobin) serveOwner(ctx context.Context, owner laurel.ID) {
	var until time.Time
	if r.TimeSlice > 0 {
		until = r.Now().Add(r.TimeSlice)
	}
	for more := true; more && ctx.Err() == nil; {
		var err error
		more, err = panics.Try(func() (bool, error) { return r.ServeBatch(ctx, owner) })
		r.Loop.logFault(ctx, err, slog.String("owner", owner.String()))
		more = more && err == nil && (r.TimeSlice == 0 || r.TimeSlice > 0 && r.Now().Before(until))
	}
}

// RunOnce runs one round: it serves one batch of each owner that has due work and for which there is a slot, waits for
// all, and returns their joined errors.
func (r *RoundRobin) RunOnce(ctx context.Context) error {
	var serving sync.WaitGroup
	var mu sync.Mutex
	var failed error
	err := r.startDue(ctx, func(owner Owner) {
		serving.Go(func() {
			defer r.release(owner)
			_, err := panics.Try(func() (bool, error) { return r.ServeBatch(ctx, owner.ID) })
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
		})
	})
	serving.Wait()
	return errors.Join(failed, err)
}

// startDue calls serve for owners with due work while there are free slots, which it takes for them: first those that
// were skipped before, then the others from the cursor on, each at most once. It looks at no more than MaxLooks owners.
// serve must release the owner when it has been served.
func (r *RoundRobin) startDue(ctx context.Context, serve func(owner Owner)) error {
	if r.HasDue != nil {
		if hasDue, err := r.HasDue(ctx); err != nil || !hasDue {
			return err
		}
	}
	for _, owner := range r.startSkipped() {
		serve(owner)
	}
	first := r.lastLooked()
	after, wrapped := first, first.IsZero() // wrapped: Next began again with the first owner
	for looks := 0; looks < r.MaxLooks && r.hasFreeSlot(); looks++ {
		owner, due, err := r.Next(ctx, after)
		if err != nil {
			return err
		}
		switch {
		case owner.ID.IsZero() && wrapped, wrapped && !first.IsZero() && owner.ID.Compare(first) > 0:
			return nil // all owners were looked at
		case owner.ID.IsZero():
			wrapped = true
		case due && r.tryStart(owner):
			serve(owner)
		}
		after = owner.ID
		r.moveCursor(owner.ID)
	}
	return nil
}

// tryStart takes a slot for an owner and reports whether it did. It takes none for an owner that is being served, or
// that was skipped before. If the owner's tenant has no slot left, or another owner of its organization was skipped
// before, the owner is skipped, and is served first in a later round.
func (r *RoundRobin) tryStart(owner Owner) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy[owner.ID] {
		return false
	}
	overtakes := false
	for _, skipped := range r.skipped {
		if skipped.ID == owner.ID {
			return false
		}
		overtakes = overtakes || skipped.Organization == owner.Organization
	}
	if !overtakes && r.acquire(owner) {
		return true
	}
	if len(r.skipped) < r.MaxLooks {
		r.skipped = append(r.skipped, owner)
	}
	return false
}

// startSkipped takes slots for skipped owners whose tenant has one again, and returns those owners.
func (r *RoundRobin) startSkipped() (started []Owner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.skipped = slices.DeleteFunc(r.skipped, func(owner Owner) bool {
		if r.acquire(owner) {
			started = append(started, owner)
			return true
		}
		return false
	})
	return started
}

// acquire takes a slot for an owner, and reports whether its tenant had one left. The caller holds mu.
func (r *RoundRobin) acquire(owner Owner) bool {
	if r.busy == nil {
		r.busy, r.slots.Total = map[laurel.ID]bool{}, r.MaxOwners
	}
	if !r.slots.TryAcquire(owner.Tenant) {
		return false
	}
	r.busy[owner.ID] = true
	return true
}

// release frees the slot of an owner that has been served.
func (r *RoundRobin) release(owner Owner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.busy, owner.ID)
	r.slots.Release(owner.Tenant)
}

func (r *RoundRobin) hasFreeSlot() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.busy) < r.MaxOwners
}

func (r *RoundRobin) lastLooked() laurel.ID {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cursor
}

func (r *RoundRobin) moveCursor(owner laurel.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cursor = owner
}
