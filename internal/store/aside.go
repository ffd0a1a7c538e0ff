package store

// maxAside bounds the transactions that wait for rows of other nodes beside the one that does not wait.
const maxAside = 4

// aside holds the Works that were put off too often. They wait for their rows in transactions beside the lane's, so
// that a row which another node holds for long keeps back only the Works that need it. Only the loop touches it; ended
// brings news to the loop.
type aside struct {
	parked  []*pending // wait for a transaction to be free
	running int
	ended   chan []*pending // what a transaction leaves to be tried again
}

func newAside() aside { return aside{ended: make(chan []*pending, maxAside)} }

// startAside begins as many transactions as there may be.
func (c *lane) startAside() {
	for more := true; more; {
		select {
		case left := <-c.aside.ended:
			c.endAside(left)
		default:
			more = false
		}
	}
	for len(c.aside.parked) > 0 && c.aside.running < maxAside {
		group := c.aside.group()
		c.aside.running++
		go func() { c.aside.ended <- c.answer(group, true) }()
	}
}

func (c *lane) endAside(left []*pending) {
	c.aside.running--
	for _, p := range left {
		p.rounds++
	}
	c.aside.parked = append(c.aside.parked, left...)
}

// group takes the Work that has waited longest, and with it those that share a row with it: they would only wait for
// each other. A Work whose group has failed goes alone.
func (a *aside) group() []*pending {
	first := a.parked[0]
	group, rest := []*pending{first}, []*pending(nil)
	shared := map[Lock]bool{}
	for _, l := range first.locks {
		shared[l] = true
	}
	for _, p := range a.parked[1:] {
		if len(group) < maxBatch && first.rounds == skipRounds && p.rounds == skipRounds && p.sharesOneOf(shared) {
			group = append(group, p)
		} else {
			rest = append(rest, p)
		}
	}
	a.parked = rest
	return group
}

func (p *pending) sharesOneOf(rows map[Lock]bool) bool {
	for _, l := range p.locks {
		if rows[l] {
			return true
		}
	}
	return false
}
