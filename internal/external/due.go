package external

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel"
)

const (
	tickEvery = time.Second
	share     = 16 // posts of a currency that are carried on at once
	crowd     = 64 // currencies that a node carries on at once
)

// attended are the currencies whose posts this node is at. Each goes by itself: a system that takes its time delays none but its own.
type attended struct {
	mu    sync.Mutex
	busy  map[laurel.ID]bool
	after laurel.ID // the currency that was begun with last
}

// enter begins with a currency, unless this node is at it or at as many as it may be.
func (a *attended) enter(id laurel.ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy[id] || len(a.busy) >= crowd {
		return false
	}
	if a.busy == nil {
		a.busy = map[laurel.ID]bool{}
	}
	a.busy[id], a.after = true, id
	return true
}

func (a *attended) leave(id laurel.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.busy, id)
}

// last is where the next look goes on, so that all have their turn where there are more than a node carries on at once.
func (a *attended) last() laurel.ID {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.after
}

// Run carries on what nobody carries on, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	for {
		err := s.eachDue(ctx, func(currency laurel.ID) {
			if !s.at.enter(currency) {
				return
			}
			running.Go(func() {
				defer s.at.leave(currency)
				n, err := s.runShare(ctx, currency)
				for n == share && err == nil && ctx.Err() == nil { // more may be due
					n, err = s.runShare(ctx, currency)
				}
				if err != nil && ctx.Err() == nil {
					s.Logger.Warn("posts to balances kept outside met a fault; they are tried again", slog.Any("error", err))
				}
			})
		})
		if err != nil && ctx.Err() == nil {
			s.Logger.Warn("posts to balances kept outside could not be looked for", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// RunDue carries on the posts that are due now, at most a share of each currency, and answers how many there were. That the outside is down is no error.
func (s *Service) RunDue(ctx context.Context) (int, error) {
	var all sync.WaitGroup
	var mu sync.Mutex
	var sum int
	var failed error
	err := s.eachDue(ctx, func(currency laurel.ID) {
		all.Go(func() {
			n, err := s.runShare(ctx, currency)
			mu.Lock()
			defer mu.Unlock()
			sum, failed = sum+n, errors.Join(failed, err)
		})
	})
	all.Wait()
	return sum, errors.Join(failed, err)
}

// eachDue names currencies of which posts are due, at most as many as a node carries on at once, and begins after the one that it was at last.
func (s *Service) eachDue(ctx context.Context, carryOn func(laurel.ID)) error {
	first := s.at.last()
	after, around := first, first.IsZero()
	for range crowd {
		id, err := dueAfter(ctx, s.DB, after, s.DB.Now())
		if err != nil {
			return err
		}
		switch {
		case id.IsZero() && around, around && !first.IsZero() && compareIDs(id, first) > 0:
			return nil
		case id.IsZero():
			after, around = id, true
		default:
			carryOn(id)
			after = id
		}
	}
	return nil
}

// runShare carries on posts of a currency that are due, and answers how many there were.
func (s *Service) runShare(ctx context.Context, currency laurel.ID) (int, error) {
	ids, err := due(ctx, s.DB, currency, s.DB.Now())
	if err != nil {
		return 0, err
	}
	errs := make([]error, len(ids))
	var all sync.WaitGroup
	for i, id := range ids {
		all.Go(func() {
			p, mine, err := s.take(ctx, id, false)
			if err == nil && mine {
				err = s.carry(ctx, p)
			}
			if laurel.CodeOf(err) != laurel.Unavailable {
				errs[i] = err
			}
		})
	}
	all.Wait()
	return len(ids), errors.Join(errs...)
}
