package completionjobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// Config is what the queue of jobs is made of.
type Config struct {
	DB     *store.DB
	Logger *slog.Logger
	// Decide carries a job out and ends it. An *laurel.Error that tells of no passing state ends the job as failed with
	// its message, any other error is a fault.
	Decide func(ctx context.Context, j *Job) error
	Fault  string // what is shown of a job that ended by faults
}

// New makes the queue: five attempts over ten minutes (contract 5.1). Jobs of a batch meet in the committer, so that
// one commit pays several.
func New(c Config) worker.Runner {
	return &worker.Queue[Job]{
		Items: &worker.Items[Job]{
			DB:        c.DB,
			Table:     leased,
			LeaseTime: time.Minute,
		},
		Name:        "clicks",
		Loop:        worker.Loop{Every: 500 * time.Millisecond, Log: c.Logger, Fault: "jobs could not be run; they are tried again"},
		Fault:       "a job met a fault",
		Batch:       64,
		Concurrency: 16,
		Fairness:    worker.Fairness{MaxOwners: 8, MaxLooks: 256, TimeSlice: 5 * time.Second},
		Backoff:     []time.Duration{15 * time.Second, 45 * time.Second, 2 * time.Minute, 7 * time.Minute},
		Tries:       5,
		Do:          c.do,
		GiveUp: func(ctx context.Context, tx *store.Tx, h *worker.Item[Job]) error {
			return end(ctx, tx, h.Key, c.Fault)
		},
	}
}

// ErrLater is the error of a job that cannot be decided yet, which is no fault: it is looked at again soon.
var ErrLater = errors.New("completionjobs: it cannot be decided yet")

const soon = time.Second

// do carries a job out, and ends it where another attempt would change nothing.
func (c Config) do(ctx context.Context, h *worker.Item[Job]) error {
	err := c.Decide(ctx, &h.Row)
	if errors.Is(err, ErrLater) {
		return h.Reschedule(ctx, c.DB.Now().Add(soon), func(tx *store.Tx) error { return startAnew(ctx, tx, h.Key) })
	}
	if refusal := (*laurel.Error)(nil); laurel.IsRefusal(err) && errors.As(err, &refusal) {
		return h.Finish(ctx, func(tx *store.Tx) error { return end(ctx, tx, h.Key, refusal.Message) })
	}
	return err
}
