package feed

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
)

const (
	defaultBatch = 500              // a batch and its effects are one transaction, which the store keeps short
	leaseTime    = 10 * time.Second // how long a dead reader's lease keeps others waiting
	idleWait     = 200 * time.Millisecond
	fenceWait    = 10 * time.Millisecond // while changes exist but are not final; most transactions end sooner
	firstBackoff = 200 * time.Millisecond
	lastBackoff  = 30 * time.Second
)

// Consumer is a named durable reader of the feed. A new name starts at the oldest change that is stored.
type Consumer struct {
	Name string
	// Batch is the number of changes per call of Handle; 0 means 500. A call may get up to 63 more, since the changes
	// of one row stay together.
	Batch int
	// PartialBatchWait is how long to wait after a batch that was not full, for consumers that prefer large batches.
	PartialBatchWait time.Duration
	// RestFactor makes the consumer wait this many times as long as a batch took, even if more changes exist, so that
	// a consumer that only adds figures up leaves the database to others. It may fall behind under full load.
	RestFactor int
	// OnlyLeaves asks for the leaves of the audit log and nothing else: Handle gets one Change for each row with
	// leaves, which holds the leaves of all changes of the row.
	OnlyLeaves bool
	// FilterWebsites returns which of the websites have changes that Handle or Prepare needs. It is called in Handle's
	// transaction. Changes of other websites, and of none, are skipped without being read. nil: all changes are read.
	FilterWebsites func(ctx context.Context, q store.Queryer, websites []laurel.ID) (map[laurel.ID]bool, error)
	// Handle handles the next changes in feed order, which per entity is the order of commits. It writes through tx,
	// which also moves the cursor, so its writes happen exactly once. If the transaction is not committed, Handle is
	// called again with the same changes, so effects outside the database happen at least once. An error is logged,
	// and the same changes come again later.
	Handle func(ctx context.Context, tx *store.Tx, changes []Change) error
	// Prepare replaces Handle for a consumer that reads much and writes little: it reads before the transaction begins,
	// and returns the function that writes in it. It may only read data that never changes or that this consumer alone
	// writes.
	Prepare func(ctx context.Context, q store.Queryer, changes []Change) (Write, error)
	// OnCommit is called after the transaction of a call of Handle or Prepare is committed; it may be nil. If the
	// process ends in between, it is not called.
	OnCommit func(ctx context.Context)
}

// Write writes the effects of a batch in the transaction that moves the cursor.
type Write func(ctx context.Context, tx *store.Tx) error

// Feed runs consumers on one node. Any number of nodes may run the same consumers: each consumer is read by one node
// at a time.
type Feed struct {
	db      *store.DB
	log     *slog.Logger
	horizon *horizon
}

// NewFeed returns a feed on the database; log may be nil for slog.Default().
func NewFeed(db *store.DB, log *slog.Logger) *Feed {
	if log == nil {
		log = slog.Default()
	}
	return &Feed{db: db, log: log, horizon: newHorizon(db)}
}

// Run reads changes for the consumer, or waits while another node does, until ctx ends. Then it releases the lease and
// returns nil. Errors of the database and of Handle are logged and tried again. It returns an error only for a
// consumer without a name, or without exactly one of Handle and Prepare.
func (f *Feed) Run(ctx context.Context, c Consumer) error {
	if c.Name == "" || (c.Handle == nil) == (c.Prepare == nil) {
		return errors.New("feed: a consumer needs a name and either Handle or Prepare")
	}
	if c.Batch <= 0 {
		c.Batch = defaultBatch
	}
	r := &reader{Consumer: c, feed: f, db: f.db, id: f.db.NewID()}
	defer r.release(ctx)
	failures := failureTracker{}
	for ctx.Err() == nil {
		wait, err := panics.Try(func() (time.Duration, error) { return r.step(ctx) })
		if err == nil {
			err = failures.recordSuccess(ctx, r)
		}
		if err != nil && ctx.Err() == nil {
			wait = failures.recordFailure(ctx, r, err)
		}
		f.sleep(ctx, wait)
	}
	return nil
}

// backoff returns how long to wait after a number of failures in a row.
func backoff(failures int) time.Duration {
	return min(firstBackoff<<min(failures-1, 10), lastBackoff)
}

// sleep waits for three to five quarters of d, so that nodes that started together do not query together.
func (f *Feed) sleep(ctx context.Context, d time.Duration) {
	if d == 0 {
		return
	}
	var b [1]byte
	f.db.Random(b[:])
	timer := time.NewTimer(d*3/4 + d*time.Duration(b[0])/512) // a random byte of 512ths: up to half of d
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
