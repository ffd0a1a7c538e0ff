package app_test

import (
	"slices"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// The model's referrals (contract 5.12): a welcome bonus for the referee, a bonus for the referrer, and with each run a
// share of the referee's earnings since the last. Its rule pays gold, so that its payments open no other rule.

const (
	welcomes      = 3 * millionth
	referrerBonus = 7 * millionth
	firstPart     = 12_500_000 // millionths of a percent
	secondPart    = 5_000_000
)

// mearning is a credit that counts for shares.
type mearning struct {
	at     time.Time
	amount int64
}

// mreferral says who was brought, and by whom.
type mreferral struct {
	by, who *mmember
	at      time.Time
}

// earns notes what a rule credited in gold.
func (m *model) earns(u *mmember, amount int64, at time.Time) {
	m.earned[u] = append(m.earned[u], mearning{at, amount})
}

// referralOf is the referral of a member; nil: there is none.
func (m *model) referralOf(u *mmember) *mreferral {
	i := slices.IndexFunc(m.referrals, func(r mreferral) bool { return r.who == u })
	if i < 0 {
		return nil
	}
	return &m.referrals[i]
}

// refusesToRefer returns why the one cannot be brought by the other; "": it can.
func (m *model) refusesToRefer(by, who *mmember) string {
	if by == who {
		return "Users cannot refer themselves"
	}
	for up := m.referralOf(by); up != nil; up = m.referralOf(up.by) {
		if up.by == who {
			return "Referral loop is not allowed"
		}
	}
	if m.referralOf(who) != nil {
		return "User was already referred"
	}
	return ""
}

// bring lets members refer others, and some referrals are refused. All meet the requirements, and none is blocked.
func (w *mworld) bring(at time.Time) {
	w.T.Helper()
	rule := w.rules["brings"]
	for i := range 4 {
		// one after the other: what was earned before one was brought counts for nobody
		at := at.Add(time.Duration(2*i) * time.Millisecond)
		by, who := w.members[w.dice.IntN(40)], w.members[w.dice.IntN(40)]
		if w.dice.IntN(4) == 0 {
			who = by
		}
		if up := w.referralOf(by); up != nil && w.dice.IntN(2) == 0 {
			who = up.by
		}
		if by.blocked || who.blocked || by.locked || who.locked {
			continue
		}
		message := w.refusesToRefer(by, who)
		got := w.Refer(w.ReferralCode(rule.id, by.wallet), who.id)
		if message != "" {
			got.Refused(400, message)
			w.counts[message]++
			continue
		}
		got.OK()
		w.referrals = append(w.referrals, mreferral{by, who, at})
		w.pay(mcall{rule: rule, member: who}, moutcome{amount: welcomes, currency: "gold"}, at.Add(time.Millisecond))
		w.balances[joined(by.wallet, "gold")] += referrerBonus
		w.earns(by, referrerBonus, at.Add(time.Millisecond))
		w.counts["(welcomed)"]++
	}
}

// part is a share, rounded half up at six places.
func part(of, percent int64) int64 { return (of*(percent/100_000) + 500) / 1000 }

// shared pays the shares of the run at a time, for earnings since the run before it.
func (w *mworld) shared(at time.Time) {
	for _, r := range w.referrals {
		var sum int64
		for _, e := range w.earned[r.who] {
			if e.at.After(r.at) && e.at.After(at.Add(-apptest.Day)) && !e.at.After(at) {
				sum += e.amount
			}
		}
		if sum == 0 {
			continue
		}
		w.balances[joined(r.by.wallet, "gold")] += part(sum, firstPart)
		w.counts["(shared)"]++
		if up := w.referralOf(r.by); up != nil {
			w.balances[joined(up.by.wallet, "gold")] += part(sum, secondPart)
			w.counts["(shared further up)"]++
		}
	}
}

// shares carries out the runs between two moments, in the service and in the model.
func shares(s *apptest.Server, worlds []*mworld, from, to time.Time) {
	s.T.Helper()
	for at := apptest.Noon; !at.After(to); at = at.Add(apptest.Day) {
		if !at.After(from) {
			continue
		}
		for _, w := range worlds {
			w.shared(at)
		}
	}
	s.RunSchedule()
}
