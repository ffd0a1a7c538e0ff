package app_test

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestACheckInGivesAMultiplierToWhomItMakesAMember: what sets the check-in off writes the rows of a new member for
// both.
func TestACheckInGivesAMultiplierToWhomItMakesAMember(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		other := s.free(nil)
		gift := object{"type": "check_in", "interval": "daily", "loyaltyCurrencyId": nil}
		s.gift(2, over(gift, object{"metadata": object{"autoCheckInRuleIds": []string{other}}}))
		plain := s.rule("check_in", object{"interval": "daily", "metadata": object{"autoCheckInRuleIds": []string{other}}})
		s.post("/api/users/metadatas", object{"walletAddress": "known"}).ok()
		for _, wallet := range []string{"new", "known"} {
			s.complete(other, object{"walletAddress": wallet}).ok()
			if got := s.held(wallet); !slices.Equal(got, []string{"2"}) {
				t.Errorf("%s has multipliers %v", wallet, got)
			}
			if got := len(
				s.get("/api/loyalty/transaction_entries?walletAddress=" + wallet + "&loyaltyRuleId=" + plain).data(),
			); got != 1 {
				t.Errorf("the check-in that pays points paid %s %d times", wallet, got)
			}
		}
		s.complete(other, object{"walletAddress": "new"}).ok()
		if got := s.held("new"); len(got) != 1 {
			t.Errorf("after the second deed: %v", got)
		}
		s.sound()
	})
}

func TestAnEntryGivesAMultiplierToWhomItMakesAMember(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.gift(3, object{"type": "check_in", "interval": "daily", "metadata": object{"isCheckInOnEveryTxn": true}})
		entry := func(wallet string) object {
			return object{"walletAddress": wallet, "amount": 5, "loyaltyCurrencyId": s.LoyaltyCurrencyID}
		}
		s.transact(entry("a"), entry("b"), entry("a")).ok()
		for _, wallet := range []string{"a", "b"} {
			if got := s.held(wallet); !slices.Equal(got, []string{"3"}) {
				t.Errorf("%s has multipliers %v", wallet, got)
			}
		}
		if a, b := s.balance("a"), s.balance("b"); a != "10" || b != "5" {
			t.Errorf("balances %s and %s", a, b)
		}
		s.sound()
	})
}

// TestARetroactiveMultiplierRaisesCurrenciesThatItNames: however many others the website has.
func TestARetroactiveMultiplierRaisesCurrenciesThatItNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		last := ""
		for range 101 {
			last = s.post(currenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		}
		s.transact(object{"walletAddress": "w", "amount": 8, "loyaltyCurrencyId": last}).ok()
		rule := s.gift(
			"1.5",
			object{
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"metadata":          object{"isRetroactive": true, "multiplierLoyaltyCurrencyIds": []string{last}},
			},
		)
		s.complete(rule, object{"walletAddress": "w"}).ok()
		got := map[any]string{}
		for _, e := range s.get("/api/loyalty/transaction_entries?walletAddress=w&loyaltyRuleId=" + rule).data() {
			got[e["loyaltyCurrencyId"]] = e["amount"].(json.Number).String()
		}
		// The rule's own currency has its entry of nothing beside what the balance was raised by.
		if len(got) != 2 || got[last] != "4" || got[s.LoyaltyCurrencyID.String()] != "0" {
			t.Errorf("entries: %v", got)
		}
		s.sound()
	})
}
