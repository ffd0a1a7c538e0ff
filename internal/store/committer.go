package store

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
)

const (
	maxBatch         = 256  // Works in one commit; measured best between 256 and 512
	maxSkippingTries = 3    // tries of a Work that do not wait for locked rows; after them it becomes a blocked Work
	maxSlowTries     = 6    // tries of a Work whose transaction runs out of time, before it fails
	maxWaiting       = 4096 // Works in the queue of a lane
)

// Committer commits the Works of many callers in one transaction (group commit). An idle committer adds no delay: a
// batch is whatever waits. A refused Work does not affect the others of its batch. A Work that makes the database fail
// is found by halving the batch; it is logged and fails alone.
type Committer struct {
	lanes   []*lane
	closing chan struct{}
	once    sync.Once
}

// lane is one worker of the committer: it commits one batch at a time. PostgreSQL has several lanes, so that one
// decides and encodes while another waits for the database. Works that change the same row go to the same lane, so that
// they meet in memory and not as lock conflicts in the database.
type lane struct {
	db      *DB
	queue   chan *pendingWork
	blocked blockedWorks
	closing chan struct{}
	stopped chan struct{}
}

// pendingWork is a Work in a lane, with what its waiting caller needs. err is set before done is closed.
type pendingWork struct {
	work    Work
	locks   []Lock
	key     *laurel.RequestKey
	tries   int
	err     error
	isTaken atomic.Bool // set once, by the committer that takes the Work or by the caller that gives up
	done    chan struct{}
}

// postgresLanes is the number of lanes on PostgreSQL. More would make smaller batches.
const postgresLanes = 2

// NewCommitter starts a committer on the database, with postgresLanes lanes on PostgreSQL and one on SQLite. Close ends
// it.
func NewCommitter(db *DB) *Committer {
	c := &Committer{lanes: make([]*lane, 1), closing: make(chan struct{})}
	if db.engine == Postgres {
		c.lanes = make([]*lane, postgresLanes)
	}
	for i := range c.lanes {
		c.lanes[i] = &lane{
			db:      db,
			queue:   make(chan *pendingWork, maxWaiting),
			blocked: newBlockedWorks(),
			closing: c.closing,
			stopped: make(chan struct{}),
		}
		go c.lanes[i].loop()
	}
	return c
}

// laneSeed is the seed of the hash by which Works are distributed to lanes.
var laneSeed = maphash.MakeSeed()

// laneFor returns the lane of a Work with these locks, so that Works that change the same row meet in one lane. It
// hashes the key of one row: of a table with hot rows, which many Works change, if there is one among the locks; else
// of the last row in lock order that the Work changes, such as an account.
func (c *Committer) laneFor(locks []Lock) *lane {
	if len(c.lanes) == 1 {
		return c.lanes[0]
	}
	var key any
	highest := 0
	for _, l := range locks {
		if priority := l.table.lanePriority(); priority > highest {
			key, highest = l.key, priority
		}
	}
	return c.lanes[maphash.Comparable(laneSeed, key)%uint64(len(c.lanes))]
}

// Do queues a Work, one caller's part of a shared transaction, and waits until it is committed (nil), refused (the
// error of its Judge) or failed. If the context ends before a lane has taken the Work, Do returns the context's error
// and the Work never runs. Once a lane has taken it, Do waits for the outcome. The same commit claims the request's
// Idempotency-Key, unless key is nil or already claimed.
func (c *Committer) Do(ctx context.Context, key *laurel.RequestKey, w Work) error {
	p := &pendingWork{work: w, locks: w.Locks(), key: key, done: make(chan struct{})}
	if needsClaim(p.key) {
		p.locks = append(p.locks, requestKeys.Lock(KeyIDOf(p.key)))
	}
	select {
	case <-c.closing:
		return shuttingDown()
	default:
	}
	lane := c.laneFor(p.locks)
	select {
	case lane.queue <- p:
	case <-c.closing:
		return shuttingDown()
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		if p.isTaken.CompareAndSwap(false, true) {
			return ctx.Err()
		}
	case <-lane.stopped: // Close may have drained the queue just before this Work was queued; then no lane takes it
		if p.isTaken.CompareAndSwap(false, true) {
			return shuttingDown()
		}
	}
	<-p.done
	return p.err
}

// maxPreparations bounds how often Submit prepares a Work whose rows keep changing.
const maxPreparations = 50

// Submit prepares a Work, one caller's part of a shared transaction, and commits it with Do. It repeats both while the
// Work's Judge returns ErrStale. If prepare returns a nil Work, there is nothing to do, and Submit returns nil. Errors:
// those of prepare and Do; Unavailable if Judge has returned ErrStale maxPreparations times.
func (c *Committer) Submit(ctx context.Context, key *laurel.RequestKey, prepare func() (Work, error)) error {
	for range maxPreparations {
		w, err := prepare()
		if err != nil || w == nil {
			return err
		}
		if err := c.Do(ctx, key, w); !errors.Is(err, ErrStale) {
			return err
		}
	}
	return &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 1}
}

// shuttingDown returns the error for a Work that comes after Close.
func shuttingDown() error {
	return &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 1}
}

// Close refuses new Works, finishes the accepted ones and returns.
func (c *Committer) Close() {
	c.once.Do(func() { close(c.closing) })
	for _, l := range c.lanes {
		<-l.stopped
	}
}

// loop commits batches of queued Works, each in one transaction, until the committer is closed and every accepted Work
// is finished.
func (c *lane) loop() {
	defer close(c.stopped)
	var deferred []*pendingWork // of the last batch: another node locked their rows
	for {
		c.startBlocked()
		batch := deferred
		if len(batch) == 0 {
			var isOpen bool
			if batch, isOpen = c.waitForWork(); !isOpen {
				return
			}
		}
		deferred = c.runBatch(c.fillBatch(batch))
		if len(deferred) > 0 && len(c.queue) == 0 {
			time.Sleep(time.Millisecond) // all Works wait for another node: give it time to commit
		}
	}
}

// waitForWork waits until a Work is queued, which it returns, or until a transaction of blocked Works has finished;
// then it returns none. isOpen is false if the committer is closing and neither queued nor blocked Works are left.
func (c *lane) waitForWork() (batch []*pendingWork, isOpen bool) {
	select {
	case p := <-c.queue:
		return []*pendingWork{p}, true
	case retry := <-c.blocked.finished:
		c.finishBlocked(retry)
		return nil, true
	case <-c.closing:
	}
	select {
	case p := <-c.queue:
		return []*pendingWork{p}, true
	default:
	}
	if c.blocked.running == 0 {
		return nil, false
	}
	c.finishBlocked(<-c.blocked.finished)
	return nil, true
}

// fillBatch returns the batch with the Works added that are queued now, up to maxBatch in all. It does not wait.
func (c *lane) fillBatch(batch []*pendingWork) []*pendingWork {
	for len(batch) < maxBatch {
		select {
		case p := <-c.queue:
			batch = append(batch, p)
		default:
			return batch
		}
	}
	return batch
}

// runBatch commits a batch, without the Works whose callers have given up. It returns the deferred Works, for which the
// next batch must try again. Works that were deferred maxSkippingTries times become blocked Works instead.
func (c *lane) runBatch(batch []*pendingWork) (deferred []*pendingWork) {
	var accepted []*pendingWork
	for _, p := range batch {
		if p.tries > 0 || p.isTaken.CompareAndSwap(false, true) { // else its caller gave up
			accepted = append(accepted, p)
		}
	}
	if len(accepted) == 0 {
		return nil
	}
	for _, p := range c.commitBatch(accepted, false) {
		p.tries++
		if p.tries >= maxSkippingTries {
			c.blocked.queued = append(c.blocked.queued, p)
		} else {
			deferred = append(deferred, p)
		}
	}
	return deferred
}

// commitBatch commits a batch of Works, each one caller's part, in one transaction: it locks their rows, calls their
// Judges, writes what these staged, commits, and wakes the callers. It returns the Works that must be tried again
// because another transaction has locked one of their rows; with waitForLocks it waits for the rows instead. If the
// transaction fails, handleFailure halves the batch until the Work at fault is found.
func (c *lane) commitBatch(batch []*pendingWork, waitForLocks bool) (retry []*pendingWork) {
	started := time.Now()
	var deferred []*pendingWork
	tries := 0
	err := c.db.inTx(context.Background(), func(tx *Tx) (err error) {
		defer func() { // a panic in one Work must not end the server, and nothing that the Work staged may be committed
			if p := recover(); p != nil {
				err = fmt.Errorf("a work %w: %v", panics.ErrCaught, p)
			}
		}()
		deferred = deferred[:0]
		b := newBatch(tx)
		tries++
		b.skipsPresumed = tries == 1 // if a row presumed absent exists, the transaction runs again and reads it
		var locks []Lock
		for _, p := range batch {
			locks = append(locks, p.locks...)
		}
		if err := b.lock(context.Background(), locks, waitForLocks); err != nil {
			return err
		}
		for _, p := range batch {
			if !b.Holds(p.locks...) { // another transaction has locked one of its rows
				deferred = append(deferred, p)
				continue
			}
			var err error
			if p.err, err = judgeAndClaim(b, p); err != nil {
				return err
			}
		}
		if c.db.rerunBatches && tries == 1 {
			return ErrRerun
		}
		return b.flush(context.Background())
	}, (*Tx).beginWithFirstStatement)
	if err != nil {
		return c.handleFailure(batch, waitForLocks, err)
	}
	c.db.Metrics.batchSize.Observe(float64(len(batch)))
	c.db.Metrics.batchTime.Observe(time.Since(started).Seconds())
	c.db.Metrics.deferred.Add(float64(len(deferred)))
	isDeferred := map[*pendingWork]bool{}
	for _, p := range deferred {
		isDeferred[p] = true
	}
	for _, p := range batch {
		if !isDeferred[p] {
			c.finish(p)
		}
	}
	return deferred
}

// judgeAndClaim lets a Work decide and stages the claim of its Idempotency-Key. refusal is an error for this Work
// alone, ErrDuplicateRequest if the key is claimed already; err fails the transaction.
func judgeAndClaim(b *Batch, p *pendingWork) (refusal, err error) {
	if !needsClaim(p.key) {
		return b.judge(context.Background(), p.work)
	}
	if requestKeys.Row(b, KeyIDOf(p.key)).exists() {
		return ErrDuplicateRequest, nil
	}
	refusal, err = b.judge(context.Background(), p.work)
	if err == nil && refusal == nil {
		requestKeys.Changed(b, KeyIDOf(p.key)).claim(p.key, b.Now())
	}
	return refusal, err
}

// handleFailure handles the error of a batch's transaction, and returns the Works that must be tried again. If the
// database is down, every Work fails with the error. Otherwise one Work may be the cause: handleFailure commits each
// half of the batch by itself, until a single Work is left, which fails. A Work whose transaction only ran out of time
// fails after maxSlowTries tries.
func (c *lane) handleFailure(batch []*pendingWork, waitForLocks bool, err error) (retry []*pendingWork) {
	isDown := hasErrKind(err, errDown) || hasErrKind(err, errRetry)
	if len(batch) > 1 && waitForLocks && hasErrKind(err, errSlow) {
		return batch // perhaps only one of them waits for a locked row: next time each is tried by itself
	}
	if len(batch) > 1 && !isDown {
		half := len(batch) / 2
		return append(c.commitBatch(batch[:half], waitForLocks), c.commitBatch(batch[half:], waitForLocks)...)
	}
	if len(batch) == 1 && hasErrKind(err, errSlow) && batch[0].tries < maxSlowTries {
		return batch // other Works of the database took the time: it is tried again
	}
	for _, p := range batch {
		if !isDown && laurel.CodeOf(err) == laurel.Internal { // any other code is an error for the caller, not a fault
			c.db.Metrics.poisoned.Inc()
			c.db.log.Error(
				"a work failed its transaction and was set apart",
				slog.String("work", workName(p.work)),
				slog.Any("error", err),
			)
		}
		p.err = err
		c.finish(p)
	}
	return nil
}

// finish wakes the caller that waits in Do for a Work whose outcome (p.err) is known. It marks the Work's
// Idempotency-Key as claimed after a success, and logs an error that is a fault of the server.
func (c *lane) finish(p *pendingWork) {
	c.db.Metrics.works.Inc()
	switch {
	case p.err == nil:
		if p.key != nil {
			p.key.Claimed = true
		}
	case !errors.Is(p.err, ErrDuplicateRequest) && laurel.CodeOf(p.err) == laurel.Internal && !errors.Is(p.err, ErrStale):
		c.db.log.Error("a work failed", slog.String("work", workName(p.work)), slog.Any("error", p.err))
	}
	close(p.done)
}

// workName returns the name of a Work in logs: its String method if it has one, else its type. Its content is not
// logged, since it may hold secrets or megabytes.
func workName(w Work) string {
	if named, ok := w.(fmt.Stringer); ok {
		return named.String()
	}
	return fmt.Sprintf("%T", w)
}
