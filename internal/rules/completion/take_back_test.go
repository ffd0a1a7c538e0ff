package completion_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// TestWhatComesLateOfABlockTakesNothingBack: the block of an event left its chain and came back, and the first comes
// after the second.
func TestWhatComesLateOfABlockTakesNothingBack(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateContractEventRule()
		at := func(minute int) time.Time { return apptest.Noon.Add(time.Duration(minute) * time.Minute) }
		for _, published := range []struct {
			minute    int
			isRemoved bool
			want      string
		}{
			{0, false, "15"}, {2, false, "15"}, {1, true, "15"}, {3, true, "0"}, {1, true, "0"}, {0, false, "0"}, {4, false, "15"},
			{3, true, "15"},
		} {
			s.PublishContractEvent(rule, at(published.minute), published.isRemoved)
			if got := s.Balance(apptest.Alice); got != published.want {
				t.Errorf("after what was published at minute %d: balance %s, want %s", published.minute, got, published.want)
			}
		}
		s.Sound()
	})
}

// TestWhatComesLateOfABlockCancelsNothing is the same for points that are held at first.
func TestWhatComesLateOfABlockCancelsNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(365, 24)
		rule := s.CreateContractEventRule()
		at := func(minute int) time.Time { return apptest.Noon.Add(time.Duration(minute) * time.Minute) }
		for _, published := range []struct {
			minute    int
			isRemoved bool
			held      int
		}{{0, false, 1}, {2, false, 1}, {1, true, 1}, {3, true, 0}} {
			s.PublishContractEvent(rule, at(published.minute), published.isRemoved)
			held := s.Get("/api/loyalty/accounts/" + s.Account(apptest.Alice) + "/lots?state=pending").Data()
			if len(held) != published.held {
				t.Errorf("after what was published at minute %d: %d lots are held", published.minute, len(held))
			}
		}
		s.Sound()
	})
}

// TestABlockThatLeavesTakesBackOnceWithWhatElseDoes: a caller has reversed the payment before, or the rule is deleted
// and takes back what it has paid.
func TestABlockThatLeavesTakesBackOnceWithWhatElseDoes(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 100)).OK()
		rule := s.CreateContractEventRule()
		s.PublishContractEvent(rule, apptest.Noon, false)
		paid := s.Get("/api/loyalty/transaction_entries?walletAddress=" + apptest.Alice).Data()[0]
		reversal := "/api/loyalty/transactions/" + paid["loyaltyTransactionId"].(string) + "/reverse"
		s.Post(reversal, apptest.Object{"amount": 5, "reopen": true}).OK()
		s.PublishContractEvent(rule, apptest.Noon.Add(time.Minute), true)
		if got := s.Balance(apptest.Alice); got != "100" {
			t.Errorf("a part was reversed before: balance %s, want 100", got)
		}
		s.Post(reversal, apptest.Object{}).Refused(400, "Transaction was already reversed")

		spent := s.CreateContractEventRule()
		s.PublishContractEventOf(spent, apptest.Bob, 1, apptest.Noon, false)
		s.Transact(apptest.Points(apptest.Bob, 10, apptest.Debit)).OK()
		s.PublishContractEventOf(spent, apptest.Bob, 1, apptest.Noon.Add(time.Minute), true)
		s.Transact(apptest.Points(apptest.Bob, 100)).OK()
		s.DeleteRuleAndDebit(spent).OK()
		if got := s.Balance(apptest.Bob); got != "100" {
			t.Errorf("what was spent stays with the member: balance %s, want 100", got)
		}
		s.Sound()
	})
}
