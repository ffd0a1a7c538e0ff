package app_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
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

// besidePartner starts a node that knows a partner, and one that was started without.
func besidePartner(t *testing.T, address string) (with, without *server, p *partner) {
	t.Helper()
	p = newPartner(t)
	with = openAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Partners: p.file(t)})
	without = open(t, address, app.Config{NoRateLimits: true, Dev: true, Now: with.clock.Now})
	without.clock = with.clock
	return with, without, p
}

// breakOff runs what is due on the node that knows the partner, which falters in the middle; the other node ends it.
func breakOff(with, without *server, p *partner) {
	p.falters(24)
	with.run()
	p.honest()
	with.clock.advance(time.Hour)
	without.run()
}

func paidBeforeABreak(t *testing.T, address string, reset bool) {
	const members = 30 // two pages
	s, without, p := besidePartner(t, address)
	c, db := s.clock, database{storetest.Open(t, address, s.clock.Now), t}
	for i := range members {
		db.customer(s, fmt.Sprint("m", i))
	}
	buy := func() {
		for i := range members {
			p.buys(s, fmt.Sprint("m", i, "@b.example"), 10)
		}
	}
	all := func(when, want string) {
		t.Helper()
		for i := range members {
			if got := s.balance(fmt.Sprint("m", i)); got != want {
				t.Fatalf("%s: member %d has %s, not %s", when, i, got, want)
			}
		}
	}
	buy() // before there is the rule
	c.advance(time.Minute)
	rule := s.rule(
		"shop_spend",
		object{"amount": 1, "frequency": "daily", "metadata": object{"rewardPerValue": true, "resetProgressOnClaim": reset}},
	)
	start := c.Now()
	breakOff(s, without, p) // whom only the next run comes to is paid for all that was
	buy()
	c.set(start.Add(day))
	s.run()
	all("after the first run broke off", "20")
	buy()
	c.set(start.Add(2*day + time.Minute))
	buy() // after the time of the run that is late
	c.advance(time.Minute)
	breakOff(s, without, p)
	c.set(start.Add(3 * day))
	s.run()
	all("after another broke off", "40")
	var got []string
	for _, r := range s.runs(rule) {
		got = append(got, fmt.Sprint(r["status"], " ", r["rewarded"]))
	}
	if fmt.Sprint(got) != "[failed 24 complete 30 failed 24 complete 30]" {
		t.Errorf("runs %q", got)
	}
	s.sound()
}

func TestARuleThatComesToRunPaysNothingAgain(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		db.customer(s, "w")
		db.customer(s, "v")
		rule := s.rule("shop_spend", object{"amount": 1, "interval": "unlimited", "metadata": object{"rewardPerValue": true}})
		edit := func(frequency string) { s.post("/api/loyalty/rules/"+rule, object{"frequency": frequency}).ok() }
		balances := func(w, v string) {
			t.Helper()
			if gotW, gotV := s.balance("w"), s.balance("v"); gotW != w || gotV != v {
				t.Errorf("w %s, v %s", gotW, gotV)
			}
		}
		s.clock.advance(time.Minute)
		p.buys(s, "w@b.example", 100)
		p.buys(s, "v@b.example", 50)
		s.clock.advance(time.Minute)
		s.complete(rule, object{"walletAddress": "w"}).ok()
		s.clock.advance(time.Hour)
		edit("daily")
		s.run()
		s.clock.advance(day)
		s.run()
		balances("100", "50")
		p.buys(s, "w@b.example", 5)
		s.clock.advance(time.Minute)
		edit("none")
		s.complete(rule, object{"walletAddress": "w"}).ok()
		p.buys(s, "v@b.example", 7)
		s.clock.advance(3 * day)
		edit("daily")
		s.run()
		s.clock.advance(day)
		s.run()
		balances("105", "57")
		s.sound()
	})
}

func TestWhatWasClaimedCountsNoMoreWhoeverAsksAndHowever(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, _ database) {
		s.user("x", object{"externalIdentifier": "C-1"})
		x, y := object{"walletAddress": "x"}, object{"walletAddress": "y"}
		rule := s.rule(
			"shop_spend",
			object{"amount": 1, "interval": "daily", "metadata": object{"rewardPerValue": true, "resetProgressOnClaim": true}},
		)
		p.buys(s, "C-1", 20)
		s.clock.advance(time.Minute)
		s.complete(rule, x).ok()
		s.user("y", object{"externalIdentifier": "C-1"}) // another member of the same name
		s.clock.advance(time.Minute)
		s.complete(rule, y).refused(400, undone)
		p.buys(s, "C-1", 4)
		s.clock.advance(time.Minute)
		s.complete(rule, y).ok()
		s.complete(rule, x).refused(400, undone)
		s.post("/api/loyalty/rules/"+rule, object{"metadata": object{"rewardPerValue": true}}).ok()
		s.clock.advance(time.Minute)
		s.complete(rule, x).refused(400, undone) // its window is open, and what it bought today is paid for
		p.buys(s, "C-1", 3)
		s.clock.advance(time.Minute)
		s.complete(rule, x).ok()
		if gotX, gotY := s.balance("x"), s.balance("y"); gotX != "23" || gotY != "4" {
			t.Errorf("x %s, y %s", gotX, gotY)
		}
		s.sound()
	})
}
