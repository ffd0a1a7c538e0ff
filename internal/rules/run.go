package rules

import (
	"context"
	"time"

	"laurel/internal/workers"
)

const upkeepEvery = time.Minute

// Run makes the codes that rules still wait for, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	workers.Loop{Every: upkeepEvery, Wake: s.codesWanted, Log: s.log, Fault: "codes could not be made; it is tried again"}.Each(ctx, s.makeMissingCodes)
}
