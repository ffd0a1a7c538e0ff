package schedule_test

import (
	"fmt"
	"slices"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// What a run finds of a member is one claim: its group may make it, or the member when it has left, but not both, nor
// each group on the way.
func TestAFindIsClaimedOnceWhereverTheMemberGoes(t *testing.T) {
	t.Parallel()
	// a shop knows its customers besides
	for _, kind := range []string{"shop_spend", "governance_vote", "microblog_like"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			findWanders(t, kind)
		})
	}
}

func findWanders(t *testing.T, kind string) {
	t.Helper()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		rule := s.CreateShopRule(object{"type": kind})
		for _, name := range []string{"w", "x", "y"} {
			customerIn(db, s, name)
			buys(p, s, name+"@b.example", 100)
			p.Set(func(p *apptest.Partner) { p.Holders[name] = true })
			s.User(name, object{"microblogUserId": name})
		}
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		for i := range 3 {
			s.User(fmt.Sprint("mate", i), nil)
			s.In(fmt.Sprint("mate", i), fmt.Sprint("g", i))
		}
		claim := func(who string) bool { return s.Complete(rule, object{"walletAddress": who}).Status == 200 }

		s.In("w", "g0") // its mate claims, and it goes on
		if !claim("mate0") {
			t.Error("the group cannot claim what was found of its member")
		}
		s.In("w", "g1")
		if claim("mate1") {
			t.Error("the next group claimed it too")
		}
		s.In("w", nil)
		if claim("w") {
			t.Error("the member claimed it too")
		}

		s.In("x", "g1") // nobody claims before it leaves
		s.In("x", nil)
		if claim("mate1") || !claim("x") || claim("x") {
			t.Error("what nobody claimed is not the leaver's own to claim once")
		}

		s.In("y", "g2") // it leaves for a group that claims
		s.In("y", "g1")
		if claim("mate2") || !claim("mate1") {
			t.Error("what nobody claimed did not go with its member")
		}
		s.In("y", nil)
		if claim("y") {
			t.Error("the member claimed it too")
		}
	})
}

// TestWhoLeavesAGroupTakesNoFindOfAMateAlong: it had claimed its own, of the same run, before it joined.
func TestWhoLeavesAGroupTakesNoFindOfAMateAlong(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateShopRule(object{"type": "microblog_like"})
		w, mate := object{"walletAddress": "w"}, object{"walletAddress": "mate"}
		for _, name := range []string{"w", "mate"} {
			s.User(name, object{"microblogUserId": name})
		}
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		s.Complete(rule, w).OK()
		s.In("w", "g")
		s.In("mate", "g")
		s.In("w", nil)
		s.Complete(rule, w).Refused(400, apptest.Undone)
		s.Complete(rule, mate).OK()
		s.Complete(rule, mate).Refused(400, apptest.Undone)
		if got := s.Balance("w") + " " + s.Balance("mate"); got != "5 5" {
			t.Errorf("paid %s", got)
		}
		s.Sound()
	})
}

// What one run found of several members waits with their group as one claim, and goes with each that leaves before it
// is made: nobody's is lost, and none is claimed by two.
func TestFindsOfOneRunGoWithEachOfItsMembers(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, _ apptest.Database) {
		rule := s.Rule(
			"attendance_token_claim",
			object{"amount": 5, "frequency": "daily", "claimType": "manual", "interval": "unlimited"},
		)
		for i := range 5 {
			for _, role := range []string{"a", "b"} {
				s.User(fmt.Sprint(role, i), nil)
				p.Set(func(p *apptest.Partner) { p.Holders[fmt.Sprint(role, i)] = true })
			}
		}
		s.RunSchedule()
		s.User("mate", nil)
		claims := func(when string, want ...string) {
			t.Helper()
			var claimed []string
			for _, who := range []string{"a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "mate"} {
				if slices.Contains(want, who) || slices.Contains(want, "!"+who) {
					for range 2 {
						if s.Complete(rule, object{"walletAddress": who}).Status == 200 {
							claimed = append(claimed, who)
						}
					}
				}
			}
			want = slices.DeleteFunc(want, func(who string) bool { return who[0] == '!' })
			if !slices.Equal(claimed, want) {
				t.Errorf("%s: %v claimed, not %v", when, claimed, want)
			}
		}
		both := func(a, b string, group any) { s.In(a, group); s.In(b, group) }

		both("a0", "b0", "g0")
		s.In("a0", nil)
		claims("one has left", "a0", "b0")
		s.In("b0", nil)
		claims("both have left and claimed", "!a0", "!b0")

		both("a1", "b1", "g1")
		claims("together", "a1", "!b1")
		both("a1", "b1", nil)
		claims("the group has claimed", "!a1", "!b1")

		s.In("a2", "g2")
		claims("alone in the group", "a2")
		s.In("b2", "g2") // brings its own
		s.In("b2", nil)
		claims("the other has left again", "!a2", "b2")
		s.In("b2", "g2")
		claims("it has claimed and come back", "!a2", "!b2")

		claims("before it joins", "a3")
		both("b3", "a3", "g3")
		s.In("a3", nil)
		claims("who has claimed leaves", "!a3", "b3")

		both("a4", "mate", "g4")
		claims("a mate without a find", "mate")
		s.In("b4", "g4")
		s.In("a4", nil)
		claims("what the mate claimed was the leaver's", "!a4", "b4")
		s.Sound()
	})
}

// A later find takes the place of an earlier one in the group, and gives it back where its member leaves.
func TestAFindOutlastsALaterOneOfAMateWhoLeaves(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, _ apptest.Database) {
		rule := s.Rule(
			"attendance_token_claim",
			object{"amount": 5, "frequency": "daily", "claimType": "manual", "interval": "unlimited"},
		)
		hold := func(member string, holds bool) { p.Set(func(p *apptest.Partner) { p.Holders[member] = holds }) }
		for _, member := range []string{"first", "second"} {
			s.User(member, nil)
		}
		hold("first", true)
		s.RunSchedule()
		hold("first", false)
		hold("second", true)
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		s.In("first", "g")
		s.In("second", "g")
		s.In("second", nil)
		for _, member := range []string{"first", "second"} {
			claim := object{"walletAddress": member}
			s.Complete(rule, claim).OK()
			s.Complete(rule, claim).Refused(400, apptest.Undone)
		}
		s.Sound()
	})
}
