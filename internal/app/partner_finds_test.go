package app_test

import (
	"fmt"
	"slices"
	"testing"
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
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		rule := s.found(object{"type": kind})
		for _, name := range []string{"w", "x", "y"} {
			db.customer(s, name)
			p.buys(s, name+"@b.example", 100)
			p.set(func(p *partner) { p.holders[name] = true })
			s.user(name, object{"microblogUserId": name})
		}
		s.clock.advance(day)
		s.run()
		for i := range 3 {
			s.user(fmt.Sprint("mate", i), nil)
			s.in(fmt.Sprint("mate", i), fmt.Sprint("g", i))
		}
		claim := func(who string) bool { return s.complete(rule, object{"walletAddress": who}).status == 200 }

		s.in("w", "g0") // its mate claims, and it goes on
		if !claim("mate0") {
			t.Error("the group cannot claim what was found of its member")
		}
		s.in("w", "g1")
		if claim("mate1") {
			t.Error("the next group claimed it too")
		}
		s.in("w", nil)
		if claim("w") {
			t.Error("the member claimed it too")
		}

		s.in("x", "g1") // nobody claims before it leaves
		s.in("x", nil)
		if claim("mate1") || !claim("x") || claim("x") {
			t.Error("what nobody claimed is not the leaver's own to claim once")
		}

		s.in("y", "g2") // it leaves for a group that claims
		s.in("y", "g1")
		if claim("mate2") || !claim("mate1") {
			t.Error("what nobody claimed did not go with its member")
		}
		s.in("y", nil)
		if claim("y") {
			t.Error("the member claimed it too")
		}
	})
}

// TestWhoLeavesAGroupTakesNoFindOfAMateAlong: it had claimed its own, of the same run, before it joined.
func TestWhoLeavesAGroupTakesNoFindOfAMateAlong(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.found(object{"type": "microblog_like"})
		w, mate := object{"walletAddress": "w"}, object{"walletAddress": "mate"}
		for _, name := range []string{"w", "mate"} {
			s.user(name, object{"microblogUserId": name})
		}
		s.clock.advance(day)
		s.run()
		s.complete(rule, w).ok()
		s.in("w", "g")
		s.in("mate", "g")
		s.in("w", nil)
		s.complete(rule, w).refused(400, undone)
		s.complete(rule, mate).ok()
		s.complete(rule, mate).refused(400, undone)
		if got := s.balance("w") + " " + s.balance("mate"); got != "5 5" {
			t.Errorf("paid %s", got)
		}
		s.sound()
	})
}

// What one run found of several members waits with their group as one claim, and goes with each that leaves before it
// is made: nobody's is lost, and none is claimed by two.
func TestFindsOfOneRunGoWithEachOfItsMembers(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, _ database) {
		rule := s.rule(
			"attendance_token_claim",
			object{"amount": 5, "frequency": "daily", "claimType": "manual", "interval": "unlimited"},
		)
		for i := range 5 {
			for _, role := range []string{"a", "b"} {
				s.user(fmt.Sprint(role, i), nil)
				p.set(func(p *partner) { p.holders[fmt.Sprint(role, i)] = true })
			}
		}
		s.run()
		s.user("mate", nil)
		claims := func(when string, want ...string) {
			t.Helper()
			var claimed []string
			for _, who := range []string{"a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "mate"} {
				if slices.Contains(want, who) || slices.Contains(want, "!"+who) {
					for range 2 {
						if s.complete(rule, object{"walletAddress": who}).status == 200 {
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
		both := func(a, b string, group any) { s.in(a, group); s.in(b, group) }

		both("a0", "b0", "g0")
		s.in("a0", nil)
		claims("one has left", "a0", "b0")
		s.in("b0", nil)
		claims("both have left and claimed", "!a0", "!b0")

		both("a1", "b1", "g1")
		claims("together", "a1", "!b1")
		both("a1", "b1", nil)
		claims("the group has claimed", "!a1", "!b1")

		s.in("a2", "g2")
		claims("alone in the group", "a2")
		s.in("b2", "g2") // brings its own
		s.in("b2", nil)
		claims("the other has left again", "!a2", "b2")
		s.in("b2", "g2")
		claims("it has claimed and come back", "!a2", "!b2")

		claims("before it joins", "a3")
		both("b3", "a3", "g3")
		s.in("a3", nil)
		claims("who has claimed leaves", "!a3", "b3")

		both("a4", "mate", "g4")
		claims("a mate of whom nothing was found", "mate")
		s.in("b4", "g4")
		s.in("a4", nil)
		claims("what the mate claimed was the leaver's", "!a4", "b4")
		s.sound()
	})
}

// A later find takes the place of an earlier one in the group, and gives it back where its member leaves.
func TestAFindOutlastsALaterOneOfAMateWhoLeaves(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, _ database) {
		rule := s.rule(
			"attendance_token_claim",
			object{"amount": 5, "frequency": "daily", "claimType": "manual", "interval": "unlimited"},
		)
		hold := func(member string, holds bool) { p.set(func(p *partner) { p.holders[member] = holds }) }
		for _, member := range []string{"first", "second"} {
			s.user(member, nil)
		}
		hold("first", true)
		s.run()
		hold("first", false)
		hold("second", true)
		s.clock.advance(day)
		s.run()
		s.in("first", "g")
		s.in("second", "g")
		s.in("second", nil)
		for _, member := range []string{"first", "second"} {
			claim := object{"walletAddress": member}
			s.complete(rule, claim).ok()
			s.complete(rule, claim).refused(400, undone)
		}
		s.sound()
	})
}
