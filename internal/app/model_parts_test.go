package app_test

import (
	"slices"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// What the model says of groups (contract 5.16), streaks (5.9), lists (5.13) and partners (6).

// mbuy is something that a member bought.
type mbuy struct {
	at  time.Time
	sum int64
}

// subject is whom windows, streaks and progress are kept for. What the first of a group had done becomes the group's
// when another joins (contract 8.7).
func (u *mmember) subject() string {
	if len(u.mates) > 0 {
		return u.mates[0].wallet
	}
	return u.wallet
}

// all are the member and the others of its group.
func (u *mmember) all() []*mmember {
	if len(u.mates) > 0 {
		return u.mates
	}
	return []*mmember{u}
}

// any reports whether one of the group is so.
func (u *mmember) any(is func(*mmember) bool) bool { return slices.ContainsFunc(u.all(), is) }

// joins makes the two one group.
func (u *mmember) joins(v *mmember) {
	u.mates = []*mmember{v, u}
	v.mates = u.mates
}

// held is the sum of the group's balances.
func (m *model) held(u *mmember, currency string) (sum int64) {
	for _, mate := range u.all() {
		sum += m.balances[joined(mate.wallet, currency)]
	}
	return sum
}

// begins is when the calendar window began that the time lies in; zero where there is none.
func begins(interval string, at time.Time) time.Time {
	day := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	switch interval {
	case "hourly":
		return at.Truncate(time.Hour)
	case "daily":
		return day
	case "weekly":
		return day.AddDate(0, 0, -int(day.Weekday()))
	case "monthly":
		return day.AddDate(0, 0, 1-day.Day())
	}
	return time.Time{}
}

// follows reports whether the window of a time is the one after that of another.
func follows(interval string, last, at time.Time) bool {
	next := map[string]time.Time{"hourly": last.Add(time.Hour), "daily": last.AddDate(0, 0, 1), "weekly": last.AddDate(0, 0, 7)}[interval]
	return period(interval, next) == period(interval, at)
}

// mstreak is how many windows in a row somebody checked in.
type mstreak struct {
	count int
	at    time.Time
}

// counted is the streak after a check-in at the time.
func (m *model) counted(r *mrule, u *mmember, at time.Time) mstreak {
	if s, ever := m.streaks[pair(r, u)]; ever && follows(r.interval, s.at, at) {
		return mstreak{s.count + 1, at}
	}
	return mstreak{1, at}
}

// milestone is what is paid beside the amount at this check-in.
func (m *model) milestone(r *mrule, u *mmember, at time.Time) int64 {
	if len(r.milestones) == 0 {
		return 0
	}
	return m.raised(r, u, r.milestones[m.counted(r, u, at).count])
}

// feeds checks the member in to rules for which the completion of this one counts. What refuses is nobody's business.
func (m *model) feeds(r *mrule, u *mmember, at time.Time) {
	for _, triggered := range m.rules {
		if triggered.triggeredBy != r.name {
			continue
		}
		c := mcall{rule: triggered, member: u, checksIn: true}
		if o := m.decide(c, at); o.status == 200 {
			m.pay(c, o, at)
			m.triggered++
		}
	}
}

// customer reports whether a shop knows the member, or somebody of its group: by a verified address.
func (u *mmember) customer() bool {
	return u.any(func(v *mmember) bool { return v.emailVerified })
}

// spent is what the customer bought that is not paid for: in the rule's window, and since the last payment.
func (m *model) spent(r *mrule, u *mmember, now time.Time) (sum int64) {
	from := begins(r.interval, now)
	if last, ever := m.last[pair(r, u)]; ever && last.After(from) {
		from = last
	}
	for _, mate := range u.all() {
		for _, b := range m.bought[mate] {
			if mate.emailVerified && !b.at.Before(from) {
				sum += b.sum
			}
		}
	}
	return sum
}

// partnered is what a partner says of the member: step 12 of the types that rest on what it knows.
func (m *model) partnered(c mcall, now time.Time) string {
	switch {
	case c.rule.kind == "shop_spend" && !c.member.customer():
		return apptest.NoCustomer
	case c.rule.kind == "shop_spend" && m.spent(c.rule, c.member, now) == 0:
		return apptest.Undone
	case c.rule.kind != "shop_spend" && !c.member.any(func(v *mmember) bool { return v.holder }):
		return apptest.Undone
	}
	return ""
}

// base is the amount before tiers and multipliers: from a list, from the amount spent, or the rule's.
func (m *model) base(c mcall, now time.Time) int64 {
	r := c.rule
	switch {
	case c.amount != nil:
		return *c.amount
	case r.kind == "points_airdrop" && c.member.allotted > 0:
		return c.member.allotted
	case r.perValue:
		return r.amount * (m.spent(r, c.member, now) / millionth)
	}
	return r.amount
}

// features names what of the contract the paid call had to do with, beside what all have.
func (w *mworld) features(c mcall, o moutcome) (names []string) {
	note := func(yes bool, name string) {
		if yes {
			names = append(names, name)
		}
	}
	note(o.extra > 0, "(milestone)")
	note(len(c.member.mates) > 0, "(in a group)")
	note(c.rule.list, "(on a list)")
	note(c.rule.kind == "points_airdrop" && c.member.allotted > 0, "(its amount on a list)")
	note(partnered[c.rule.kind] && c.rule.kind != "shop_spend", "(known to a partner)")
	note(c.rule.kind == "shop_spend", "(spent)")
	return names
}

var partnered = map[string]bool{"create_partner_account": true, "shop_spend": true, "attendance_token_claim": true}
