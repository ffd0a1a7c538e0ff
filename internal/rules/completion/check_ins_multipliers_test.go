package completion_test

import (
	"encoding/json"
	"slices"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// TestACheckInGivesAMultiplierToWhomItMakesAMember: what sets the check-in off writes the rows of a new member for
// both.
func TestACheckInGivesAMultiplierToWhomItMakesAMember(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		other := s.Free(nil)
		gift := object{"type": "check_in", "interval": "daily", "loyaltyCurrencyId": nil}
		s.CreateMultiplierRule(2, apptest.Over(gift, object{"metadata": object{"autoCheckInRuleIds": []string{other}}}))
		plain := s.Rule("check_in", object{"interval": "daily", "metadata": object{"autoCheckInRuleIds": []string{other}}})
		s.Post("/api/users/metadatas", object{"walletAddress": "known"}).OK()
		for _, wallet := range []string{"new", "known"} {
			s.Complete(other, object{"walletAddress": wallet}).OK()
			if got := s.MultiplierValues(wallet); !slices.Equal(got, []string{"2"}) {
				t.Errorf("%s has multipliers %v", wallet, got)
			}
			if got := len(
				s.Get("/api/loyalty/transaction_entries?walletAddress=" + wallet + "&loyaltyRuleId=" + plain).Data(),
			); got != 1 {
				t.Errorf("the check-in that pays points paid %s %d times", wallet, got)
			}
		}
		s.Complete(other, object{"walletAddress": "new"}).OK()
		if got := s.MultiplierValues("new"); len(got) != 1 {
			t.Errorf("after the second deed: %v", got)
		}
		s.Sound()
	})
}

func TestAnEntryGivesAMultiplierToWhomItMakesAMember(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.CreateMultiplierRule(3, object{"type": "check_in", "interval": "daily", "metadata": object{"isCheckInOnEveryTxn": true}})
		entry := func(wallet string) object {
			return object{"walletAddress": wallet, "amount": 5, "loyaltyCurrencyId": s.LoyaltyCurrencyID}
		}
		s.Transact(entry("a"), entry("b"), entry("a")).OK()
		for _, wallet := range []string{"a", "b"} {
			if got := s.MultiplierValues(wallet); !slices.Equal(got, []string{"3"}) {
				t.Errorf("%s has multipliers %v", wallet, got)
			}
		}
		if a, b := s.Balance("a"), s.Balance("b"); a != "10" || b != "5" {
			t.Errorf("balances %s and %s", a, b)
		}
		s.Sound()
	})
}

// TestARetroactiveMultiplierRaisesCurrenciesThatItNames: however many others the website has.
func TestARetroactiveMultiplierRaisesCurrenciesThatItNames(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		last := ""
		for range 101 {
			last = s.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		}
		s.Transact(object{"walletAddress": "w", "amount": 8, "loyaltyCurrencyId": last}).OK()
		rule := s.CreateMultiplierRule(
			"1.5",
			object{
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"metadata":          object{"isRetroactive": true, "multiplierLoyaltyCurrencyIds": []string{last}},
			},
		)
		s.Complete(rule, object{"walletAddress": "w"}).OK()
		got := map[any]string{}
		for _, e := range s.Get("/api/loyalty/transaction_entries?walletAddress=w&loyaltyRuleId=" + rule).Data() {
			got[e["loyaltyCurrencyId"]] = e["amount"].(json.Number).String()
		}
		// The rule's own currency has its zero-amount entry beside what the balance was raised by.
		if len(got) != 2 || got[last] != "4" || got[s.LoyaltyCurrencyID.String()] != "0" {
			t.Errorf("entries: %v", got)
		}
		s.Sound()
	})
}
