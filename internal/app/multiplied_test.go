package app_test

import (
	"encoding/json"
	"net/http"
	"testing"
)

// earned completes a rule for a wallet and returns what it paid.
func (s *server) earned(rule, wallet string, body object) string {
	s.t.Helper()
	rewards := s.complete(rule, over(object{"walletAddress": wallet}, body)).ok()["data"].(object)["rewards"].([]any)
	return rewards[0].(object)["amount"].(json.Number).String()
}

func TestMultipliersRaiseWhatRulesPay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		carol := "0x0000000000000000000000000000000000000ca1"
		gold := s.post(currenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		points := object{"loyaltyCurrencyId": s.LoyaltyCurrencyID.String(), "interval": "unlimited", "amount": 10}
		plain := s.rule("external_rule", points)
		skipping := s.rule("external_rule", over(points, object{"metadata": object{"skipMultiplier": true}}))
		capped := s.rule("external_rule", over(points, object{"maxAmountInterval": "lifetime", "maxAmountPerInterval": 25}))
		golden := s.rule("external_rule", over(points, object{"loyaltyCurrencyId": gold}))
		want := func(when, rule, wallet, amount string, body object) {
			t.Helper()
			if got := s.earned(rule, wallet, body); got != amount {
				t.Errorf("%s: paid %s, want %s", when, got, amount)
			}
		}
		want("without any", plain, alice, "10", nil)
		first := s.multiply(alice, 2, nil)
		want("one", plain, alice, "20", nil)
		s.multiply(alice, 3, object{"loyaltyCurrencyIds": []any{gold}})
		want("one of another currency", plain, alice, "20", nil)
		want("both", golden, alice, "40", nil)
		want("skipped", skipping, alice, "10", nil)
		want("of somebody else", plain, carol, "10", nil)
		want("an override", plain, alice, "2.469134", object{"amount": "1.234567"})
		want("within the cap", capped, alice, "20", nil)
		want("what the cap leaves", capped, alice, "5", nil)
		s.complete(capped, object{"walletAddress": alice}).refused(400, "You have already been rewarded")

		s.post(multipliersPath+"/"+first, object{"multiplier": "1.000001"}).ok()
		want("changed, half away from zero", plain, alice, "0.500001", object{"amount": "0.5"})
		want("changed, below a half", plain, alice, "0.499999", object{"amount": "0.499999"})
		s.post(multipliersPath+"/"+first, object{"multiplier": "0.5"}).ok()
		want("less than one", plain, alice, "5", nil)
		want("the smallest amount", plain, alice, "0.000001", object{"amount": "0.000001"})
		s.remove(multipliersPath + "/" + first)
		want("deleted", plain, alice, "10", nil)

		s.transact(object{"amount": 100, "walletAddress": alice}).ok()
		before := s.balance(bob)
		s.multiply(bob, 5, nil)
		s.transact(object{"amount": 7, "walletAddress": bob}).ok()
		if got := s.balance(bob); before != "" || got != "7" {
			t.Errorf("a caller's transaction credited %s", got)
		}
		s.multiply(bob, "999.999999", nil)
		s.multiply(bob, "999.999999", nil)
		s.complete(plain, object{"walletAddress": bob, "amount": 8_999_999_999_999}).refused(400, "Invalid request")
		want("beyond all amounts, but capped", capped, bob, "25", object{"amount": 8_999_999_999_999})
		s.sound()
	})
}

func TestAGroupPoolsItsMultipliers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"interval": "unlimited", "amount": 10})
		want := func(when, wallet, amount string) {
			t.Helper()
			if got := s.earned(rule, wallet, nil); got != amount {
				t.Errorf("%s: paid %s, want %s", when, got, amount)
			}
		}
		want("alone", alice, "10")
		want("alone", bob, "10")
		s.in(alice, "family")
		s.in(bob, "family")
		want("together, without any", alice, "10")
		of := s.multiply(bob, 2, nil)
		want("of the mate", alice, "20")
		want("its own", bob, "20")
		s.multiply(alice, 3, nil)
		want("both", alice, "40")
		want("both", bob, "40")
		s.in(bob, nil)
		want("after the other left", alice, "30")
		want("after it left", bob, "20")
		s.in(bob, "family")
		want("together again", alice, "40")
		s.remove(multipliersPath + "/" + of)
		want("deleted", alice, "30")
		s.sound()
	})
}

// TestAMultiplierCountsFromItsAnswerOn gives multipliers while completions run: each completion that begins after the
// answer is raised.
func TestAMultiplierCountsFromItsAnswerOn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"interval": "unlimited", "amount": 1})
		for i := range 12 {
			member := wallet(i)
			if i%3 > 0 {
				s.earned(rule, member, nil) // this node remembers the member as one without
			}
			if i%3 > 1 {
				s.in(member, "family")
			}
			atOnce(4, func(n int) answer {
				if n == 0 {
					s.multiply(member, 2, nil)
					return s.complete(rule, object{"walletAddress": member})
				}
				return s.complete(rule, object{"walletAddress": member})
			})
			got := s.complete(rule, object{"walletAddress": member}).ok()["data"].(object)["rewards"].([]any)[0].(object)["amount"].(json.Number).String()
			if i%3 < 2 && got != "2" {
				t.Errorf("member %d was paid %s after its multiplier was given", i, got)
			}
		}
		s.sound()
	})
}

func TestVerifyOnlySeesMultipliersAndWritesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"amount": 1})
		s.multiply(alice, "999.999999", nil)
		body := object{"walletAddress": alice, "verifyOnly": true, "amount": 8_999_999_999_999}
		s.complete(rule, body).refused(400, "Invalid request")
		body["amount"] = 1
		s.complete(rule, body).ok()
		if s.count(entriesPath) != 0 || s.call(s.WebsiteAPIKey, http.MethodGet, multipliersPath, nil).status != 200 {
			t.Error("asking wrote entries")
		}
	})
}
