package lists

import (
	"context"
	"io"
	"time"
)

const (
	maxSlots = 2               // imports that compute and write on a node at a time; waiting for an address takes no slot
	slotTime = 5 * time.Second // after which other imports come first
)

// slot is one import's share of the places at which imports compute and write. It waits for none while an address is
// read. It is for one goroutine.
type slot struct {
	slots  chan struct{} // holds one token for each that is taken; whoever waits is served in order
	now    func() time.Time
	until  time.Time
	isHeld bool
}

func (s *Service) newSlot() *slot { return &slot{slots: s.slots, now: s.db.Now} }

// acquire waits for a place.
func (h *slot) acquire(ctx context.Context) error {
	select {
	case h.slots <- struct{}{}:
		h.isHeld, h.until = true, h.now().Add(slotTime)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// release gives the place up, if there is one.
func (h *slot) release() {
	if h.isHeld {
		<-h.slots
		h.isHeld = false
	}
}

// yield lets others come first where the turn is over.
func (h *slot) yield(ctx context.Context) error {
	if h.now().Before(h.until) {
		return context.Cause(ctx)
	}
	h.release()
	return h.acquire(ctx)
}

// slotReader is a file whose reading passes places on: whatever an import computes and writes comes with what it reads.
type slotReader struct {
	io.ReadSeeker
	ctx  context.Context //nolint:containedctx // a reader is read with none
	slot *slot
}

func (p *slotReader) Read(b []byte) (int, error) {
	if err := p.slot.yield(p.ctx); err != nil {
		return 0, err
	}
	return p.ReadSeeker.Read(b)
}
