package feed

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
)

// failingAfter is the time after which a failing consumer is reported. Shorter failures are only retried.
const failingAfter = time.Minute

// Failing is a consumer whose batches have all failed since a time, on whatever node.
type Failing struct {
	Name  string
	Since time.Time
}

// Failing returns the consumers that have been failing for failingAfter or longer. They get no later changes until the
// failing batch succeeds.
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

// failureTracker counts the failures of a consumer on this node and limits how often they are logged.
type failureTracker struct {
	failures    int
	loggedAt    time.Time // when a failure was logged last
	stackLogged bool      // the stack of a panic was logged
}

// recordFailure counts a failure, stores when the consumer began to fail, and returns how long to wait. It logs the
// first failure, then one line a minute, and the stack of a panic once.
func (t *failureTracker) recordFailure(ctx context.Context, r *reader, err error) time.Duration {
	t.failures++
	wait := backoff(t.failures)
	now := r.db.Now()
	logsStack := errors.Is(err, panics.ErrCaught) && !t.stackLogged
	if t.failures == 1 || logsStack || now.Sub(t.loggedAt) >= failingAfter {
		text := panics.Line(err)
		if logsStack {
			t.stackLogged, text = true, err.Error()
		}
		t.loggedAt = now
		r.feed.log.Error("a consumer of the change feed failed and will try again", slog.String("consumer", r.Name),
			slog.Int("failures", t.failures), slog.Duration("wait", wait), slog.String("error", text))
	}
	markErr := r.db.InTx(ctx, func(tx *store.Tx) error { return markFailing(ctx, tx, r.Name) })
	if markErr != nil && !store.IsFault(markErr) { // a fault of the database probably is the failure logged above
		r.feed.log.Error("a failure of the change feed could not be stored", slog.Any("error", markErr))
	}
	return wait
}

// recordSuccess resets the counted failures of the consumer and, if it is stored as failing, by whatever node, clears
// that and logs that it recovered. It does nothing while another node reads.
func (t *failureTracker) recordSuccess(ctx context.Context, r *reader) error {
	if !r.hasLease { // another node reads
		return nil
	}
	*t = failureTracker{}
	if !r.wasFailing {
		return nil
	}
	r.wasFailing = false
	r.feed.log.Info("a consumer of the change feed recovered", slog.String("consumer", r.Name))
	return r.db.InTx(ctx, func(tx *store.Tx) error { return clearFailing(ctx, tx, r.Name) })
}
