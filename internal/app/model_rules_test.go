package app_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// window names what the call takes up: the code where each is a window of its own, else the calendar window.
func (r *mrule) window(code string, at time.Time) string {
	if r.several {
		return "code " + strings.TrimSpace(code)
	}
	return period(r.interval, at)
}

// paidBefore: step 10.
func (m *model) paidBefore(c mcall, now time.Time) bool {
	r, at := c.rule, pair(c.rule, c.member)
	if c.key == "" {
		if w := r.window(c.code, now); w != "" && m.windows[joined(at, w)] {
			return true
		}
		if last, ever := m.last[at]; r.interval == "custom" && ever &&
			now.Before(last.Add(time.Duration(r.seconds)*time.Second)) {
			return true
		}
	}
	return r.capPer != "" && m.tally[joined(at, period(r.capPer, now))] >= r.cap
}

// target is the progress that completes.
func (r *mrule) target() int64 {
	if !r.counter || len(r.tiers) == 0 {
		return 100 * millionth
	}
	return r.tiers[len(r.tiers)-1].to
}

// verify: step 12. It tells also whether the choice is kept as the answer.
func (m *model) verify(c mcall, now time.Time) (message string, keeps bool) {
	r, u := c.rule, c.member
	if partnered[r.kind] {
		return m.partnered(c, now), false
	}
	is := func(good bool, message string) string {
		if good {
			return ""
		}
		return message
	}
	switch r.kind {
	case "check_in":
		return is(
			r.amount != 0 || len(r.milestones) > 0 && (r.triggeredBy == "" || c.checksIn),
			"Check-in amount rule cannot be completed when amount is 0",
		), false
	case "bonus":
		return is(!c.client, "Quest not completed"), false
	case "text_input":
		return is(len(strings.TrimSpace(c.code)) >= r.least, "Invalid Verification, try again"), false
	case "code_entry":
		return is(m.codeFits(r, strings.TrimSpace(c.code)), apptest.WrongCode), false
	case "link_click":
		_, waits := m.clicks[pair(r, u)]
		return is(!waits, "Link already clicked, your reward is being processed"), false
	case "quiz", "poll":
		return m.chosen(c)
	case "profile_completed":
		return is(!slices.ContainsFunc(r.fields, func(f string) bool { return !u.fields[f] }), "Quest not completed"), false
	case "connect_wallet":
		return is(
			u.any(func(v *mmember) bool { return v.proof }) && (r.wallet == "" || r.wallet == "evm"),
			"Quest not completed",
		), false
	case "connected_email":
		if u.any(func(v *mmember) bool { return v.emailSet }) && !u.customer() {
			return "Email not verified", false
		}
		return is(u.customer(), "Email not connected or not verified"), false
	case "connected_phone":
		return is(u.any(func(v *mmember) bool { return v.phone }), "Phone not connected or not verified"), false
	}
	if r.platform != "" {
		return is(u.any(func(v *mmember) bool { return v.connected[r.kind] }), r.platform+" not connected"), false
	}
	return "", false
}

func (m *model) codeFits(r *mrule, code string) bool {
	if r.shared != "" {
		return code == r.shared
	}
	return slices.Contains(r.codes, code) && m.redeemed[code] == ""
}

// chosen judges the choice of a quiz or poll: that of the call, else the one given before; a single attempt stands.
func (m *model) chosen(c mcall) (message string, keeps bool) {
	r := c.rule
	before := m.answers[pair(r, c.member)]
	counts, open := before, before == "" || r.again
	if c.choice != "" && open {
		counts = c.choice
	}
	switch {
	case counts == "":
		return apptest.NoChoice, false
	case r.question == nil:
		return apptest.NoQuestion, false
	case c.choice == "other":
		return apptest.WrongChoice, false
	}
	keeps = c.choice != "" && open && !c.only
	if r.kind == "quiz" && counts != "b" {
		return apptest.WrongChoice, keeps
	}
	return "", keeps
}

// reward works out the amount (5.4): override, tier or the rule's; times the member's multipliers; cut to what the cap
// leaves.
func (m *model) reward(c mcall, now time.Time) moutcome {
	r := c.rule
	amount := m.base(c, now)
	if len(r.tiers) > 0 && c.amount == nil {
		value := m.progress[pair(r, c.member)]
		if c.value != nil {
			value = *c.value
		}
		if value < r.tiers[0].from {
			return refusal("Quest not achieved, please try again.")
		}
		amount = r.tiers[len(r.tiers)-1].amount
		for _, t := range r.tiers {
			if value >= t.from && value <= t.to {
				amount = t.amount
				break
			}
		}
	}
	amount = m.raised(r, c.member, amount)
	if left := r.cap - m.tally[joined(pair(r, c.member), period(r.capPer, now))]; r.capPer != "" && amount > left {
		amount = left
	}
	o := moutcome{
		status:   200,
		message:  "Completion request added to queue",
		amount:   amount,
		extra:    m.milestone(r, c.member, now),
		currency: r.currency,
	}
	if r.kind == "link_click" && !c.only {
		o.pending, o.message = true, "Link click being verified, come back later to check the status"
	}
	return o
}

// raised multiplies by what the member's multipliers make of one point, and rounds half away from zero.
func (m *model) raised(r *mrule, u *mmember, amount int64) int64 {
	factor := int64(millionth)
	for _, v := range u.all() {
		for _, f := range v.factors {
			if f.currency == "" || f.currency == r.currency {
				factor += f.value - millionth
			}
		}
	}
	if r.plain || factor == millionth {
		return amount
	}
	twice := new(big.Int).Mul(big.NewInt(2*amount), big.NewInt(max(factor, 0)))
	return twice.Add(twice, big.NewInt(millionth)).Div(twice, big.NewInt(2*millionth)).Int64()
}

// happened writes down what a call came to.
func (m *model) happened(c mcall, o moutcome, now time.Time) {
	if c.only || o.replayed || o.status != 200 && !o.keeps {
		return
	}
	r, u := c.rule, c.member
	if !u.known {
		u.known, u.joinedAt = true, now
	}
	if o.keeps {
		m.answers[pair(r, u)] = c.choice
	}
	switch {
	case o.pending:
		m.clicks[pair(r, u)] = now
	case o.paid():
		m.pay(c, o, now)
	}
}

// pay books a reward at the time that counts for it.
func (m *model) pay(c mcall, o moutcome, at time.Time) {
	r, u := c.rule, c.member
	k := pair(r, u)
	m.times[k]++
	m.completed++
	m.balances[joined(u.wallet, o.currency)] += o.amount + o.extra
	if o.currency == "gold" {
		m.earns(u, o.amount, at)
	}
	if len(r.milestones) > 0 {
		m.streaks[k] = m.counted(r, u, at)
	}
	if r.capPer != "" {
		m.tally[joined(k, period(r.capPer, at))] += o.amount
	}
	if c.key != "" {
		m.keys[c.key] = mpaid{c.signature(), o.currency, o.amount}
	} else {
		m.windows[joined(k, r.window(c.code, at))] = true
		m.last[k] = at
	}
	if len(r.codes) > 0 {
		m.redeemed[strings.TrimSpace(c.code)] = u.wallet
	}
	switch {
	case r.reset:
		delete(m.progress, k)
		delete(m.windows, joined(k, r.window(c.code, at)))
	case !r.tracked:
		m.progress[k] = r.target()
	}
	m.feeds(r, u, at)
}

// aged pays the clicks whose delay is over.
func (m *model) aged(members []*mmember, now time.Time) (jobs int) {
	for _, u := range members {
		for _, r := range m.rules {
			at, waits := m.clicks[pair(r, u)]
			if !waits || now.Before(at.Add(time.Duration(r.seconds)*time.Second)) {
				continue
			}
			delete(m.clicks, pair(r, u))
			jobs++
			m.pay(mcall{rule: r, member: u}, moutcome{status: 200, currency: r.currency, amount: m.raised(r, u, r.amount)}, at)
		}
	}
	return jobs
}

// advanced writes progress and returns what it is then.
func (m *model) advanced(c mcall) int64 {
	k, target := pair(c.rule, c.member), c.rule.target()
	now := m.progress[k]
	if c.progress != nil {
		now = min(*c.progress, target)
	}
	if c.increment != nil {
		now = min(now+*c.increment, target)
	}
	m.progress[k] = now
	return now
}

// decimals is the amount as the answers spell it.
func decimals(millionths int64) string {
	whole, rest := millionths/millionth, millionths%millionth
	if rest == 0 {
		return fmt.Sprint(whole)
	}
	return strings.TrimRight(fmt.Sprintf("%d.%06d", whole, rest), "0")
}
