package store

// maxBlockedTxs bounds the transactions of a lane that may wait for row locks of other nodes at once.
const maxBlockedTxs = 4

// blockedWorks holds the Works of a lane that were deferred too often because another node locks their rows. They run
// in transactions of their own that wait for the locks, so that a row locked for long delays only the Works that need
// it. Only the lane's loop touches the fields; finished carries the results of the transactions to it.
type blockedWorks struct {
	parked   []*pendingWork      // no transaction is free for them yet
	running  int                 // transactions under way
	finished chan []*pendingWork // of each transaction that ended: its Works that must be tried again
}

func newBlockedWorks() blockedWorks {
	return blockedWorks{finished: make(chan []*pendingWork, maxBlockedTxs)}
}

// startBlocked starts transactions for parked Works, as many as maxBlockedTxs allows, after it has collected those that
// have finished.
func (c *lane) startBlocked() {
	for more := true; more; {
		select {
		case retry := <-c.blocked.finished:
			c.finishBlocked(retry)
		default:
			more = false
		}
	}
	for len(c.blocked.parked) > 0 && c.blocked.running < maxBlockedTxs {
		group := c.blocked.nextGroup()
		c.blocked.running++
		go func() { c.blocked.finished <- c.commitBatch(group, true) }()
	}
}

// finishBlocked counts a transaction as ended and parks its Works that must be tried again.
func (c *lane) finishBlocked(retry []*pendingWork) {
	c.blocked.running--
	for _, p := range retry {
		p.rounds++
	}
	c.blocked.parked = append(c.blocked.parked, retry...)
}

// nextGroup removes the Works of the next transaction from parked: the Work that has waited longest, and those that
// need a row of its, which would only wait for each other. A Work whose group has failed once is tried by itself.
func (a *blockedWorks) nextGroup() []*pendingWork {
	first := a.parked[0]
	group, rest := []*pendingWork{first}, []*pendingWork(nil)
	sharedRows := map[Lock]bool{}
	for _, l := range first.locks {
		sharedRows[l] = true
	}
	for _, p := range a.parked[1:] {
		if len(group) < maxBatch && first.rounds == skipRounds && p.rounds == skipRounds && p.needsAnyOf(sharedRows) {
			group = append(group, p)
		} else {
			rest = append(rest, p)
		}
	}
	a.parked = rest
	return group
}

// needsAnyOf reports whether the Work locks one of the rows.
func (p *pendingWork) needsAnyOf(rows map[Lock]bool) bool {
	for _, l := range p.locks {
		if rows[l] {
			return true
		}
	}
	return false
}
