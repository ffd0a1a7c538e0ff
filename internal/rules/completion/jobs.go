package completion

import (
	"context"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/worker"
)

// pruneEvery is the time between two removals of old jobs.
const pruneEvery = time.Minute

// Run decides due jobs and removes old ones until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var working sync.WaitGroup
	defer working.Wait()
	working.Go(func() {
		worker.Loop{
			Every: pruneEvery,
			Log:   s.log,
			Fault: "old jobs could not be removed; it is tried again",
		}.RunEach(
			ctx,
			s.jobs[0].Prune, // they share a table
		)
	})
	for _, q := range s.jobs {
		working.Go(func() { q.Run(ctx) })
	}
}

// RunJobs decides the jobs that are due now, at most one batch of each queue, and returns their number.
func (s *Service) RunJobs(ctx context.Context) (int, error) {
	total := 0
	for _, q := range s.jobs {
		n, err := q.RunOnce(ctx)
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// JobQueueMetrics returns the metrics of the queues of jobs.
func (s *Service) JobQueueMetrics() []worker.Metrics {
	list := make([]worker.Metrics, len(s.jobs))
	for i, q := range s.jobs {
		list[i] = q
	}
	return list
}

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
