package app_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"testing"
)

// gift makes a rule that gives a multiplier.
func (s *server) gift(value any, properties object) string {
	s.t.Helper()
	return s.post("/api/loyalty/rules", over(object{"name": "A gift", "type": "external_rule", "rewardType": "multiplier", "amount": value, "interval": "unlimited"}, properties)).ok()["id"].(string)
}

// held returns the values of a wallet's live multipliers, the newest first.
func (s *server) held(wallet string) []string {
	s.t.Helper()
	values := []string{}
	for _, m := range s.get(multipliersPath + "?walletAddress=" + wallet).data() {
		values = append(values, m["multiplier"].(json.Number).String())
	}
	return values
}

func TestARuleGivesAMultiplier(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		gold := s.post(currenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		rule := s.gift("1.5", object{"metadata": object{"multiplierLoyaltyCurrencyIds": []any{gold}}})
		plain, golden := s.free(
			object{"loyaltyCurrencyId": s.LoyaltyCurrencyID.String()},
		), s.free(
			object{"loyaltyCurrencyId": gold},
		)
		s.complete(rule, object{"walletAddress": alice, "verifyOnly": true}).ok()
		if s.count(multipliersPath) != 0 || s.count("/api/users") != 0 {
			t.Error("asking gave something")
		}
		got := s.complete(rule, object{"walletAddress": alice}).ok()["data"].(object)
		want := object{
			"status":  "completed",
			"rewards": []any{object{"rewardType": "multiplier", "multiplier": json.Number("1.5")}},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("answered %v, want %v", got, want)
		}
		given := s.get(multipliersPath).data()
		if len(given) != 1 || given[0]["loyaltyRuleId"] != rule || given[0]["loyaltyBadgeId"] != nil ||
			given[0]["user"].(object)["walletAddress"] != alice ||
			!reflect.DeepEqual(given[0]["loyaltyCurrencyIds"], []any{gold}) ||
			given[0]["multiplier"] != json.Number("1.5") {
			t.Errorf("given: %v", given)
		}
		refusal := s.complete(rule, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		if refusal["rewarded"] != true {
			t.Errorf("refused with %v", refusal)
		}
		s.complete(rule, object{"walletAddress": alice, "verifyOnly": true}).refused(400, "You have already been rewarded")
		if s.earned(plain, alice, nil) != "10" || s.earned(golden, alice, nil) != "15" || s.earned(golden, bob, nil) != "10" {
			t.Error("it raises the wrong points")
		}
		s.complete(rule, object{"walletAddress": bob}).ok() // known before, without any
		if s.earned(golden, bob, nil) != "15" {
			t.Error("it does not raise the points of who was known before")
		}
		s.remove(multipliersPath + "/" + given[0]["id"].(string))
		s.complete(rule, object{"walletAddress": alice}).ok()
		if list := s.held(alice); !slices.Equal(list, []string{"1.5"}) {
			t.Errorf("after the former ended: %v", list)
		}
		with := s.gift(2, object{"loyaltyCurrencyId": gold, "interval": "once"})
		entry := s.complete(with, object{"walletAddress": alice}).ok()["data"].(object)["loyaltyTransactionId"]
		list := s.get(entriesPath + "?loyaltyRuleId=" + with).data()
		if len(list) != 1 || list[0]["loyaltyTransactionId"] != entry || list[0]["amount"] != json.Number("0") ||
			list[0]["loyaltyCurrencyId"] != gold {
			t.Errorf("a rule with a currency wrote %v", list)
		}
		s.remove(currenciesPath + "/" + gold)
		s.complete(with, object{"walletAddress": bob}).ok() // nothing is paid in it
		if n := s.count(entriesPath + "?loyaltyRuleId=" + with); n != 1 {
			t.Errorf("%d entries of a currency that is deleted", n)
		}
		s.sound()
	})
}

func TestOfManyCompletionsAtOnceOneGivesTheMultiplier(t *testing.T) {
	t.Parallel()
	several := nodes(t)
	s := several[0]
	for i := range 9 {
		rule := s.gift(2, nil)
		member := wallet(i)
		if i%3 == 1 {
			s.in(member, "family")
		}
		if i%3 == 2 {
			s.earned(s.free(nil), member, nil)
		}
		ok := 0
		for _, got := range atOnce(8, func(n int) answer { return several[n%len(several)].complete(rule, object{"walletAddress": member}) }) {
			if got.status == http.StatusOK {
				ok++
			} else {
				got.refused(400, "You have already been rewarded")
			}
		}
		if n := s.count(multipliersPath + "?walletAddress=" + member); ok != 1 || n != 1 {
			t.Errorf("member %d: %d completions gave %d multipliers", i, ok, n)
		}
	}
	s.sound()
}

func TestABetterTierTakesThePlaceOfTheMultiplier(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		tiers := []any{
			object{"startRange": 1, "endRange": 9, "loyaltyMultiplierAmount": "1.2"},
			object{"startRange": 10, "endRange": 99, "loyaltyMultiplierAmount": 2},
			object{"startRange": 100, "endRange": 999},
		}
		for _, interval := range []string{"once", "daily", "unlimited"} {
			rule := s.gift(3, object{"interval": interval, "metadata": object{"range": tiers}})
			member := wallet(len(interval))
			points := s.free(nil)
			try := func(value int, want []string, raised, message string) {
				t.Helper()
				got := s.complete(rule, object{"walletAddress": member, "rangeValue": value})
				if message == "" {
					got.ok()
				} else {
					got.refused(400, message)
				}
				if list := s.held(member); !slices.Equal(list, want) {
					t.Errorf("%s, value %d: %v, want %v", interval, value, list, want)
				}
				if paid := s.earned(points, member, nil); paid != raised {
					t.Errorf("%s, value %d: %s points, want %s", interval, value, paid, raised)
				}
			}
			try(0, []string{}, "10", "Quest not achieved, please try again.")
			try(9, []string{"1.2"}, "12", "")
			try(1, []string{"1.2"}, "12", "You have already been rewarded")
			try(50, []string{"2"}, "20", "")
			try(5, []string{"2"}, "20", "You have already been rewarded")
			try(0, []string{"2"}, "20", "You have already been rewarded")
			try(5000, []string{"3"}, "30", "")
			try(500, []string{"3"}, "30", "You have already been rewarded")
		}
		if n := s.count(multipliersPath + "?includeDeleted=true"); n != 9 {
			t.Errorf("%d multipliers in all, want 9", n)
		}
	})
}

func TestAGroupHasTheMultiplierOfARuleOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.gift(
			nil,
			object{
				"metadata": object{
					"range": []any{
						object{"startRange": 1, "endRange": 1, "loyaltyMultiplierAmount": 2},
						object{"startRange": 2, "endRange": 2, "loyaltyMultiplierAmount": 3},
					},
				},
			},
		)
		points := s.free(nil)
		give := func(wallet string, value int) answer {
			return s.complete(rule, object{"walletAddress": wallet, "rangeValue": value})
		}
		give(alice, 1).ok()
		give(bob, 1).ok()
		s.in(alice, "family")
		s.in(bob, "family")
		if got := s.earned(points, alice, nil); got != "20" {
			t.Errorf("of one rule twice: %s", got)
		}
		give(alice, 1).refused(400, "You have already been rewarded")
		give(bob, 2).ok()
		if a, b := s.held(alice), s.held(bob); len(a) != 0 || !slices.Equal(b, []string{"3"}) {
			t.Errorf("after the better tier: %v and %v", a, b)
		}
		if got := s.earned(points, alice, nil); got != "30" {
			t.Errorf("after the better tier: %s", got)
		}
		s.in(bob, nil)
		if got := s.earned(points, alice, nil); got != "10" {
			t.Errorf("without who has it: %s", got)
		}
	})
}

func TestARetroactiveMultiplierRaisesThePresentBalanceOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		own := s.LoyaltyCurrencyID.String()
		gold := s.post(currenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		give := func(wallet, currency, amount string) {
			s.transact(object{"amount": amount, "walletAddress": wallet, "loyaltyCurrencyId": currency}).ok()
		}
		balances := func(wallet string) [2]string {
			var out [2]string
			for _, a := range s.get("/api/loyalty/accounts?walletAddress=" + wallet).data() {
				i := 0
				if a["loyaltyCurrencyId"] == gold {
					i = 1
				}
				out[i] = a["amount"].(json.Number).String()
			}
			return out
		}
		want := func(when, wallet string, points, gold string) {
			t.Helper()
			if got := balances(wallet); got != [2]string{points, gold} {
				t.Errorf("%s: %v, want %s and %s", when, got, points, gold)
			}
		}
		give(alice, own, "10.000001")
		give(alice, gold, "4")
		rule := s.gift("1.5", object{"name": "Back then", "metadata": object{"isRetroactive": true}})
		got := s.complete(rule, object{"walletAddress": alice}).ok()["data"].(object)
		want("all currencies", alice, "15.000002", "6")
		rewards := got["rewards"].([]any)
		if len(rewards) != 3 || rewards[0].(object)["multiplier"] != json.Number("1.5") {
			t.Errorf("answered %v", got)
		}
		entries := s.get(entriesPath + "?loyaltyTransactionId=" + got["loyaltyTransactionId"].(string)).data()
		if len(entries) != 2 || entries[0]["type"] != "loyalty_rule" ||
			entries[0]["metadata"].(object)["retroactive"] != true ||
			entries[0]["loyaltyTransaction"].(object)["description"] != "Back then" {
			t.Errorf("entries %v", entries)
		}
		s.remove(multipliersPath + "/" + s.get(multipliersPath).data()[0]["id"].(string))
		s.complete(rule, object{"walletAddress": alice}).ok()
		want("the second time", alice, "15.000002", "6")

		give(bob, own, "10")
		give(bob, gold, "4")
		s.complete(s.gift(2, object{"metadata": object{"isRetroactive": true, "multiplierLoyaltyCurrencyIds": []any{gold, unknownID, s.program("Rival").LoyaltyCurrencyID.String()}}}),
			object{"walletAddress": bob}).
			ok()
		want("one currency", bob, "10", "8")
		s.complete(s.gift("0.5", object{"metadata": object{"isRetroactive": true}}), object{"walletAddress": bob}).ok()
		want("less than one", bob, "10", "8")
		carol := "0x0000000000000000000000000000000000000ca1"
		s.complete(rule, object{"walletAddress": carol}).ok()
		want("nothing to raise", carol, "", "")
		atOnce(8, func(i int) answer {
			if i%2 == 0 {
				return s.transact(points(wallet(77), 10))
			}
			return s.complete(rule, object{"walletAddress": wallet(77)})
		})
		s.sound()
	})
}

func TestBadMultiplierRulesAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		tier := func(properties object) object {
			return object{"metadata": object{"range": []any{over(object{"startRange": 1, "endRange": 2}, properties)}}}
		}
		for _, c := range []struct {
			properties    object
			path, message string
		}{
			{object{"amount": nil}, "amount", "amount must be greater than 0"}, {object{"amount": 0}, "amount", "amount must be greater than 0"},
			{object{"amount": "0.009"}, "amount", "amount must be between 0.01 and 999.999999"}, {object{"amount": 1000}, "amount", "amount must be between 0.01 and 999.999999"},
			{over(tier(nil), object{"amount": nil}), "metadata.range.0.loyaltyMultiplierAmount", "metadata.range.0.loyaltyMultiplierAmount is required"},
			{tier(object{"loyaltyMultiplierAmount": 1000}), "metadata.range.0.loyaltyMultiplierAmount", "metadata.range.0.loyaltyMultiplierAmount must be between 0.01 and 999.999999"},
		} {
			got := s.post("/api/loyalty/rules", over(object{"name": "N", "type": "external_rule", "rewardType": "multiplier", "amount": 2}, c.properties)).
				refused(400, c.message)
			if got["errors"].([]any)[0].(object)["path"] != c.path {
				t.Errorf("%v: %v", c.properties, got)
			}
		}
		rule := s.gift(2, nil)
		for _, amount := range []any{0, 1000} {
			got := s.complete(rule, object{"walletAddress": alice, "amount": amount}).refused(400, "Invalid request")
			if fault := got["errors"].([]any)[0].(object)["message"]; fault != "amount must be between 0.01 and 999.999999" {
				t.Errorf("an override of %v: %v", amount, fault)
			}
		}
		s.complete(rule, object{"walletAddress": alice, "amount": "4.5"}).ok()
		if list := s.held(alice); !slices.Equal(list, []string{"4.5"}) {
			t.Errorf("an override gave %v", list)
		}
	})
}
