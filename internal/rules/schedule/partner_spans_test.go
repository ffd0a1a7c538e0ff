package schedule_test

import (
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

func TestWhatARunPaidBeforeItBrokeOffIsNotPaidAgain(t *testing.T) {
	t.Parallel()
	for _, reset := range []bool{false, true} {
		t.Run(fmt.Sprint("reset ", reset), func(t *testing.T) {
			t.Parallel()
			storetest.EachURL(t, func(t *testing.T, address string) { paidBeforeABreak(t, address, reset) })
		})
	}
}

// withAndWithoutPartner starts a node that knows a partner, and one that was started without.
func withAndWithoutPartner(t *testing.T, address string) (with, without *apptest.Server, p *apptest.Partner) {
	t.Helper()
	p = apptest.NewPartner(t)
	with = apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Partners: p.ConfigFile(t)})
	without = apptest.Open(t, address, app.Config{NoRateLimits: true, Dev: true, Now: with.Clock.Now})
	without.Clock = with.Clock
	return with, without, p
}

// breakOff runs what is due on the node that knows the partner, which falters in the middle; the other node ends it.
func breakOff(with, without *apptest.Server, p *apptest.Partner) {
	falters(p, 24)
	with.RunSchedule()
	honest(p)
	with.Clock.Advance(time.Hour)
	without.RunSchedule()
}

func paidBeforeABreak(t *testing.T, address string, reset bool) {
	const members = 30 // two pages
	s, without, p := withAndWithoutPartner(t, address)
	c, db := s.Clock, apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t}
	for i := range members {
		customerIn(db, s, fmt.Sprint("m", i))
	}
	buy := func() {
		for i := range members {
			buys(p, s, fmt.Sprint("m", i, "@b.example"), 10)
		}
	}
	all := func(when, want string) {
		t.Helper()
		for i := range members {
			if got := s.Balance(fmt.Sprint("m", i)); got != want {
				t.Fatalf("%s: member %d has %s, not %s", when, i, got, want)
			}
		}
	}
	buy() // before there is the rule
	c.Advance(time.Minute)
	rule := s.Rule(
		"shop_spend",
		object{"amount": 1, "frequency": "daily", "metadata": object{"rewardPerValue": true, "resetProgressOnClaim": reset}},
	)
	start := c.Now()
	breakOff(s, without, p) // whom only the next run comes to is paid for all that was
	buy()
	c.Set(start.Add(apptest.Day))
	s.RunSchedule()
	all("after the first run broke off", "20")
	buy()
	c.Set(start.Add(2*apptest.Day + time.Minute))
	buy() // after the time of the run that is late
	c.Advance(time.Minute)
	breakOff(s, without, p)
	c.Set(start.Add(3 * apptest.Day))
	s.RunSchedule()
	all("after another broke off", "40")
	var got []string
	for _, r := range s.Runs(rule) {
		got = append(got, fmt.Sprint(r["status"], " ", r["rewarded"]))
	}
	if fmt.Sprint(got) != "[failed 24 complete 30 failed 24 complete 30]" {
		t.Errorf("runs %q", got)
	}
	s.Sound()
}

func TestARuleThatComesToRunPaysNothingAgain(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		customerIn(db, s, "w")
		customerIn(db, s, "v")
		rule := s.Rule("shop_spend", object{"amount": 1, "interval": "unlimited", "metadata": object{"rewardPerValue": true}})
		edit := func(frequency string) { s.Post("/api/loyalty/rules/"+rule, object{"frequency": frequency}).OK() }
		balances := func(w, v string) {
			t.Helper()
			if gotW, gotV := s.Balance("w"), s.Balance("v"); gotW != w || gotV != v {
				t.Errorf("w %s, v %s", gotW, gotV)
			}
		}
		s.Clock.Advance(time.Minute)
		buys(p, s, "w@b.example", 100)
		buys(p, s, "v@b.example", 50)
		s.Clock.Advance(time.Minute)
		s.Complete(rule, object{"walletAddress": "w"}).OK()
		s.Clock.Advance(time.Hour)
		edit("daily")
		s.RunSchedule()
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		balances("100", "50")
		buys(p, s, "w@b.example", 5)
		s.Clock.Advance(time.Minute)
		edit("none")
		s.Complete(rule, object{"walletAddress": "w"}).OK()
		buys(p, s, "v@b.example", 7)
		s.Clock.Advance(3 * apptest.Day)
		edit("daily")
		s.RunSchedule()
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		balances("105", "57")
		s.Sound()
	})
}

func TestWhatWasClaimedCountsNoMoreWhoeverAsksAndHowever(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, _ apptest.Database) {
		s.User("x", object{"externalIdentifier": "C-1"})
		x, y := object{"walletAddress": "x"}, object{"walletAddress": "y"}
		rule := s.Rule(
			"shop_spend",
			object{"amount": 1, "interval": "daily", "metadata": object{"rewardPerValue": true, "resetProgressOnClaim": true}},
		)
		buys(p, s, "C-1", 20)
		s.Clock.Advance(time.Minute)
		s.Complete(rule, x).OK()
		s.User("y", object{"externalIdentifier": "C-1"}) // another member of the same name
		s.Clock.Advance(time.Minute)
		s.Complete(rule, y).Refused(400, apptest.Undone)
		buys(p, s, "C-1", 4)
		s.Clock.Advance(time.Minute)
		s.Complete(rule, y).OK()
		s.Complete(rule, x).Refused(400, apptest.Undone)
		s.Post("/api/loyalty/rules/"+rule, object{"metadata": object{"rewardPerValue": true}}).OK()
		s.Clock.Advance(time.Minute)
		s.Complete(rule, x).Refused(400, apptest.Undone) // its window is open, and what it bought today is paid for
		buys(p, s, "C-1", 3)
		s.Clock.Advance(time.Minute)
		s.Complete(rule, x).OK()
		if gotX, gotY := s.Balance("x"), s.Balance("y"); gotX != "23" || gotY != "4" {
			t.Errorf("x %s, y %s", gotX, gotY)
		}
		s.Sound()
	})
}
