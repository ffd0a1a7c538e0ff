package payouts

import (
	"context"
	"sync"
	"time"

	"laurel"
	"laurel/internal/worker"
)

const (
	tickEvery = time.Second
	share     = 8   // payouts of a website that are handed over at once
	crowd     = 16  // websites that a node is at at once
	looks     = 256 // at websites, per tick
)

// handing hands over what is due of websites: a driver that takes its time over one, or fails for it, delays no other.
func (s *Service) handing() *worker.Rota {
	return &worker.Rota{
		Loop:  worker.Loop{Every: tickEvery, Log: s.Logger, Fault: "payouts met a fault; they are tried again"},
		Crowd: crowd,
		Looks: looks,
		Next: func(ctx context.Context, after laurel.ID) (worker.Owner, bool, error) {
			id, dueAt, err := nextWebsite(ctx, s.DB, after)
			now := s.DB.Now()
			return worker.Owner{ID: id}, !dueAt.After(now) && s.resting.size(id, now) > 0, err
		},
		Share: s.runShare,
	}
}

// Run hands payouts over until ctx ends. Any number of nodes may run it. Without a driver nothing is asked, and what is
// owed waits.
func (s *Service) Run(ctx context.Context) {
	if s.Driver != nil {
		s.rota.Run(ctx)
	}
}

// RunDue hands over the payouts that are due now, at most a share of each website. That the driver is down is no error.
func (s *Service) RunDue(ctx context.Context) error {
	if s.Driver == nil {
		return nil
	}
	return s.rota.Once(ctx)
}

// resting knows the websites for which the driver is left alone.
type resting struct {
	mu    sync.Mutex
	until map[laurel.ID]time.Time // one that is over is still known until a call tells how it went
}

// size is how many payouts of a website may be handed over at a moment: none while the driver is left alone, a single
// one to see whether it is back.
func (r *resting) size(id laurel.ID, now time.Time) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	until, failed := r.until[id]
	switch {
	case !failed:
		return share
	case now.Before(until):
		return 0
	}
	return 1
}

// begin has the driver left alone for a website, and reports whether that is new.
func (r *resting) begin(id laurel.ID, until time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.until[id]
	if r.until == nil {
		r.until = map[laurel.ID]time.Time{}
	}
	r.until[id] = until
	return !known
}

// end notes that the driver is not left alone any more.
func (r *resting) end(id laurel.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.until, id)
}
