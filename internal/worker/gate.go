package worker

import (
	"context"
	"errors"
	"slices"
	"sync"

	"laurel"
)

// ErrFull tells that as many wait as may.
var ErrFull = errors.New("worker: too many wait already")

// Gate shares places among tenants who wait for them. A place that becomes free goes to the organization that was
// served longest ago, there to the website that was, and there to who came first. Shares bounds who holds places, and
// who waits.
type Gate struct {
	mu      sync.Mutex
	places  Shares
	room    Shares // for those who wait
	waiting []*waiter
	served  map[laurel.ID]int // when organizations and websites were served, while somebody waits
	turns   int
}

type waiter struct {
	of    Tenant
	ready chan struct{} // closed when the place is taken for it
}

// NewGate makes a gate to places before which so many may wait.
func NewGate(places, waiting int) *Gate {
	return &Gate{places: Shares{Places: places}, room: Shares{Places: waiting}, served: map[laurel.ID]int{}}
}

// Enter waits for a place. Whoever has it calls leave once. Errors: ErrFull, the cause of ctx.
func (g *Gate) Enter(ctx context.Context, of Tenant) (leave func(), err error) {
	g.mu.Lock()
	leave = sync.OnceFunc(func() { g.leave(of) })
	if g.places.Take(of) {
		g.note(of)
		g.mu.Unlock()
		return leave, nil
	}
	if !g.room.Take(of) {
		g.mu.Unlock()
		return nil, ErrFull
	}
	w := &waiter{of: of, ready: make(chan struct{})}
	g.waiting = append(g.waiting, w)
	g.mu.Unlock()
	select {
	case <-w.ready:
		return leave, nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	at := slices.Index(g.waiting, w)
	if at >= 0 {
		g.remove(at)
	}
	g.mu.Unlock()
	if at < 0 { // it was served at the same moment
		leave()
	}
	return nil, context.Cause(ctx)
}

func (g *Gate) leave(of Tenant) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.places.Leave(of)
	for at := g.next(); at >= 0; at = g.next() {
		w := g.waiting[at]
		g.places.Take(w.of)
		g.note(w.of)
		g.remove(at)
		close(w.ready)
	}
	if len(g.waiting) == 0 {
		clear(g.served)
	}
}

// next returns which of those who wait is served next; -1 for none.
func (g *Gate) next() int {
	best := -1
	for i, w := range g.waiting {
		if g.places.May(w.of) && (best < 0 || g.before(w.of, g.waiting[best].of)) {
			best = i
		}
	}
	return best
}

func (g *Gate) before(a, b Tenant) bool {
	if a.Organization != b.Organization {
		return g.served[a.Organization] < g.served[b.Organization]
	}
	return g.served[a.Website] < g.served[b.Website]
}

func (g *Gate) note(of Tenant) {
	g.turns++
	g.served[of.Organization], g.served[of.Website] = g.turns, g.turns
}

func (g *Gate) remove(at int) {
	g.room.Leave(g.waiting[at].of)
	g.waiting = slices.Delete(g.waiting, at, at+1)
}
