package store

// maxBlockedTxs bounds the transactions of a lane that may wait for row locks of other nodes at once.
const maxBlockedTxs = 4

// blockedWorks holds the Works of a lane that were deferred too often because another node locks their rows. They run
// in transactions of their own that wait for the locks, so that a row locked for long delays only the Works that need
// it. Only the lane's loop touches the fields. Each transaction runs in a goroutine of its own and reports to the loop
// through finished.
type blockedWorks struct {
	queued   []*pendingWork      // no transaction is free for them yet
	running  int                 // transactions under way
	finished chan []*pendingWork // of each transaction that ended: its Works that must be tried again
}

func newBlockedWorks() blockedWorks {
	return blockedWorks{finished: make(chan []*pendingWork, maxBlockedTxs)}
}

// startBlocked handles the ended transactions of blocked Works, the ones whose rows another node keeps locked. Then it
// starts transactions for the queued blocked Works, while fewer than maxBlockedTxs are running.
func (c *lane) startBlocked() {
	for more := true; more; {
		select {
		case retry := <-c.blocked.finished:
			c.finishBlocked(retry)
		default:
			more = false
		}
	}
	for len(c.blocked.queued) > 0 && c.blocked.running < maxBlockedTxs {
		group := c.blocked.takeNextGroup()
		c.blocked.running++
		go func() { c.blocked.finished <- c.commitBatch(group, true /* wait for locks */) }()
	}
}

// finishBlocked counts a transaction of blocked Works as ended, and queues those of its Works that must be tried again.
func (c *lane) finishBlocked(retry []*pendingWork) {
	c.blocked.running--
	for _, p := range retry {
		p.tries++
	}
	c.blocked.queued = append(c.blocked.queued, retry...)
}

// takeNextGroup removes from the queue, and returns, the Works of the next transaction: the one that has waited
// longest, and those that need one of the same rows and would only wait for it, maxBatch in all at most. A Work whose
// group has failed once is tried by itself.
func (blocked *blockedWorks) takeNextGroup() []*pendingWork {
	first := blocked.queued[0]
	group, rest := []*pendingWork{first}, []*pendingWork(nil)
	sharedRows := map[Lock]bool{}
	for _, l := range first.locks {
		sharedRows[l] = true
	}
	mayJoin := func(p *pendingWork) bool { // whether it has not been in a group that failed
		return first.tries == maxSkippingTries && p.tries == maxSkippingTries
	}
	for _, p := range blocked.queued[1:] {
		if len(group) < maxBatch && mayJoin(p) && p.needsAnyOf(sharedRows) {
			group = append(group, p)
		} else {
			rest = append(rest, p)
		}
	}
	blocked.queued = rest
	return group
}

// needsAnyOf reports whether the Work needs one of the rows, which are named by their locks.
func (p *pendingWork) needsAnyOf(rows map[Lock]bool) bool {
	for _, l := range p.locks {
		if rows[l] {
			return true
		}
	}
	return false
}
