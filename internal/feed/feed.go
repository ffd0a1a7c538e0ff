package feed

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/panics"
	"laurel/internal/store"
)

const (
	defaultBatch = 500              // a batch and its effects are one transaction, which the store keeps short
	leaseTime    = 10 * time.Second // how long a dead reader keeps others waiting
	idleWait     = 200 * time.Millisecond
	fenceWait    = 10 * time.Millisecond // changes are there but not final: most transactions end sooner than this
	firstBackoff = 200 * time.Millisecond
	lastBackoff  = 30 * time.Second
)

// Consumer is a named durable reader of the feed. A name that is new starts at the oldest change that is kept.
type Consumer struct {
	Name  string
	Batch int // changes per call of Handle, and at most 63 more: what one row holds is not divided; 0 for 500
	// Pace is how long to wait after a batch that was not full, for consumers that rather take many changes together; 0:
	// not at all.
	Pace time.Duration
	// Rest is how many times as long as a batch took the consumer waits after it, also while more is there: what only
	// adds up leaves the database to others. It may fall behind under full load; 0: not at all.
	Rest int
	// Leaves asks for what is to be sealed and nothing else: Handle takes one Change for each row that has leaves, with
	// those of all changes there.
	Leaves bool
	// Concerns returns which of these websites have changes that Handle or Gather is to take, asked in Handle's
	// transaction; those of the others, and of no website, are passed without being read. nil: Handle takes all.
	Concerns func(ctx context.Context, q store.Queryer, websites []laurel.ID) (map[laurel.ID]bool, error)
	// Handle takes the next changes in feed order, which per entity is the order of commits. Its writes go through tx,
	// which also moves the cursor: they happen exactly once. It may be called again with the same changes when the
	// transaction is not committed, so effects outside the database happen at least once. An error is logged and the same
	// changes come again later.
	Handle func(ctx context.Context, tx *store.Tx, changes []Change) error
	// Gather is in place of Handle where a batch has much to read and little to write: it reads before the transaction
	// begins and returns what the transaction writes. What it reads is either never changed or written by this consumer
	// alone.
	Gather func(ctx context.Context, q store.Queryer, changes []Change) (Write, error)
	// Committed is called when the transaction of the last Handle is committed; nil: not wanted. A process that ends in
	// between does not call it.
	Committed func(ctx context.Context)
}

// Write is what a batch writes, in the transaction that moves the cursor.
type Write func(ctx context.Context, tx *store.Tx) error

// Feed serves consumers on one node. Any number of nodes may serve the same names: each name is read by one of them at
// a time.
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

// Run reads for the consumer, or stands by for whoever does, until ctx ends; then it gives the lease back and returns
// nil. Faults of the database and of Handle are logged and tried again. The only error is a consumer without name, or
// without either Handle or Gather.
func (f *Feed) Run(ctx context.Context, c Consumer) error {
	if c.Name == "" || (c.Handle == nil) == (c.Gather == nil) {
		return errors.New("feed: a consumer needs a name and either Handle or Gather")
	}
	if c.Batch <= 0 {
		c.Batch = defaultBatch
	}
	r := &reader{Consumer: c, feed: f, db: f.db, id: f.db.NewID()}
	defer r.release(ctx)
	met := trouble{}
	for ctx.Err() == nil {
		wait, err := panics.Try(func() (time.Duration, error) { return r.step(ctx) })
		if err == nil {
			err = met.recovered(ctx, r)
		}
		if err != nil && ctx.Err() == nil {
			wait = met.failed(ctx, r, err)
		}
		f.sleep(ctx, wait)
	}
	return nil
}

func backoff(failures int) time.Duration {
	return min(firstBackoff<<min(failures-1, 10), lastBackoff)
}

// sleep waits three to five quarters of d, so that nodes which started together do not ask together.
func (f *Feed) sleep(ctx context.Context, d time.Duration) {
	if d == 0 {
		return
	}
	var b [1]byte
	f.db.Random(b[:])
	timer := time.NewTimer(d*3/4 + d*time.Duration(b[0])/512)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
