package worker

import "context"

// Runner is a Queue as services keep it. It is an interface for the reason of budget.Cache: only the package whose rows
// a queue leases compiles the queue, not every package that reads the service.
type Runner interface {
	Metrics
	// Run works on what is due until ctx ends.
	Run(ctx context.Context)
	// Once works on one batch of what is due now and returns how many items it took.
	Once(ctx context.Context) (int, error)
	// Round works on one batch of each owner of whom something is due now.
	Round(ctx context.Context) error
	// Waits reports whether something is due.
	Waits(ctx context.Context) (bool, error)
	// Prune removes items that have been over for long enough.
	Prune(ctx context.Context) error
}
