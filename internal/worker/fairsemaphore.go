package worker

import (
	"context"
	"errors"
	"slices"
	"sync"

	"laurel.example/laurel"
)

// ErrFull is returned when as many callers wait as are allowed.
var ErrFull = errors.New("worker: too many wait already")

// FairSemaphore limits how many callers run at once, and serves tenants in turn. A slot that becomes free goes to the
// organization that was served longest ago, within it to the website that was served longest ago, and within that to
// the caller that has waited longest. TenantSlots bounds how many slots, and how many waiting callers, a tenant may
// have.
type FairSemaphore struct {
	mu          sync.Mutex
	slots       TenantSlots
	queueSlots  TenantSlots // for waiting callers
	waiting     []*waiter
	lastServed  map[laurel.ID]int // servedCount when an organization or website was last served; kept while callers wait
	servedCount int
}

// waiter is a caller that waits for a slot.
type waiter struct {
	tenant Tenant
	ready  chan struct{} // closed when the waiter has a slot
}

// NewFairSemaphore returns a semaphore with so many slots, for which at most maxWaiting callers may wait.
func NewFairSemaphore(slots, maxWaiting int) *FairSemaphore {
	return &FairSemaphore{
		slots:      TenantSlots{Total: slots},
		queueSlots: TenantSlots{Total: maxWaiting},
		lastServed: map[laurel.ID]int{},
	}
}

// Acquire waits for a slot and returns the function that releases it. Errors: ErrFull if no further caller of the
// tenant may wait; the cause of ctx if ctx ends first.
func (g *FairSemaphore) Acquire(ctx context.Context, tenant Tenant) (release func(), err error) {
	g.mu.Lock()
	release = sync.OnceFunc(func() { g.release(tenant) })
	if g.slots.TryAcquire(tenant) {
		g.markServed(tenant)
		g.mu.Unlock()
		return release, nil
	}
	if !g.queueSlots.TryAcquire(tenant) {
		g.mu.Unlock()
		return nil, ErrFull
	}
	w := &waiter{tenant: tenant, ready: make(chan struct{})}
	g.waiting = append(g.waiting, w)
	g.mu.Unlock()
	select {
	case <-w.ready:
		return release, nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	at := slices.Index(g.waiting, w)
	if at >= 0 {
		g.removeWaiter(at)
	}
	g.mu.Unlock()
	if at < 0 { // it got a slot at the same moment
		release()
	}
	return nil, context.Cause(ctx)
}

// release frees a slot of the tenant, and gives each free slot to the next waiting caller.
func (g *FairSemaphore) release(tenant Tenant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.slots.Release(tenant)
	for at := g.nextWaiter(); at >= 0; at = g.nextWaiter() {
		w := g.waiting[at]
		g.slots.TryAcquire(w.tenant)
		g.markServed(w.tenant)
		g.removeWaiter(at)
		close(w.ready)
	}
	if len(g.waiting) == 0 {
		clear(g.lastServed)
	}
}

// nextWaiter returns the index of the waiting caller to serve next, or -1 if no waiting caller may have a slot.
func (g *FairSemaphore) nextWaiter() int {
	best := -1
	for i, w := range g.waiting {
		if g.slots.CanAcquire(w.tenant) && (best < 0 || g.precedes(w.tenant, g.waiting[best].tenant)) {
			best = i
		}
	}
	return best
}

// precedes reports whether tenant a is served before b: its organization, or else its website, was served longer ago.
func (g *FairSemaphore) precedes(a, b Tenant) bool {
	if a.Organization != b.Organization {
		return g.lastServed[a.Organization] < g.lastServed[b.Organization]
	}
	return g.lastServed[a.Website] < g.lastServed[b.Website]
}

func (g *FairSemaphore) markServed(tenant Tenant) {
	g.servedCount++
	g.lastServed[tenant.Organization], g.lastServed[tenant.Website] = g.servedCount, g.servedCount
}

// removeWaiter removes the waiting caller at an index.
func (g *FairSemaphore) removeWaiter(at int) {
	g.queueSlots.Release(g.waiting[at].tenant)
	g.waiting = slices.Delete(g.waiting, at, at+1)
}
