package main

import (
	"slices"
	"strconv"
	"time"
)

// checkRefusals checks that the reason of each refused completion was true at some moment between request and response:
// "rewarded" needs an earlier payment to the wallet or its mate, "blocked" a block mark, "required" a required rule
// that was not completed, "clicked" a rule with a link.
func (c *checker) checkRefusals() {
	for _, o := range c.operations {
		if o.outcome != refused || o.rule == nil {
			continue
		}
		p := c.persons[o.wallet]
		switch o.refusal {
		case msgRewarded:
			isGuest := p != nil && p.house == nil // another member of its group may have been paid
			paid := len(c.paidEntries[c.payeeOf(o.rule.id, o.wallet)]) + len(c.paidEntries[c.payeeOf(o.rule.id, o.mate)])
			if o.promoCode == "" && !isGuest && paid == 0 {
				c.addFinding("window: %s was refused as rewarded, and nothing was ever paid", o)
			}
		case msgBlocked:
			if p == nil || p.house == nil || !slices.Contains(p.house.blocked.statesBetween(o.sent, o.answered), true) {
				c.addFinding("blocked: %s was refused, and nobody was blocked", o)
			}
		case msgRequired:
			missing := func(r *rule) bool { return r.mayBeRequired(o) && !c.wasCompleted(r, o) }
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

// mayBeRequired reports whether others may have required the rule at some moment while an operation was under way.
func (r *rule) mayBeRequired(o *operation) bool {
	return r.alwaysRequired ||
		slices.ContainsFunc(r.statesBetween(o.sent, o.answered), func(v version) bool { return v.required })
}

// isRequired reports whether others certainly required the rule from the request of an operation until its payment.
func (r *rule) isRequired(o *operation, paid time.Time) bool {
	return r.alwaysRequired ||
		!slices.ContainsFunc(r.statesBetween(o.sent, paid), func(v version) bool { return !v.required })
}

// wasCompleted reports whether a completion of the rule was acknowledged before an operation was sent, by the wallet of
// the operation or by its house.
func (c *checker) wasCompleted(r *rule, before *operation) bool {
	who := c.payeeOf(r.id, before.wallet)
	return slices.ContainsFunc(c.paidEntries[who], func(e entry) bool {
		o := c.operationsByID[e.op()]
		return o != nil && o.outcome == done && o.answered.Before(before.sent)
	})
}

// checkPeople checks that people are in the groups, and have the block marks, of the last acknowledged change or of one
// after it whose outcome is unknown. The members of a house, which is a fixed group, have one mark together.
func (c *checker) checkPeople() {
	now := time.Now()
	for wallet, p := range c.persons {
		actual, ok := c.memberships[wallet]
		if !ok {
			c.addFinding("lost: %s is not there", wallet)
			continue
		}
		if !slices.Contains(p.group.statesAt(now), actual.group) {
			c.addFinding("group: %s is in %q, which no change that may have come last says", wallet, actual.group)
		}
		if p.house == nil && actual.blocked ||
			p.house != nil && !slices.Contains(p.house.blocked.statesAt(now), actual.blocked) {
			c.addFinding("blocked: the mark of %s is %v, which no change that may have come last says", wallet, actual.blocked)
		}
		if p.house != nil && actual.blocked != c.memberships[p.house.wallets[0]].blocked {
			c.addFinding("blocked: %s bears another mark than its mate %s", wallet, p.house.wallets[0])
		}
	}
}

// checkHouses checks payments to the members of houses. A house is a group that no one joins or leaves, or a single
// wallet. None may be paid while its house is blocked, and none before it has completed the rules that were required.
func (c *checker) checkHouses() {
	for _, e := range c.entries {
		p, o := c.persons[e.wallet()], c.operationsByID[e.op()]
		if p == nil || p.house == nil || o == nil {
			continue
		}
		if p.house.blocked.isCertain(true, e.CreatedAt) {
			c.addFinding("blocked: %s was paid to a blocked house", o)
		}
		for _, r := range c.requiredRules {
			who := c.payeeOf(r.id, e.wallet())
			if o.checksRequired && r.isRequired(o, e.CreatedAt) &&
				!slices.ContainsFunc(c.paidEntries[who], func(f entry) bool { return !f.CreatedAt.After(e.CreatedAt) }) {
				c.addFinding("required: %s was paid before rule %s was completed", o, r.name)
			}
		}
	}
}

// checkGuests checks payments to guests, who move from group to group. A payment to one guest uses up the window for
// every other guest who was in the same group then or is in it now. Moments at which the group of a guest is not
// certain are left out.
func (c *checker) checkGuests() {
	former := map[string][]entry{} // earlier payments to guests, by rule
	for _, e := range c.entries {
		p, r := c.persons[e.wallet()], c.rulesByID[e.rule()]
		if p == nil || p.house != nil || r == nil {
			continue
		}
		group := p.group.statesAt(e.CreatedAt)
		if group[0] != "" && allAre(group[0], group) {
			for _, earlier := range former[r.id] {
				other := c.persons[earlier.wallet()]
				if other == p {
					continue
				}
				if other.group.isCertain(group[0], earlier.CreatedAt) || other.group.isCertain(group[0], e.CreatedAt) {
					c.checkGroupPayments(r, earlier, e)
				}
			}
		}
		former[r.id] = append(former[r.id], e)
	}
}

// checkGroupPayments checks that two payments of a rule to members of one group, f and the later e, are not in one
// window.
func (c *checker) checkGroupPayments(r *rule, f, e entry) {
	o := c.operationsByID[e.op()]
	if window := c.windowKey(r, e); window != "" && window == c.windowKey(r, f) {
		c.addFinding("window: rule %s paid a group in %s to %s and to %s, as %s", r.name, window, f.wallet(), e.wallet(), o)
	}
	if gap := e.CreatedAt.Sub(f.CreatedAt); o != nil && o.businessKey == "" && gap < r.rollingWindow-time.Millisecond {
		c.addFinding("rolling: rule %s paid a group to %s and, after %s, to %s", r.name, f.wallet(), gap, e.wallet())
	}
}

// outcomeCount counts operations that are acknowledged, and those whose outcome is unknown.
type outcomeCount struct{ done, unknown int }

// add counts the operation if it is acknowledged or its outcome is unknown. Others have no effect to count.
func (n *outcomeCount) add(o *operation) {
	switch o.outcome {
	case done:
		n.done++
	case unknown:
		n.unknown++
	}
}

// checkClicks checks that each acknowledged click was paid, is pending, or ended because another member of the group
// was paid.
func (c *checker) checkClicks() {
	// Both maps are by rule and user. found counts clicks that were paid, are pending or ended.
	asked, found := map[[2]string]*outcomeCount{}, map[[2]string]int{}
	for _, o := range c.operations {
		if o.rule == nil || o.rule.kind != "link_click" {
			continue
		}
		at := [2]string{o.rule.id, c.persons[o.wallet].id}
		if asked[at] == nil {
			asked[at] = &outcomeCount{}
		}
		asked[at].add(o)
		found[at] += len(c.entriesByOperation[o.id])
	}
	for _, row := range c.clicks {
		at := [2]string{row.LoyaltyRuleID, row.UserID}
		switch row.Status {
		case "failed":
			c.endedClicks[at] = row.Message
		case "pending":
			found[at]++
		}
	}
	for at, why := range c.endedClicks {
		found[at]++
		if r := c.rulesByID[at[0]]; why != msgRewarded || windowOf(r.latest().interval, time.Now()) == "" {
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
				c.rulesByID[at[0]].name,
				found[at],
			)
		case found[at] > n.done+n.unknown:
			c.addFinding(
				"twice: of %d clicks of user %s on rule %s %d were paid, wait or ended",
				n.done+n.unknown,
				at[1],
				c.rulesByID[at[0]].name,
				found[at],
			)
		}
	}
}

// checkProgress checks that the progress of each house, a group with progress in common, is the number of increments by
// its members in the counter rule.
func (c *checker) checkProgress() {
	asked := map[*house]*outcomeCount{}
	for _, o := range c.operations {
		if !o.isProgress {
			continue
		}
		h := c.persons[o.wallet].house
		if asked[h] == nil {
			asked[h] = &outcomeCount{}
		}
		asked[h].add(o)
	}
	for h, n := range asked {
		is := points(0)
		for _, wallet := range h.wallets {
			is += c.progress[c.persons[wallet].id]
		}
		if is < points(n.done) || is > points(n.done+n.unknown) {
			c.addFinding("progress: that of %s is %s after %d acknowledged and %d unknown steps", h.wallets[0], is, n.done, n.unknown)
		}
	}
}

// checkRanks checks that each rank is 1 plus the number of unblocked accounts with more points. Blocked members, and
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
