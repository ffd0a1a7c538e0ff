package app_test

import (
	"testing"
)

// TestADebitTakesNothingThatAResetHasTakenBefore: what the rule paid is gone then, and what is there others have paid.
func TestADebitTakesNothingThatAResetHasTakenBefore(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, other := s.free(nil), s.free(nil)
		for _, wallet := range []string{alice, bob} {
			s.complete(rule, object{"walletAddress": wallet, "amount": 100}).ok()
		}
		s.reset("balances").ok()
		s.complete(other, object{"walletAddress": alice, "amount": 50}).ok()
		s.complete(rule, object{"walletAddress": alice, "amount": 7}).ok()
		s.complete(other, object{"walletAddress": bob, "amount": 50}).ok()
		s.takeBack(rule).ok()
		if a, b := s.balance(alice), s.balance(bob); a != "50" || b != "50" {
			t.Errorf("balances %s and %s", a, b)
		}
		s.sound()
	})
}

func TestADebitTakesNothingThatHasExpiredBefore(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.living(30, 0)
		rule, other := s.free(nil), s.free(nil)
		s.complete(rule, object{"walletAddress": alice, "amount": 100}).ok()
		s.transact(points(alice, 40, debit)).ok()
		s.complete(other, object{"walletAddress": bob, "amount": 100}).ok()
		s.pass(31 * day) // 60 of the rule's expire
		s.complete(other, object{"walletAddress": alice, "amount": 90}).ok()
		s.complete(rule, object{"walletAddress": alice, "amount": 7}).ok()
		s.complete(rule, object{"walletAddress": bob, "amount": 3}).ok()
		s.complete(other, object{"walletAddress": bob, "amount": 5}).ok()
		s.takeBack(rule).ok()
		if a, b := s.balance(alice), s.balance(bob); a != "50" || b != "5" { // the 40 that were spent are a debt still
			t.Errorf("balances %s and %s", a, b)
		}
		s.sound()
	})
}
