package feed

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel/internal/panics"
	"laurel/internal/store"
)

// failingAfter is from when on a consumer that fails is told of. What fails for less time is tried again unseen.
const failingAfter = time.Minute

// Failing is a consumer that has failed without a pause, on whatever node reads for it.
type Failing struct {
	Name  string
	Since time.Time
}

// Failing returns the consumers that have failed for a minute or more: each batch that they were given since. What
// stands behind it waits.
func (f *Feed) Failing(ctx context.Context) ([]Failing, error) {
	consumers, err := listConsumers(ctx, f.db)
	var out []Failing
	for _, c := range consumers {
		if c.Failing == nil {
			continue
		}
		if since := store.Time(*c.Failing); f.db.Now().Sub(since) >= failingAfter {
			out = append(out, Failing{c.Name, since})
		}
	}
	return out, err
}

// trouble is what a consumer meets again and again.
type trouble struct {
	failures int
	told     time.Time // when the log was told last
	stack    bool      // the log has the stack
}

// failed counts a failure, keeps since when the consumer fails, and returns how long to wait. The log has the first
// one, one line a minute, and the stack once.
func (t *trouble) failed(ctx context.Context, r *reader, err error) time.Duration {
	t.failures++
	wait := backoff(t.failures)
	now := r.db.Now()
	stack := errors.Is(err, panics.ErrCaught) && !t.stack
	if t.failures == 1 || stack || now.Sub(t.told) >= failingAfter {
		text := panics.Line(err)
		if stack {
			t.stack, text = true, err.Error()
		}
		t.told = now
		r.feed.log.Error("a consumer of the change feed failed and will try again", slog.String("consumer", r.Name),
			slog.Int("failures", t.failures), slog.Duration("wait", wait), slog.String("error", text))
	}
	marking := r.db.InTx(ctx, func(tx *store.Tx) error { return markFailing(ctx, tx, r.Name) })
	if marking != nil && !store.IsFault(marking) {
		r.feed.log.Error("a failure of the change feed could not be kept", slog.Any("error", marking))
	}
	return wait
}

// recovered forgets the failures of the consumer, on whatever node they were.
func (t *trouble) recovered(ctx context.Context, r *reader) error {
	if !r.held { // another node reads
		return nil
	}
	*t = trouble{}
	if !r.failing {
		return nil
	}
	r.failing = false
	r.feed.log.Info("a consumer of the change feed gets on again", slog.String("consumer", r.Name))
	return r.db.InTx(ctx, func(tx *store.Tx) error { return unmarkFailing(ctx, tx, r.Name) })
}
