package store

// maxBlockedTxs bounds the transactions that wait for rows of other nodes beside the one that does not wait.
const maxBlockedTxs = 4

// blockedWorks holds the Works that were put off too often. They wait for their rows in transactions beside the lane's, so
// that a row which another node holds for long keeps back only the Works that need it. Only the loop touches it; ended
// brings news to the loop.
type blockedWorks struct {
	parked   []*pendingWork // wait for a transaction to be free
	running  int
	finished chan []*pendingWork // what a transaction leaves to be tried again
}

func newBlockedWorks() blockedWorks {
	return blockedWorks{finished: make(chan []*pendingWork, maxBlockedTxs)}
}

// startBlocked begins as many transactions as there may be.
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

func (c *lane) finishBlocked(retry []*pendingWork) {
	c.blocked.running--
	for _, p := range retry {
		p.rounds++
	}
	c.blocked.parked = append(c.blocked.parked, retry...)
}

// nextGroup takes the Work that has waited longest, and with it those that share a row with it: they would only wait for
// each other. A Work whose group has failed goes alone.
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

func (p *pendingWork) needsAnyOf(rows map[Lock]bool) bool {
	for _, l := range p.locks {
		if rows[l] {
			return true
		}
	}
	return false
}
