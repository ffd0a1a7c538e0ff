package catalog

import (
	"context"
	"time"

	"laurel/internal/worker"
)

const codesInterval = time.Minute

// Run makes the codes that rules still wait for, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	worker.Loop{
		Every: codesInterval,
		Wake:  s.codesRequested,
		Log:   s.log,
		Fault: "codes could not be made; it is tried again",
	}.RunEach(
		ctx,
		s.generateMissingCodes,
	)
}
