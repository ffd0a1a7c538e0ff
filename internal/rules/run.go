package rules

import (
	"context"
	"log/slog"
	"time"
)

const upkeepEvery = time.Minute

// Run makes the codes that rules still wait for, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(upkeepEvery)
	defer tick.Stop()
	for {
		if err := s.makeMissingCodes(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("codes could not be made; it is tried again", slog.Any("error", err))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.codesWanted:
		}
	}
}
