package completion

import (
	"context"
	"sync"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/completionjobs"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/worker"
)

// pruneEvery is the time between two removals of old jobs.
const pruneEvery = time.Minute

// Run decides due jobs and removes old ones until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var pruning sync.WaitGroup
	defer pruning.Wait()
	pruning.Go(func() {
		worker.Loop{
			Every: pruneEvery,
			Log:   s.log,
			Fault: "old jobs could not be removed; it is tried again",
		}.RunEach(
			ctx,
			s.jobs.Prune,
		)
	})
	s.jobs.Run(ctx)
}

// RunJobs decides the jobs that are due now, at most one batch, and returns their number.
func (s *Service) RunJobs(ctx context.Context) (int, error) { return s.jobs.RunOnce(ctx) }

// JobQueueMetrics returns the metrics of the queue of jobs.
func (s *Service) JobQueueMetrics() []worker.Metrics { return []worker.Metrics{s.jobs} }

// decideJob completes the rule of a job as of the moment of the member's call, so that neither the window nor the
// rule's end moves while the job waits.
func (s *Service) decideJob(ctx context.Context, j *completionjobs.Job) error {
	in, run, err := ruletypes.JobInput(j)
	if err != nil {
		return err
	}
	in.User = identity.Ref{UserID: j.UserID}
	scope := laurel.Scope{OrganizationID: j.OrganizationID, WebsiteID: j.WebsiteID, Role: laurel.RoleWebsite}
	a := s.newAttempt(request{scope: scope, in: in, trigger: jobTrigger(j), runID: run})
	err = a.submit(ctx)
	a.countRefusal(err)
	return err
}
