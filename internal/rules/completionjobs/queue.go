package completionjobs

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// Config holds what New needs.
type Config struct {
	DB     *store.DB
	Logger *slog.Logger
	// Decide decides a job and completes it. An *laurel.Error that is a refusal ends the job as failed, with its message.
	// Any other error is a fault, and the job is tried again.
	Decide       func(ctx context.Context, j *Job) error
	FaultMessage string // the message of a job that failed because of faults
}

// queue says which jobs a queue works on.
type queue struct {
	provider schema.Provider // the kind of provider that their rules ask
	name     string
	batch    int // how many are leased at once
}

// concurrency is how many jobs of a batch are worked on at once.
const concurrency = 16

// queues are the queues of jobs. A lease counts from the moment in which a batch is leased: jobs that ask a provider
// are leased only as they are worked on, since those that wait for a slow one would lose their lease, and another node
// would ask again.
var queues = []queue{
	{schema.NoProvider, "clicks", 4 * concurrency},
	{schema.FunctionProvider, "function_jobs", concurrency},
	{schema.PlatformProvider, "platform_jobs", concurrency},
}

// New returns the queues of jobs, one per kind of provider, so that one that is silent delays no others. A job gets
// five attempts over ten minutes (contract 5.1). The jobs of a batch run concurrently, so that one commit pays several.
func New(c Config) []worker.Runner {
	list := make([]worker.Runner, len(queues))
	for i, q := range queues {
		list[i] = c.newQueue(q)
	}
	return list
}

// newQueue returns the runner of a queue.
func (c Config) newQueue(q queue) worker.Runner {
	return &worker.Queue[Job]{
		Items: &worker.Items[Job]{
			DB:        c.DB,
			Table:     leasedJobs(q.provider),
			LeaseTime: time.Minute,
			Save:      saveFault,
		},
		Name: q.name,
		Loop: worker.Loop{
			Every: 500 * time.Millisecond, Log: c.Logger, Fault: "jobs could not be run; they are tried again",
		},
		Fault:       "a job met a fault",
		Batch:       q.batch,
		Concurrency: concurrency,
		Fairness:    worker.Fairness{MaxOwners: 8, MaxLooks: 256, TimeSlice: 5 * time.Second},
		Backoff:     []time.Duration{15 * time.Second, 45 * time.Second, 2 * time.Minute, 7 * time.Minute},
		Tries:       5,
		Do:          c.run,
		Abandon: func(ctx context.Context, tx *store.Tx, item *worker.Item[Job]) error {
			return fail(ctx, tx, item.Key, cmp.Or(item.Row.Fault, c.FaultMessage))
		},
	}
}

// ErrUndecided is the error of a job that cannot be decided yet. It is no fault: the job is tried again after
// retryDelay.
var ErrUndecided = errors.New("completionjobs: it cannot be decided yet")

// retryDelay is the time until a job is tried again after ErrUndecided.
const retryDelay = time.Second

// run decides a job. A refusal ends the job as failed, since another attempt would change nothing. ErrUndecided
// reschedules the job and does not count as an attempt. For any other error, run returns the error, so that the queue
// tries again, and notes why; a job whose provider gave no answer to the last attempt fails with the message of that.
func (c Config) run(ctx context.Context, item *worker.Item[Job]) error {
	item.Row.Fault = "" // that of an earlier attempt
	err := c.Decide(ctx, &item.Row)
	if errors.Is(err, ErrUndecided) {
		return item.Reschedule(ctx, c.DB.Now().Add(retryDelay), func(tx *store.Tx) error {
			return resetAttempts(ctx, tx, item.Key)
		})
	}
	refusal := (*laurel.Error)(nil)
	switch {
	case err == nil, ctx.Err() != nil: // done, or the node stops
	case laurel.IsRefusal(err) && errors.As(err, &refusal):
		return item.Finish(ctx, func(tx *store.Tx) error { return fail(ctx, tx, item.Key, refusal.Message) })
	case laurel.CodeOf(err) == laurel.Unanswered && errors.As(err, &refusal):
		item.Row.Fault = refusal.Message
	default:
		item.Row.Fault = c.FaultMessage
	}
	return err
}
