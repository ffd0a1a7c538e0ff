package payouts

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel"
)

const (
	tickEvery = time.Second
	share     = 8   // payouts of a website that are handed over at once
	crowd     = 16  // websites that a node is at at once
	looks     = 256 // at websites, per tick
)

// attended are the websites whose payouts this node is at. Each goes by itself: a driver that takes its time over one website, or fails for it, delays no
// other.
type attended struct {
	mu    sync.Mutex
	busy  map[laurel.ID]bool
	rests map[laurel.ID]time.Time // until when the driver is left alone for a website; one that is over is still known until a call tells how it went
	after laurel.ID               // the website that was looked at last
}

// enter begins with a website, unless this node is at it or at as many as it may be.
func (a *attended) enter(id laurel.ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy[id] || len(a.busy) >= crowd {
		return false
	}
	if a.busy == nil {
		a.busy = map[laurel.ID]bool{}
	}
	a.busy[id] = true
	return true
}

func (a *attended) leave(id laurel.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.busy, id)
}

// size is how many payouts of a website may be handed over at a moment: none while the driver is left alone, a single one to see whether it is back.
func (a *attended) size(id laurel.ID, now time.Time) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	until, failed := a.rests[id]
	switch {
	case !failed:
		return share
	case now.Before(until):
		return 0
	}
	return 1
}

// rest has the driver left alone for a website, and reports whether that is new.
func (a *attended) rest(id laurel.ID, until time.Time) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, known := a.rests[id]
	if a.rests == nil {
		a.rests = map[laurel.ID]time.Time{}
	}
	a.rests[id] = until
	return !known
}

// back notes that the driver is not left alone any more.
func (a *attended) back(id laurel.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.rests, id)
}

func (a *attended) last() laurel.ID {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.after
}

// goOn is where the next look begins, so that all have their turn where there are more than a node looks at.
func (a *attended) goOn(after laurel.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.after = after
}

// Run hands payouts over until ctx ends. Any number of nodes may run it. Without a driver nothing is asked, and what is owed waits.
func (s *Service) Run(ctx context.Context) {
	if s.Driver == nil {
		return
	}
	var running sync.WaitGroup
	defer running.Wait()
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	for {
		err := s.eachDue(ctx, func(website laurel.ID) {
			if s.at.enter(website) {
				running.Go(func() { s.attend(ctx, website) })
			}
		})
		if err != nil && ctx.Err() == nil {
			s.Logger.Warn("payouts could not be looked for", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// attend hands over what is due of a website, share by share.
func (s *Service) attend(ctx context.Context, website laurel.ID) {
	defer s.at.leave(website)
	for more := true; more && ctx.Err() == nil; {
		var err error
		if _, more, err = s.runShare(ctx, website); err != nil && ctx.Err() == nil {
			s.Logger.Warn("payouts met a fault; they are tried again", slog.Any("error", err))
		}
	}
}

// RunDue hands over the payouts that are due now, at most a share of each website, and answers how many there were. That the driver is down is no error.
func (s *Service) RunDue(ctx context.Context) (int, error) {
	if s.Driver == nil {
		return 0, nil
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	var sum int
	var failed error
	err := s.eachDue(ctx, func(website laurel.ID) {
		all.Go(func() {
			n, _, err := s.runShare(ctx, website)
			mu.Lock()
			defer mu.Unlock()
			sum, failed = sum+n, errors.Join(failed, err)
		})
	})
	all.Wait()
	return sum, errors.Join(failed, err)
}

// eachDue names websites of which payouts are due, at most as many as a node is at at once, and begins after the one that it looked at last.
func (s *Service) eachDue(ctx context.Context, handOver func(website laurel.ID)) error {
	now, first := s.DB.Now(), s.at.last()
	after, around := first, first.IsZero()
	for found, look := 0, 0; found < crowd && look < looks; look++ {
		id, dueAt, err := nextWebsite(ctx, s.DB, after)
		if err != nil {
			return err
		}
		switch {
		case id.IsZero() && around, around && !first.IsZero() && bytes.Compare(id[:], first[:]) > 0:
			return nil
		case id.IsZero():
			after, around = id, true
			continue
		case !dueAt.After(now) && s.at.size(id, now) > 0:
			handOver(id)
			found++
		}
		after = id
	}
	s.at.goOn(after)
	return nil
}
