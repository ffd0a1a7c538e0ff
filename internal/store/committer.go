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

	"laurel"
	"laurel/internal/panics"
)

const (
	maxBatch   = 256 // Works in one commit; measured best between 256 and 512
	skipRounds = 3   // how often a Work whose row is held elsewhere is put off before it waits in a transaction aside
	slowRounds = 6   // how often a Work may be tried whose transaction ran out of time before it fails
	maxWaiting = 4096
)

// Committer groups the Works that wait into one transaction and one COMMIT. An idle committer adds no delay: it takes
// what is there. One refused Work never fails its neighbours; a Work that makes the database fail is found by halving,
// named in the log and failed alone.
type Committer struct {
	lanes   []*lane
	closing chan struct{}
	once    sync.Once
}

// lane is one transaction after the other. On PostgreSQL there are several, so that one is judged and encoded while
// another is carried out; Works that change the same row go the same way, so that they meet in memory and not in the
// database.
type lane struct {
	db      *DB
	queue   chan *pendingWork
	blocked blockedWorks
	closing chan struct{}
	stopped chan struct{}
}

// pendingWork is a Work with the caller that waits for it.
type pendingWork struct {
	work    Work
	locks   []Lock
	key     *laurel.RequestKey
	rounds  int
	err     error
	isTaken atomic.Bool // set by whoever comes first: the committer, or a caller that gives up
	done    chan struct{}
}

// postgresLanes: more would make smaller batches.
const postgresLanes = 2

// NewCommitter starts a committer on the database.
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

// seed makes keys spread differently in every process.
var seed = maphash.MakeSeed()

// lane returns where a Work goes: by the row that a crowd changes, else by the last row in lock order that it changes,
// such as an account.
func (c *Committer) lane(locks []Lock) *lane {
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
	return c.lanes[maphash.Comparable(seed, key)%uint64(len(c.lanes))]
}

// Do hands over a Work and waits until it is committed (nil), refused (the error of its Judge) or failed. A caller
// whose context ends before the Work was taken gets the context's error and nothing happened; afterwards it waits for
// the outcome. What is committed claims the request's Idempotency-Key, unless that is nil or claimed already.
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
	lane := c.lane(p.locks)
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
	case <-lane.stopped: // Close may have drained the queue just before this Work came into it: then nobody takes it any more
		if p.isTaken.CompareAndSwap(false, true) {
			return shuttingDown()
		}
	}
	<-p.done
	return p.err
}

// maxPreparations bounds how often a Work is prepared again because others were faster.
const maxPreparations = 50

// Submit prepares a Work and hands it over, and prepares it anew whenever its Judge returns ErrStale. A preparation
// that returns no Work has found that there is nothing to do.
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

func shuttingDown() error {
	return &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 1}
}

// Close refuses new Works, finishes those accepted and returns.
func (c *Committer) Close() {
	c.once.Do(func() { close(c.closing) })
	for _, l := range c.lanes {
		<-l.stopped
	}
}

func (c *lane) loop() {
	defer close(c.stopped)
	var deferred []*pendingWork // put off by the last round
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
			time.Sleep(time.Millisecond) // only Works that wait for another node are left: give it time to commit
		}
	}
}

// waitForWork waits for a Work, or for the end of a transaction aside, which may leave Works to start. It returns false when
// closing is done.
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

// fillBatch adds what is queued already, up to a full batch, without waiting.
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

// runBatch runs a batch and returns the Works that must be tried again; those put off too often are set aside.
func (c *lane) runBatch(batch []*pendingWork) (deferred []*pendingWork) {
	var accepted []*pendingWork
	for _, p := range batch {
		if p.rounds > 0 || p.isTaken.CompareAndSwap(false, true) { // else its caller gave up
			accepted = append(accepted, p)
		}
	}
	if len(accepted) == 0 {
		return nil
	}
	for _, p := range c.commitBatch(accepted, false) {
		p.rounds++
		if p.rounds >= skipRounds {
			c.blocked.parked = append(c.blocked.parked, p)
		} else {
			deferred = append(deferred, p)
		}
	}
	return deferred
}

// commitBatch commits the Works and wakes their callers; on a fault it halves until the culprit stands alone.
func (c *lane) commitBatch(batch []*pendingWork, wait bool) (retry []*pendingWork) {
	started := time.Now()
	var deferred []*pendingWork
	tries := 0
	err := c.db.inTx(context.Background(), func(tx *Tx) (err error) {
		defer func() { // a fault in one work must not end the server, nor leave to the others' commit what it had staged
			if p := recover(); p != nil {
				err = fmt.Errorf("a work %w: %v", panics.ErrCaught, p)
			}
		}()
		deferred = deferred[:0]
		b := newBatch(tx)
		tries++
		b.skipsPresumed = tries == 1
		var locks []Lock
		for _, p := range batch {
			locks = append(locks, p.locks...)
		}
		if err := b.lock(context.Background(), locks, wait); err != nil {
			return err
		}
		for _, p := range batch {
			if !b.Holds(p.locks...) { // a row held elsewhere is missing
				deferred = append(deferred, p)
				continue
			}
			var err error
			if p.err, err = judgeAndClaim(b, p); err != nil {
				return err
			}
		}
		return b.flush(context.Background())
	}, (*Tx).beginWithFirstStatement)
	if err != nil {
		return c.handleFailure(batch, wait, err)
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

// judgeAndClaim has a Work decide, and claims its key with what it stages.
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

func (c *lane) handleFailure(batch []*pendingWork, wait bool, err error) (retry []*pendingWork) {
	isDown := isKind(err, errDown) || isKind(err, errRetry)
	if len(batch) > 1 && wait && isKind(err, errSlow) {
		return batch // the row that one waits for may not be everyone's: each is tried by itself
	}
	if len(batch) > 1 && !isDown {
		half := len(batch) / 2
		return append(c.commitBatch(batch[:half], wait), c.commitBatch(batch[half:], wait)...)
	}
	if len(batch) == 1 && isKind(err, errSlow) && batch[0].rounds < slowRounds {
		return batch // a crowd took the time, not this Work: it is tried again, alone in the end
	}
	for _, p := range batch {
		if !isDown && laurel.CodeOf(err) == laurel.Internal { // else it is an answer that only the database could give
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

// workName is what the log calls a Work: what it says of itself, else its kind. What is in it may be anything, secrets and
// megabytes too.
func workName(w Work) string {
	if named, ok := w.(fmt.Stringer); ok {
		return named.String()
	}
	return fmt.Sprintf("%T", w)
}
