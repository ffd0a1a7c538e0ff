package app_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"laurel/internal/dev/storetest"
)

// found is a rule of the shop whose runs find who has bought anything, for a reward that members claim.
func (s *server) found(properties object) string {
	s.t.Helper()
	return s.rule(
		"shop_spend",
		over(object{"amount": 5, "frequency": "daily", "claimType": "manual", "interval": "unlimited"}, properties),
	)
}

// TestWhatARunFoundBeforeItBrokeOffIsClaimedOnce: the next run looks at the same time again, but not for those who have
// claimed what was found in it.
func TestWhatARunFoundBeforeItBrokeOffIsClaimedOnce(t *testing.T) {
	t.Parallel()
	for _, reset := range []bool{false, true} {
		t.Run(fmt.Sprint("reset ", reset), func(t *testing.T) {
			t.Parallel()
			storetest.EachURL(t, func(t *testing.T, address string) { claimAfterBreak(t, address, reset) })
		})
	}
}

func claimAfterBreak(t *testing.T, address string, reset bool) {
	const members = 30 // two pages
	s, without, p := besidePartner(t, address)
	c, db := s.clock, database{storetest.Open(t, address, s.clock.Now), t}
	rule := s.found(object{"metadata": object{"resetProgressOnClaim": reset}})
	s.run() // nobody is there yet
	for i := range members {
		db.customer(s, fmt.Sprint("m", i))
		p.buys(s, fmt.Sprint("m", i, "@b.example"), 10)
	}
	c.advance(day)
	breakOff(s, without, p)
	claims := func() (paid int) {
		for i := range members {
			if s.complete(rule, object{"walletAddress": fmt.Sprint("m", i)}).status == 200 {
				paid++
			}
		}
		return paid
	}
	if got := claims(); got != 24 || s.runs(rule)[1]["status"] != "failed" {
		t.Fatalf("%d claimed what was found before it broke off: %v", got, s.runs(rule))
	}
	c.advance(day)
	s.run()
	if got := claims(); got != 6 {
		t.Errorf("%d claimed after the next run, and 6 had been left out", got)
	}
	p.buys(s, "m0@b.example", 1)
	c.advance(day)
	s.run()
	if got := claims(); got != 1 {
		t.Errorf("%d claimed, and one has bought again", got)
	}
	s.sound()
}

func TestAPauseOfTheRunsLetsNobodyClaimAgain(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		db.customer(s, "w")
		w := object{"walletAddress": "w"}
		rule := s.found(nil)
		edit := func(frequency string) { s.post("/api/loyalty/rules/"+rule, object{"frequency": frequency}).ok() }
		p.buys(s, "w@b.example", 100)
		s.clock.advance(day)
		s.run()
		p.buys(s, "w@b.example", 100) // after the run, and before what it found is claimed
		s.clock.advance(time.Hour)
		s.complete(rule, w).ok()
		s.complete(rule, w).refused(400, undone)
		s.clock.advance(day)
		s.run()
		s.complete(rule, w).ok()
		edit("none")
		p.buys(s, "w@b.example", 50)
		s.clock.advance(time.Hour)
		s.complete(rule, w).ok() // by the call itself
		edit("daily")
		s.complete(rule, w).refused(400, undone)
		s.clock.advance(day)
		s.run()
		s.complete(rule, w).refused(400, undone)
		p.buys(s, "w@b.example", 7)
		s.clock.advance(day)
		s.run()
		s.complete(rule, w).ok()
		if got := s.balance("w"); got != "20" {
			t.Errorf("w has %s of four purchases", got)
		}
		// as the operator says
		s.post("/api/loyalty/rule_statuses", object{"loyaltyRuleId": rule, "walletAddress": "w", "progress": 100}).ok()
		s.complete(rule, w).ok()
		s.sound()
	})
}

// TestAnEarlierFindDoesNotTakeBackWhatALaterOneWasPaidFor: a group claims what a run found of one member after what a
// later run, which broke off, found of the other.
func TestAnEarlierFindDoesNotTakeBackWhatALaterOneWasPaidFor(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		const members = 30 // two pages
		s, without, p := besidePartner(t, address)
		c, db := s.clock, database{storetest.Open(t, address, s.clock.Now), t}
		rule := s.rule(
			"governance_vote",
			object{
				"amount":    5,
				"frequency": "daily",
				"claimType": "manual",
				"interval":  "unlimited",
				"metadata":  object{"resetProgressOnClaim": true},
			},
		)
		s.run() // nobody is there yet
		db.crowd(s, members)
		votes, left := map[string]time.Time{}, 0
		answers := func(n int) { p.set(func(*partner) { left = n }) }
		p.set(func(p *partner) {
			p.say = func(q partnerQuestion) (int, string) {
				p.mu.Lock()
				defer p.mu.Unlock()
				left--
				if left < 0 {
					return 200, "what?"
				}
				return 200, fmt.Sprintf(`{"fulfilled":%t}`, slices.ContainsFunc(q.User.WalletAddresses, func(w string) bool {
					at, voted := votes[w]
					return voted && (q.Since == nil || !at.Before(*q.Since)) && at.Before(q.Until)
				}))
			}
		})
		vote := func(member string) { p.set(func(*partner) { votes[member] = c.Now() }) }
		vote("crowd-1")
		answers(1000)
		c.advance(day)
		s.run()
		c.advance(time.Hour)
		vote("crowd-0")
		answers(24)
		c.advance(day)
		s.run()
		answers(100_000) // more than any run asks for: one that broke off would find nothing and prove nothing
		c.advance(time.Hour)
		without.run() // breaks it off
		for _, member := range []string{"crowd-0", "crowd-1"} {
			s.in(member, "g")
			s.complete(rule, object{"walletAddress": member}).ok()
		}
		c.advance(day)
		s.run() // looks at the time of the broken one again
		if last := s.runs(rule)[0]; last["status"] != "complete" {
			t.Errorf("the last run: %v", last)
		}
		s.complete(rule, object{"walletAddress": "crowd-0"}).refused(400, undone)
		s.sound()
	})
}

// TestAShopCustomerClaimsOnceWhoeverHoldsIt: each run finds both members that have its name, and one of them is paid.
func TestAShopCustomerClaimsOnceWhoeverHoldsIt(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, _ database) {
		x, y := object{"walletAddress": "x"}, object{"walletAddress": "y"}
		s.user("x", object{"externalIdentifier": "C-1"})
		s.user("y", object{"externalIdentifier": "C-1"})
		var rules []string
		for _, reset := range []bool{false, true} {
			rules = append(rules, s.found(object{"metadata": object{"resetProgressOnClaim": reset}}))
		}
		for _, claimants := range [][]object{{x, y}, {y, x}} {
			p.buys(s, "C-1", 100)
			s.clock.advance(day)
			s.run()
			for _, rule := range rules {
				s.complete(rule, claimants[0]).ok()
				s.complete(rule, claimants[1]).refused(400, "You have already been rewarded")
			}
		}
		if gotX, gotY := s.balance("x"), s.balance("y"); gotX != "10" || gotY != "10" {
			t.Errorf("x %s, y %s", gotX, gotY)
		}
		s.sound()
	})
}
