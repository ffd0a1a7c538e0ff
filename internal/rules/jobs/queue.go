package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/panics"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	tickEvery = 500 * time.Millisecond
	lease     = time.Minute // a job taken by a node that died is taken again afterwards
	batch     = 64
	atOnce    = 16        // jobs that meet in the committer, so that one commit pays several
	kept      = time.Hour // a finished job; lists show it for less
)

// pauses follow the attempts that met a fault: five attempts over ten minutes (contract 5.1).
var pauses = [...]time.Duration{15 * time.Second, 45 * time.Second, 2 * time.Minute, 7 * time.Minute}

// Queue decides jobs when they are due.
type Queue struct {
	DB     *store.DB
	Logger *slog.Logger
	// Decide carries a job out and ends it. An *laurel.Error that tells of no passing state ends the job as failed with
	// its message, any other error is a fault.
	Decide func(ctx context.Context, j *Job) error
	Fault  string // what is shown of a job that ended by faults
}

// Run decides jobs when they are due, until ctx ends. Any number of nodes may run it.
func (q *Queue) Run(ctx context.Context) {
	loop := worker.Loop{Every: tickEvery, Log: q.Logger, Fault: "jobs could not be run; they are tried again"}
	loop.Run(ctx, func(ctx context.Context) (more bool, err error) {
		n, err := q.RunDue(ctx)
		return n == batch, err
	})
}

// RunDue decides the jobs that are due now, at most one batch, and returns how many it took. A job that fails is no
// error of RunDue.
func (q *Queue) RunDue(ctx context.Context) (int, error) {
	if some, err := waits(ctx, q.DB, q.DB.Now()); err != nil || !some {
		return 0, err
	}
	var due []Job
	err := q.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		due, err = take(ctx, tx)
		return err
	})
	if err != nil {
		return 0, err
	}
	return len(due), worker.Together(due, atOnce, func(j Job) error { return q.run(ctx, &j) })
}

// run carries a job out and ends it where another attempt would change nothing. A fault puts it off a few times.
func (q *Queue) run(ctx context.Context, j *Job) error {
	if j.Attempts > int64(len(pauses))+1 { // the nodes that took it died over it
		return q.fail(ctx, j, q.Fault)
	}
	err := panics.Safely(func() error { return q.Decide(ctx, j) }) // the server would take it again when it is back
	if err == nil {
		return nil
	}
	if ctx.Err() != nil { // the node is stopping: the job is taken again when the lease ends
		return ctx.Err()
	}
	var refusal *laurel.Error
	if errors.As(err, &refusal) {
		switch refusal.Code {
		case laurel.Invalid, laurel.Refused, laurel.Forbidden, laurel.NotFound:
			return q.fail(ctx, j, refusal.Message)
		}
	}
	q.Logger.LogAttrs(
		ctx,
		worker.Level(err, slog.LevelWarn),
		"a job met a fault",
		slog.String("job", j.ID.String()),
		slog.Int64("attempt", j.Attempts),
		slog.Any("error", err),
	)
	if j.Attempts > int64(len(pauses)) {
		return q.fail(ctx, j, q.Fault)
	}
	return q.DB.InTx(ctx, func(tx *store.Tx) error { return putOff(ctx, tx, j, tx.Now().Add(pauses[j.Attempts-1])) })
}

func (q *Queue) fail(ctx context.Context, j *Job, message string) error {
	return q.DB.InTx(ctx, func(tx *store.Tx) error { return end(ctx, tx, j, message) })
}

// Prune removes jobs that have been over for an hour, a chunk per transaction.
func (q *Queue) Prune(ctx context.Context) error {
	for {
		var gone int64
		err := q.DB.InTx(ctx, func(tx *store.Tx) (err error) {
			gone, err = deleteFinished(ctx, tx, tx.Now().Add(-kept))
			return err
		})
		if err != nil || gone < pruneChunk {
			return err
		}
	}
}
