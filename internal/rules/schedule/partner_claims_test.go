package schedule_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

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
	s, without, p := withAndWithoutPartner(t, address)
	c, db := s.Clock, apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t}
	rule := s.CreateShopRule(object{"metadata": object{"resetProgressOnClaim": reset}})
	s.RunSchedule() // nobody is there yet
	for i := range members {
		customerIn(db, s, fmt.Sprint("m", i))
		buys(p, s, fmt.Sprint("m", i, "@b.example"), 10)
	}
	c.Advance(apptest.Day)
	breakOff(s, without, p)
	claims := func() (paid int) {
		for i := range members {
			if s.Complete(rule, object{"walletAddress": fmt.Sprint("m", i)}).Status == 200 {
				paid++
			}
		}
		return paid
	}
	if got := claims(); got != 24 || s.Runs(rule)[1]["status"] != "failed" {
		t.Fatalf("%d claimed what was found before it broke off: %v", got, s.Runs(rule))
	}
	c.Advance(apptest.Day)
	s.RunSchedule()
	if got := claims(); got != 6 {
		t.Errorf("%d claimed after the next run, and 6 had been left out", got)
	}
	buys(p, s, "m0@b.example", 1)
	c.Advance(apptest.Day)
	s.RunSchedule()
	if got := claims(); got != 1 {
		t.Errorf("%d claimed, and one has bought again", got)
	}
	s.Sound()
}

func TestAPauseOfTheRunsLetsNobodyClaimAgain(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		customerIn(db, s, "w")
		w := object{"walletAddress": "w"}
		rule := s.CreateShopRule(nil)
		edit := func(frequency string) { s.Post("/api/loyalty/rules/"+rule, object{"frequency": frequency}).OK() }
		buys(p, s, "w@b.example", 100)
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		buys(p, s, "w@b.example", 100) // after the run, and before what it found is claimed
		s.Clock.Advance(time.Hour)
		s.Complete(rule, w).OK()
		s.Complete(rule, w).Refused(400, apptest.Undone)
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		s.Complete(rule, w).OK()
		edit("none")
		buys(p, s, "w@b.example", 50)
		s.Clock.Advance(time.Hour)
		s.Complete(rule, w).OK() // by the call itself
		edit("daily")
		s.Complete(rule, w).Refused(400, apptest.Undone)
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		s.Complete(rule, w).Refused(400, apptest.Undone)
		buys(p, s, "w@b.example", 7)
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		s.Complete(rule, w).OK()
		if got := s.Balance("w"); got != "20" {
			t.Errorf("w has %s of four purchases", got)
		}
		// as the operator says
		s.Post("/api/loyalty/rule_statuses", object{"loyaltyRuleId": rule, "walletAddress": "w", "progress": 100}).OK()
		s.Complete(rule, w).OK()
		s.Sound()
	})
}

// TestAnEarlierFindDoesNotTakeBackWhatALaterOneWasPaidFor: a group claims what a run found of one member after what a
// later run, which broke off, found of the other.
func TestAnEarlierFindDoesNotTakeBackWhatALaterOneWasPaidFor(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		const members = 30 // two pages
		s, without, p := withAndWithoutPartner(t, address)
		c, db := s.Clock, apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t}
		rule := s.Rule(
			"governance_vote",
			object{
				"amount":    5,
				"frequency": "daily",
				"claimType": "manual",
				"interval":  "unlimited",
				"metadata":  object{"resetProgressOnClaim": true},
			},
		)
		s.RunSchedule() // nobody is there yet
		insertMembers(db, s, members)
		votes, left := map[string]time.Time{}, 0
		answers := func(n int) { p.Set(func(*apptest.Partner) { left = n }) }
		p.Set(func(p *apptest.Partner) {
			p.Say = func(q apptest.PartnerQuestion) (int, string) {
				p.Mu.Lock()
				defer p.Mu.Unlock()
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
		vote := func(member string) { p.Set(func(*apptest.Partner) { votes[member] = c.Now() }) }
		vote("crowd-1")
		answers(1000)
		c.Advance(apptest.Day)
		s.RunSchedule()
		c.Advance(time.Hour)
		vote("crowd-0")
		answers(24)
		c.Advance(apptest.Day)
		s.RunSchedule()
		answers(100_000) // more than any run asks for: one that broke off would find nothing and prove nothing
		c.Advance(time.Hour)
		without.RunSchedule() // breaks it off
		for _, member := range []string{"crowd-0", "crowd-1"} {
			s.In(member, "g")
			s.Complete(rule, object{"walletAddress": member}).OK()
		}
		c.Advance(apptest.Day)
		s.RunSchedule() // looks at the time of the broken one again
		if last := s.Runs(rule)[0]; last["status"] != "complete" {
			t.Errorf("the last run: %v", last)
		}
		s.Complete(rule, object{"walletAddress": "crowd-0"}).Refused(400, apptest.Undone)
		s.Sound()
	})
}

// TestAShopCustomerClaimsOnceWhoeverHoldsIt: each run finds both members that have its name, and one of them is paid.
func TestAShopCustomerClaimsOnceWhoeverHoldsIt(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, _ apptest.Database) {
		x, y := object{"walletAddress": "x"}, object{"walletAddress": "y"}
		s.User("x", object{"externalIdentifier": "C-1"})
		s.User("y", object{"externalIdentifier": "C-1"})
		var rules []string
		for _, reset := range []bool{false, true} {
			rules = append(rules, s.CreateShopRule(object{"metadata": object{"resetProgressOnClaim": reset}}))
		}
		for _, claimants := range [][]object{{x, y}, {y, x}} {
			buys(p, s, "C-1", 100)
			s.Clock.Advance(apptest.Day)
			s.RunSchedule()
			for _, rule := range rules {
				s.Complete(rule, claimants[0]).OK()
				s.Complete(rule, claimants[1]).Refused(400, "You have already been rewarded")
			}
		}
		if gotX, gotY := s.Balance("x"), s.Balance("y"); gotX != "10" || gotY != "10" {
			t.Errorf("x %s, y %s", gotX, gotY)
		}
		s.Sound()
	})
}
