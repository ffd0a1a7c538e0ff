package main

import (
	"slices"
	"strconv"
	"time"
)

// checkRefusals demands that each refusal had a reason at some moment between request and response.
func (c *checker) checkRefusals() {
	for _, o := range c.ops {
		if o.outcome != refused || o.rule == nil {
			continue
		}
		p := c.persons[o.wallet]
		switch o.refusal {
		case msgRewarded:
			guest := p != nil && p.house == nil // it may have been a mate
			if o.code == "" && !guest && len(c.paid[c.payee(o.rule.id, o.wallet)])+len(c.paid[c.payee(o.rule.id, o.mate)]) == 0 {
				c.addFinding("window: %s was refused as rewarded, and nothing was ever paid", o)
			}
		case msgBlocked:
			if p == nil || p.house == nil || !slices.Contains(p.house.blocked.statesBetween(o.sent, o.answered), true) {
				c.addFinding("blocked: %s was refused, and nobody was blocked", o)
			}
		case msgRequired:
			missing := func(r *rule) bool { return r.mayBeRequired(o) && !c.completed(r, o) }
			if !o.checksRequired || !slices.ContainsFunc(c.requiredRules, missing) {
				c.addFinding("required: %s was refused, and everything before it was completed", o)
			}
		case msgClicked:
			if o.rule.kind != "link_click" {
				c.addFinding("click: %s was refused as clicked", o)
			}
		}
	}
}

// mayBeRequired reports whether the rule may have come before others while an operation was under way.
func (r *rule) mayBeRequired(o *op) bool {
	return r.first || slices.ContainsFunc(r.statesBetween(o.sent, o.answered), func(v version) bool { return v.required })
}

// isRequired reports whether the rule surely came before others from the question until the payment.
func (r *rule) isRequired(o *op, paid time.Time) bool {
	return r.first || !slices.ContainsFunc(r.statesBetween(o.sent, paid), func(v version) bool { return !v.required })
}

// completed reports whether the rule was acknowledged as completed, by somebody whose payments count, before an
// operation was asked for.
func (c *checker) completed(r *rule, before *op) bool {
	who := c.payee(r.id, before.wallet)
	return slices.ContainsFunc(c.paid[who], func(e entry) bool {
		o := c.known[e.op()]
		return o != nil && o.outcome == done && o.answered.Before(before.sent)
	})
}

// checkPeople demands that people are in the groups, and have the block marks, of the last acknowledged change or of
// one of unknown outcome after it.
func (c *checker) checkPeople() {
	now := time.Now()
	for wallet, p := range c.persons {
		is, ok := c.memberships[wallet]
		if !ok {
			c.addFinding("lost: %s is not there", wallet)
			continue
		}
		if !slices.Contains(p.group.statesAt(now), is.group) {
			c.addFinding("group: %s is in %q, which no change that may have come last says", wallet, is.group)
		}
		if p.house == nil && is.blocked || p.house != nil && !slices.Contains(p.house.blocked.statesAt(now), is.blocked) {
			c.addFinding("blocked: the mark of %s is %v, which no change that may have come last says", wallet, is.blocked)
		}
		if p.house != nil && is.blocked != c.memberships[p.house.wallets[0]].blocked {
			c.addFinding("blocked: %s bears another mark than its mate %s", wallet, p.house.wallets[0])
		}
	}
}

// checkHouses demands that nothing is paid to members of blocked houses, nor before a required rule was completed. A
// house is a group that nobody joins or leaves, or a single wallet.
func (c *checker) checkHouses() {
	for _, e := range c.entries {
		p, o := c.persons[e.wallet()], c.known[e.op()]
		if p == nil || p.house == nil || o == nil {
			continue
		}
		if p.house.blocked.isCertain(true, e.CreatedAt) {
			c.addFinding("blocked: %s was paid to a blocked house", o)
		}
		for _, r := range c.requiredRules {
			who := c.payee(r.id, e.wallet())
			if o.checksRequired && r.isRequired(o, e.CreatedAt) &&
				!slices.ContainsFunc(c.paid[who], func(f entry) bool { return !f.CreatedAt.After(e.CreatedAt) }) {
				c.addFinding("required: %s was paid before rule %s was completed", o, r.name)
			}
		}
	}
}

// checkGuests demands that a payment to a guest closes the window for the group that the guest is in then, and for
// later ones. Moments at which the group is not certain are left out.
func (c *checker) checkGuests() {
	former := map[string][]entry{} // by rule
	for _, e := range c.entries {
		p, r := c.persons[e.wallet()], c.rules[e.rule()]
		if p == nil || p.house != nil || r == nil {
			continue
		}
		group := p.group.statesAt(e.CreatedAt)
		if group[0] != "" && allEqual(group[0], group) {
			for _, f := range former[r.id] {
				q := c.persons[f.wallet()]
				if q != p && (q.group.isCertain(group[0], f.CreatedAt) || q.group.isCertain(group[0], e.CreatedAt)) {
					c.checkGroupPayments(r, f, e)
				}
			}
		}
		former[r.id] = append(former[r.id], e)
	}
}

// checkGroupPayments demands that a rule does not pay one group twice in a window.
func (c *checker) checkGroupPayments(r *rule, f, e entry) {
	o := c.known[e.op()]
	if window := c.windowKey(r, e); window != "" && window == c.windowKey(r, f) {
		c.addFinding("window: rule %s paid a group in %s to %s and to %s, as %s", r.name, window, f.wallet(), e.wallet(), o)
	}
	if gap := e.CreatedAt.Sub(f.CreatedAt); o != nil && o.key == "" && gap < r.rolling-time.Millisecond {
		c.addFinding("rolling: rule %s paid a group to %s and, after %s, to %s", r.name, f.wallet(), gap, e.wallet())
	}
}

// count is how many operations on something are acknowledged and unknown.
type count struct{ done, unknown int }

func (n *count) add(o *op) {
	switch o.outcome {
	case done:
		n.done++
	case unknown:
		n.unknown++
	}
}

// checkClicks demands that each acknowledged click is paid, is pending, or ended because another member of the group
// was paid.
func (c *checker) checkClicks() {
	asked, found := map[[2]string]*count{}, map[[2]string]int{}
	for _, o := range c.ops {
		if o.rule == nil || o.rule.kind != "link_click" {
			continue
		}
		at := [2]string{o.rule.id, c.persons[o.wallet].id}
		if asked[at] == nil {
			asked[at] = &count{}
		}
		asked[at].add(o)
		found[at] += len(c.byOp[o.id])
	}
	for _, row := range c.clicks {
		at := [2]string{row.LoyaltyRuleID, row.UserID}
		switch row.Status {
		case "failed":
			c.ended[at] = row.Message
		case "pending":
			found[at]++
		}
	}
	for at, why := range c.ended {
		found[at]++
		if r := c.rules[at[0]]; why != msgRewarded || windowOf(r.latest().interval, time.Now()) == "" {
			c.addFinding("click: that of user %s on rule %s ended: %s", at[1], r.name, why)
		}
	}
	for at, n := range asked {
		switch {
		case found[at] < n.done:
			c.addFinding(
				"lost: of %d acknowledged clicks of user %s on rule %s %d were paid, wait or ended",
				n.done,
				at[1],
				c.rules[at[0]].name,
				found[at],
			)
		case found[at] > n.done+n.unknown:
			c.addFinding(
				"twice: of %d clicks of user %s on rule %s %d were paid, wait or ended",
				n.done+n.unknown,
				at[1],
				c.rules[at[0]].name,
				found[at],
			)
		}
	}
}

// checkProgress demands that progress is the sum of the steps of all members of a house.
func (c *checker) checkProgress() {
	asked := map[*house]*count{}
	for _, o := range c.ops {
		if !o.step {
			continue
		}
		h := c.persons[o.wallet].house
		if asked[h] == nil {
			asked[h] = &count{}
		}
		asked[h].add(o)
	}
	for h, n := range asked {
		is := points(0)
		for _, wallet := range h.wallets {
			is += c.steps[c.persons[wallet].id]
		}
		if is < points(n.done) || is > points(n.done+n.unknown) {
			c.addFinding("progress: that of %s is %s after %d acknowledged and %d unknown steps", h.wallets[0], is, n.done, n.unknown)
		}
	}
}

// checkRanks demands that each rank is 1 plus the number of unblocked accounts with more points. Blocked members, and
// members without points, have none.
func (c *checker) checkRanks() {
	for wallet, rank := range c.ranks {
		place := 1
		for other, amount := range c.balances {
			if amount > c.balances[wallet] && !c.memberships[other].blocked {
				place++
			}
		}
		want := strconv.Itoa(place)
		if c.memberships[wallet].blocked || c.balances[wallet] == 0 {
			want = "null"
		}
		if rank != want {
			c.addFinding("rank: %s has %s, by the balances it is %s", wallet, rank, want)
		}
	}
}
