package worker

import "context"

// Runner is a Queue as services use it. It is an interface for the same reason as budget.Cache: only the package that
// owns the queue's table compiles the generic code of Queue, not every package that imports the service.
type Runner interface {
	Metrics
	// Run works on due items until ctx ends.
	Run(ctx context.Context)
	// RunOnce works on one batch of due items and returns how many there were.
	RunOnce(ctx context.Context) (int, error)
	// RunRound works on one batch of each owner that has due items.
	RunRound(ctx context.Context) error
	// HasDue reports whether an item is due.
	HasDue(ctx context.Context) (bool, error)
	// Prune deletes finished items that are old enough.
	Prune(ctx context.Context) error
}
