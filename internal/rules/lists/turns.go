package lists

import (
	"context"
	"io"
	"time"
)

const (
	atOnce = 2               // imports that a node computes and writes at a time; how many it waits for is another matter
	turn   = 5 * time.Second // after which other imports come first
)

// shift is one import's share of the places at which imports compute and write. It waits for none while an address is
// read. It is for one goroutine.
type shift struct {
	places chan struct{} // holds one token for each that is taken; whoever waits is served in order
	now    func() time.Time
	until  time.Time
	held   bool
}

func (s *Service) shift() *shift { return &shift{places: s.places, now: s.db.Now} }

// begin waits for a place.
func (h *shift) begin(ctx context.Context) error {
	select {
	case h.places <- struct{}{}:
		h.held, h.until = true, h.now().Add(turn)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// end gives the place up, if there is one.
func (h *shift) end() {
	if h.held {
		<-h.places
		h.held = false
	}
}

// pass lets others come first where the turn is over.
func (h *shift) pass(ctx context.Context) error {
	if h.now().Before(h.until) {
		return context.Cause(ctx)
	}
	h.end()
	return h.begin(ctx)
}

// paced is a file whose reading passes places on: whatever an import computes and writes comes with what it reads.
type paced struct {
	io.ReadSeeker
	ctx   context.Context //nolint:containedctx // a reader is read with none
	shift *shift
}

func (p *paced) Read(b []byte) (int, error) {
	if err := p.shift.pass(p.ctx); err != nil {
		return 0, err
	}
	return p.ReadSeeker.Read(b)
}
