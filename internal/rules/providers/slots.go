package providers

import (
	"context"
	"errors"
	"sync"

	"laurel.example/laurel"
)

// slots bounds how many requests of one website are under way at once, so that no website takes all connections to a
// provider. The zero slots are ready to use.
type slots struct {
	mu        sync.Mutex
	byWebsite map[laurel.ID]chan struct{}
}

// acquire waits, at most maxSlotWait, until fewer than maxPerWebsite requests of the website are under way. done
// releases the slot.
func (s *slots) acquire(ctx context.Context, website laurel.ID) (done func(), err error) {
	s.mu.Lock()
	taken := s.byWebsite[website]
	if taken == nil {
		taken = make(chan struct{}, maxPerWebsite)
		if s.byWebsite == nil {
			s.byWebsite = map[laurel.ID]chan struct{}{}
		}
		s.byWebsite[website] = taken
	}
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, maxSlotWait)
	defer cancel()
	select {
	case taken <- struct{}{}:
		return func() { <-taken }, nil
	case <-ctx.Done():
		return nil, errors.New("the website has too many requests under way")
	}
}
