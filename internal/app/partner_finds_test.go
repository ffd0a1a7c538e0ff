package app_test

import (
	"fmt"
	"testing"
)

// What a run finds of a member is one claim: its group may make it, or the member when it has left, but not both, nor each group on the way.
func TestAFindIsClaimedOnceWhereverTheMemberGoes(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"shop_spend", "governance_vote", "microblog_like"} { // a shop knows its customers besides
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
