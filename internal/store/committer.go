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
	queue   chan *pending
	aside   aside
	closing chan struct{}
	ended   chan struct{}
}

// pending is a Work with the caller that waits for it.
type pending struct {
	work   Work
	locks  []Lock
	key    *laurel.RequestKey
	rounds int
	err    error
	taken  atomic.Bool // set by whoever comes first: the committer, or a caller that gives up
	done   chan struct{}
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
			queue:   make(chan *pending, maxWaiting),
			aside:   newAside(),
			closing: c.closing,
			ended:   make(chan struct{}),
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
	most := 0
	for _, l := range locks {
		if pull := l.table.pull(); pull > most {
			key, most = l.key, pull
		}
	}
	return c.lanes[maphash.Comparable(seed, key)%uint64(len(c.lanes))]
}

// Do hands over a Work and waits until it is committed (nil), refused (the error of its Judge) or failed. A caller
// whose context ends before the Work was taken gets the context's error and nothing happened; afterwards it waits for
// the outcome. What is committed claims the request's Idempotency-Key, unless that is nil or claimed already.
func (c *Committer) Do(ctx context.Context, key *laurel.RequestKey, w Work) error {
	p := &pending{work: w, locks: w.Locks(), key: key, done: make(chan struct{})}
	if unclaimed(p.key) {
		p.locks = append(p.locks, requestKeys.Lock(KeyIDOf(p.key)))
	}
	select {
	case <-c.closing:
		return shuttingDown()
	default:
	}
	way := c.lane(p.locks)
	select {
	case way.queue <- p:
	case <-c.closing:
		return shuttingDown()
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		if p.taken.CompareAndSwap(false, true) {
			return ctx.Err()
		}
	case <-way.ended: // Close may have drained the queue just before this Work came into it: then nobody takes it any more
		if p.taken.CompareAndSwap(false, true) {
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
		<-l.ended
	}
}

func (c *lane) loop() {
	defer close(c.ended)
	var late []*pending // put off by the last round
	for {
		c.startAside()
		batch := late
		if len(batch) == 0 {
			var open bool
			if batch, open = c.next(); !open {
				return
			}
		}
		late = c.commit(c.gather(batch))
		if len(late) > 0 && len(c.queue) == 0 {
			time.Sleep(time.Millisecond) // only Works that wait for another node are left: give it time to commit
		}
	}
}

// next waits for a Work, or for the end of a transaction aside, which may leave Works to start. It returns false when
// closing is done.
func (c *lane) next() (batch []*pending, open bool) {
	select {
	case p := <-c.queue:
		return []*pending{p}, true
	case left := <-c.aside.ended:
		c.endAside(left)
		return nil, true
	case <-c.closing:
	}
	select {
	case p := <-c.queue:
		return []*pending{p}, true
	default:
	}
	if c.aside.running == 0 {
		return nil, false
	}
	c.endAside(<-c.aside.ended)
	return nil, true
}

// gather adds what is queued already, up to a full batch, without waiting.
func (c *lane) gather(batch []*pending) []*pending {
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

// commit runs a batch and returns the Works that must be tried again; those put off too often are set aside.
func (c *lane) commit(batch []*pending) (late []*pending) {
	var take []*pending
	for _, p := range batch {
		if p.rounds > 0 || p.taken.CompareAndSwap(false, true) { // else its caller gave up
			take = append(take, p)
		}
	}
	if len(take) == 0 {
		return nil
	}
	for _, p := range c.answer(take, false) {
		p.rounds++
		if p.rounds >= skipRounds {
			c.aside.parked = append(c.aside.parked, p)
		} else {
			late = append(late, p)
		}
	}
	return late
}

// answer commits the Works and wakes their callers; on a fault it halves until the culprit stands alone.
func (c *lane) answer(batch []*pending, wait bool) (late []*pending) {
	started := time.Now()
	var deferred []*pending
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
		b.presumes = tries == 1
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
			if p.err, err = judge(b, p); err != nil {
				return err
			}
		}
		return b.flush(context.Background())
	}, (*Tx).startLater)
	if err != nil {
		return c.fail(batch, wait, err)
	}
	c.db.Metrics.batchSize.Observe(float64(len(batch)))
	c.db.Metrics.batchTime.Observe(time.Since(started).Seconds())
	c.db.Metrics.deferred.Add(float64(len(deferred)))
	off := map[*pending]bool{}
	for _, p := range deferred {
		off[p] = true
	}
	for _, p := range batch {
		if !off[p] {
			c.wake(p)
		}
	}
	return deferred
}

// judge has a Work decide, and claims its key with what it stages.
func judge(b *Batch, p *pending) (refusal, err error) {
	if !unclaimed(p.key) {
		return b.judge(context.Background(), p.work)
	}
	if requestKeys.Row(b, KeyIDOf(p.key)).exists() {
		return ErrDuplicateRequest, nil
	}
	refusal, err = b.judge(context.Background(), p.work)
	if err == nil && refusal == nil {
		requestKeys.Changed(b, KeyIDOf(p.key)).claimedBy(p.key, b.Now())
	}
	return refusal, err
}

func (c *lane) fail(batch []*pending, wait bool, err error) (late []*pending) {
	down := isKind(err, errDown) || isKind(err, errRetry)
	if len(batch) > 1 && wait && isKind(err, errSlow) {
		return batch // the row that one waits for may not be everyone's: each is tried by itself
	}
	if len(batch) > 1 && !down {
		half := len(batch) / 2
		return append(c.answer(batch[:half], wait), c.answer(batch[half:], wait)...)
	}
	if len(batch) == 1 && isKind(err, errSlow) && batch[0].rounds < slowRounds {
		return batch // a crowd took the time, not this Work: it is tried again, alone in the end
	}
	for _, p := range batch {
		if !down && laurel.CodeOf(err) == laurel.Internal { // else it is an answer that only the database could give
			c.db.Metrics.poisoned.Inc()
			c.db.log.Error(
				"a work failed its transaction and was set apart",
				slog.String("work", named(p.work)),
				slog.Any("error", err),
			)
		}
		p.err = err
		c.wake(p)
	}
	return nil
}

func (c *lane) wake(p *pending) {
	c.db.Metrics.works.Inc()
	switch {
	case p.err == nil:
		if p.key != nil {
			p.key.Claimed = true
		}
	case !errors.Is(p.err, ErrDuplicateRequest) && laurel.CodeOf(p.err) == laurel.Internal && !errors.Is(p.err, ErrStale):
		c.db.log.Error("a work failed", slog.String("work", named(p.work)), slog.Any("error", p.err))
	}
	close(p.done)
}

// named is what the log calls a Work: what it says of itself, else its kind. What is in it may be anything, secrets and
// megabytes too.
func named(w Work) string {
	if says, ok := w.(fmt.Stringer); ok {
		return says.String()
	}
	return fmt.Sprintf("%T", w)
}
