package reset_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// TestADebitTakesNothingThatAResetHasTakenBefore: what the rule paid is gone then, and what is there others have paid.
func TestADebitTakesNothingThatAResetHasTakenBefore(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other := s.Free(nil), s.Free(nil)
		for _, wallet := range []string{apptest.Alice, apptest.Bob} {
			s.Complete(rule, object{"walletAddress": wallet, "amount": 100}).OK()
		}
		s.Reset("balances").OK()
		s.Complete(other, object{"walletAddress": apptest.Alice, "amount": 50}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice, "amount": 7}).OK()
		s.Complete(other, object{"walletAddress": apptest.Bob, "amount": 50}).OK()
		s.DeleteRuleAndDebit(rule).OK()
		if a, b := s.Balance(apptest.Alice), s.Balance(apptest.Bob); a != "50" || b != "50" {
			t.Errorf("balances %s and %s", a, b)
		}
		s.Sound()
	})
}

func TestADebitTakesNothingThatHasExpiredBefore(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(30, 0)
		rule, other := s.Free(nil), s.Free(nil)
		s.Complete(rule, object{"walletAddress": apptest.Alice, "amount": 100}).OK()
		s.Transact(apptest.Points(apptest.Alice, 40, apptest.Debit)).OK()
		s.Complete(other, object{"walletAddress": apptest.Bob, "amount": 100}).OK()
		s.AdvanceAndExpire(31 * apptest.Day) // 60 of the rule's expire
		s.Complete(other, object{"walletAddress": apptest.Alice, "amount": 90}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice, "amount": 7}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob, "amount": 3}).OK()
		s.Complete(other, object{"walletAddress": apptest.Bob, "amount": 5}).OK()
		s.DeleteRuleAndDebit(rule).OK()
		if a, b := s.Balance(
			apptest.Alice,
		), s.Balance(apptest.Bob); a != "50" || b != "5" { // the 40 that were spent are a debt still
			t.Errorf("balances %s and %s", a, b)
		}
		s.Sound()
	})
}

// TestABlockThatLeavesTakesNothingThatIsGone: what the rule paid for the event is gone, by the rule's deletion or by a
// reset, and what is there others have paid.
func TestABlockThatLeavesTakesNothingThatIsGone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		other := s.Free(nil)
		for _, c := range []struct {
			earned string // by the other rule, after the points are gone
			clear  func(rule string) apptest.Response
			want   string
		}{
			{"40", func(string) apptest.Response { return s.Reset("balances") }, "40"},
			{"50", s.DeleteRuleAndDebit, "90"},
		} {
			rule := s.CreateContractEventRule()
			s.PublishContractEvent(rule, s.Clock.Now(), false)
			c.clear(rule).OK()
			s.Complete(other, object{"walletAddress": apptest.Alice, "amount": c.earned}).OK()
			s.Clock.Advance(time.Second)
			s.PublishContractEvent(rule, s.Clock.Now(), true)
			if got := s.Balance(apptest.Alice); got != c.want {
				t.Errorf("balance %s, want %s", got, c.want)
			}
		}
		s.Sound()
	})
}

// TestADebitTakesNothingThatWasOwed: the member had spent the points when the block left, and has paid them back since.
func TestADebitTakesNothingThatWasOwed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other := s.CreateContractEventRule(), s.Free(nil)
		contract := s.Get("/api/loyalty/rules?loyaltyRuleId=" + rule).Data()[0]["metadata"].(object)["smartContract"]
		s.Post("/api/loyalty/rules/"+rule, object{"metadata": object{"smartContract": contract, "onReorg": "reverse"}}).OK()
		s.PublishContractEvent(rule, s.Clock.Now(), false)
		s.Transact(apptest.Points(apptest.Alice, 15, apptest.Debit)).OK()
		s.Clock.Advance(time.Second)
		s.PublishContractEvent(rule, s.Clock.Now(), true)
		for range 2 {
			s.Complete(other, object{"walletAddress": apptest.Alice, "amount": 15}).OK()
		}
		if got := s.Balance(apptest.Alice); got != "15" {
			t.Errorf("balance %s after the debt is paid", got)
		}
		s.DeleteRuleAndDebit(rule).OK()
		if got := s.Balance(apptest.Alice); got != "15" {
			t.Errorf("balance %s after the rule is deleted", got)
		}
		s.Sound()
	})
}
