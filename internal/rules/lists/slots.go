package lists

import (
	"context"
	"io"
	"time"
)

const (
	maxSlots = 2               // imports that compute and write on a node at a time; waiting for an address takes no slot
	slotTime = 5 * time.Second // after this time an import lets others go first
)

// slot is the right of an import to compute and write. Only maxSlots imports have it at a time. An import holds none
// while it downloads. A slot is used by one goroutine.
type slot struct {
	slots  chan struct{} // holds a token for each slot that is taken; waiting imports are served in order
	now    func() time.Time
	until  time.Time
	isHeld bool
}

// newSlot returns a slot that is not acquired yet.
func (s *Service) newSlot() *slot { return &slot{slots: s.slots, now: s.db.Now} }

// acquire waits until fewer than maxSlots slots are taken, and takes one. It returns an error if ctx ends first.
func (h *slot) acquire(ctx context.Context) error {
	select {
	case h.slots <- struct{}{}:
		h.isHeld, h.until = true, h.now().Add(slotTime)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// release gives the slot back if it is taken.
func (h *slot) release() {
	if h.isHeld {
		<-h.slots
		h.isHeld = false
	}
}

// yield lets waiting imports go first if this one has held the slot for slotTime.
func (h *slot) yield(ctx context.Context) error {
	if h.now().Before(h.until) {
		return context.Cause(ctx)
	}
	h.release()
	return h.acquire(ctx)
}

// slotReader is a file that calls yield before each read. As imports compute and write only with what they read, this
// bounds how long they hold a slot.
type slotReader struct {
	io.ReadSeeker
	ctx  context.Context //nolint:containedctx // io.Reader has no parameter for it
	slot *slot
}

// Read yields the slot if it is time to, and then reads.
func (p *slotReader) Read(b []byte) (int, error) {
	if err := p.slot.yield(p.ctx); err != nil {
		return 0, err
	}
	return p.ReadSeeker.Read(b)
}
