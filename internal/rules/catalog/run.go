package catalog

import (
	"context"
	"time"

	"laurel.example/laurel/internal/worker"
)

const codesInterval = time.Minute

// Run generates the missing codes of rules until ctx ends, once a minute and when it is woken. Any number of nodes may
// run it.
func (s *Service) Run(ctx context.Context) {
	worker.Loop{
		Every: codesInterval,
		Wake:  s.codesRequested,
		Log:   s.log,
		Fault: "codes could not be generated; trying again",
	}.RunEach(
		ctx,
		s.generateMissingCodes,
	)
}
