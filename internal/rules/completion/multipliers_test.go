package completion_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestARuleGivesAMultiplier(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		gold := s.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		rule := s.CreateMultiplierRule("1.5", object{"metadata": object{"multiplierLoyaltyCurrencyIds": []any{gold}}})
		plain, golden := s.Free(
			object{"loyaltyCurrencyId": s.LoyaltyCurrencyID.String()},
		), s.Free(
			object{"loyaltyCurrencyId": gold},
		)
		s.Complete(rule, object{"walletAddress": apptest.Alice, "verifyOnly": true}).OK()
		if s.Count(apptest.MultipliersPath) != 0 || s.Count("/api/users") != 0 {
			t.Error("asking gave something")
		}
		got := s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()["data"].(object)
		want := object{
			"status":  "completed",
			"rewards": []any{object{"rewardType": "multiplier", "multiplier": json.Number("1.5")}},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("answered %v, want %v", got, want)
		}
		given := s.Get(apptest.MultipliersPath).Data()
		if len(given) != 1 || given[0]["loyaltyRuleId"] != rule || given[0]["loyaltyBadgeId"] != nil ||
			given[0]["user"].(object)["walletAddress"] != apptest.Alice ||
			!reflect.DeepEqual(given[0]["loyaltyCurrencyIds"], []any{gold}) ||
			given[0]["multiplier"] != json.Number("1.5") {
			t.Errorf("given: %v", given)
		}
		refusal := s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		if refusal["rewarded"] != true {
			t.Errorf("refused with %v", refusal)
		}
		s.Complete(
			rule,
			object{"walletAddress": apptest.Alice, "verifyOnly": true},
		).Refused(400, "You have already been rewarded")
		if s.CompletePaid(plain, apptest.Alice, nil) != "10" || s.CompletePaid(
			golden,
			apptest.Alice,
			nil,
		) != "15" || s.CompletePaid(golden, apptest.Bob, nil) != "10" {
			t.Error("it raises the wrong points")
		}
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK() // known before, without any
		if s.CompletePaid(golden, apptest.Bob, nil) != "15" {
			t.Error("it does not raise the points of who was known before")
		}
		s.Remove(apptest.MultipliersPath + "/" + given[0]["id"].(string))
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		if list := s.MultiplierValues(apptest.Alice); !slices.Equal(list, []string{"1.5"}) {
			t.Errorf("after the former ended: %v", list)
		}
		with := s.CreateMultiplierRule(2, object{"loyaltyCurrencyId": gold, "interval": "once"})
		entry := s.Complete(with, object{"walletAddress": apptest.Alice}).OK()["data"].(object)["loyaltyTransactionId"]
		list := s.Get(apptest.EntriesPath + "?loyaltyRuleId=" + with).Data()
		if len(list) != 1 || list[0]["loyaltyTransactionId"] != entry || list[0]["amount"] != json.Number("0") ||
			list[0]["loyaltyCurrencyId"] != gold {
			t.Errorf("a rule with a currency wrote %v", list)
		}
		s.Remove(apptest.CurrenciesPath + "/" + gold)
		s.Complete(with, object{"walletAddress": apptest.Bob}).OK() // nothing is paid in it
		if n := s.Count(apptest.EntriesPath + "?loyaltyRuleId=" + with); n != 1 {
			t.Errorf("%d entries of a currency that is deleted", n)
		}
		s.Sound()
	})
}

func TestOfManyCompletionsAtOnceOneGivesTheMultiplier(t *testing.T) {
	t.Parallel()
	several := apptest.Nodes(t)
	s := several[0]
	for i := range 9 {
		rule := s.CreateMultiplierRule(2, nil)
		member := apptest.Wallet(i)
		if i%3 == 1 {
			s.In(member, "family")
		}
		if i%3 == 2 {
			s.CompletePaid(s.Free(nil), member, nil)
		}
		ok := 0
		for _, got := range apptest.CallConcurrently(8, func(n int) apptest.Response {
			return several[n%len(several)].Complete(rule, object{"walletAddress": member})
		}) {
			if got.Status == http.StatusOK {
				ok++
			} else {
				got.Refused(400, "You have already been rewarded")
			}
		}
		if n := s.Count(apptest.MultipliersPath + "?walletAddress=" + member); ok != 1 || n != 1 {
			t.Errorf("member %d: %d completions gave %d multipliers", i, ok, n)
		}
	}
	s.Sound()
}

func TestABetterTierTakesThePlaceOfTheMultiplier(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		tiers := []any{
			object{"startRange": 1, "endRange": 9, "loyaltyMultiplierAmount": "1.2"},
			object{"startRange": 10, "endRange": 99, "loyaltyMultiplierAmount": 2},
			object{"startRange": 100, "endRange": 999},
		}
		for _, interval := range []string{"once", "daily", "unlimited"} {
			rule := s.CreateMultiplierRule(3, object{"interval": interval, "metadata": object{"range": tiers}})
			member := apptest.Wallet(len(interval))
			points := s.Free(nil)
			try := func(value int, want []string, raised, message string) {
				t.Helper()
				got := s.Complete(rule, object{"walletAddress": member, "rangeValue": value})
				if message == "" {
					got.OK()
				} else {
					got.Refused(400, message)
				}
				if list := s.MultiplierValues(member); !slices.Equal(list, want) {
					t.Errorf("%s, value %d: %v, want %v", interval, value, list, want)
				}
				if paid := s.CompletePaid(points, member, nil); paid != raised {
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
		if n := s.Count(apptest.MultipliersPath + "?includeDeleted=true"); n != 9 {
			t.Errorf("%d multipliers in all, want 9", n)
		}
	})
}

func TestAGroupHasTheMultiplierOfARuleOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateMultiplierRule(
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
		points := s.Free(nil)
		give := func(wallet string, value int) apptest.Response {
			return s.Complete(rule, object{"walletAddress": wallet, "rangeValue": value})
		}
		give(apptest.Alice, 1).OK()
		give(apptest.Bob, 1).OK()
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		if got := s.CompletePaid(points, apptest.Alice, nil); got != "20" {
			t.Errorf("of one rule twice: %s", got)
		}
		give(apptest.Alice, 1).Refused(400, "You have already been rewarded")
		give(apptest.Bob, 2).OK()
		if a, b := s.MultiplierValues(apptest.Alice), s.MultiplierValues(apptest.Bob); len(a) != 0 || !slices.Equal(b, []string{"3"}) {
			t.Errorf("after the better tier: %v and %v", a, b)
		}
		if got := s.CompletePaid(points, apptest.Alice, nil); got != "30" {
			t.Errorf("after the better tier: %s", got)
		}
		s.In(apptest.Bob, nil)
		if got := s.CompletePaid(points, apptest.Alice, nil); got != "10" {
			t.Errorf("without who has it: %s", got)
		}
	})
}

func TestARetroactiveMultiplierRaisesThePresentBalanceOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		own := s.LoyaltyCurrencyID.String()
		gold := s.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		give := func(wallet, currency, amount string) {
			s.Transact(object{"amount": amount, "walletAddress": wallet, "loyaltyCurrencyId": currency}).OK()
		}
		balances := func(wallet string) [2]string {
			var out [2]string
			for _, a := range s.Get("/api/loyalty/accounts?walletAddress=" + wallet).Data() {
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
		give(apptest.Alice, own, "10.000001")
		give(apptest.Alice, gold, "4")
		rule := s.CreateMultiplierRule("1.5", object{"name": "Back then", "metadata": object{"isRetroactive": true}})
		got := s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()["data"].(object)
		want("all currencies", apptest.Alice, "15.000002", "6")
		rewards := got["rewards"].([]any)
		if len(rewards) != 3 || rewards[0].(object)["multiplier"] != json.Number("1.5") {
			t.Errorf("answered %v", got)
		}
		entries := s.Get(apptest.EntriesPath + "?loyaltyTransactionId=" + got["loyaltyTransactionId"].(string)).Data()
		if len(entries) != 2 || entries[0]["type"] != "loyalty_rule" ||
			entries[0]["metadata"].(object)["retroactive"] != true ||
			entries[0]["loyaltyTransaction"].(object)["description"] != "Back then" {
			t.Errorf("entries %v", entries)
		}
		s.Remove(apptest.MultipliersPath + "/" + s.Get(apptest.MultipliersPath).Data()[0]["id"].(string))
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		want("the second time", apptest.Alice, "15.000002", "6")

		give(apptest.Bob, own, "10")
		give(apptest.Bob, gold, "4")
		s.Complete(s.CreateMultiplierRule(2, object{"metadata": object{"isRetroactive": true, "multiplierLoyaltyCurrencyIds": []any{gold}}}),
			object{"walletAddress": apptest.Bob}).
			OK()
		want("one currency", apptest.Bob, "10", "8")
		s.Complete(
			s.CreateMultiplierRule("0.5", object{"metadata": object{"isRetroactive": true}}),
			object{"walletAddress": apptest.Bob},
		).OK()
		want("less than one", apptest.Bob, "10", "8")
		carol := "0x0000000000000000000000000000000000000ca1"
		s.Complete(rule, object{"walletAddress": carol}).OK()
		want("nothing to raise", carol, "", "")
		apptest.CallConcurrently(8, func(i int) apptest.Response {
			if i%2 == 0 {
				return s.Transact(apptest.Points(apptest.Wallet(77), 10))
			}
			return s.Complete(rule, object{"walletAddress": apptest.Wallet(77)})
		})
		s.Sound()
	})
}

func TestBadMultiplierRulesAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		tier := func(properties object) object {
			return object{"metadata": object{"range": []any{apptest.Over(object{"startRange": 1, "endRange": 2}, properties)}}}
		}
		for _, c := range []struct {
			properties    object
			path, message string
		}{
			{object{"amount": nil}, "amount", "amount must be greater than 0"}, {object{"amount": 0}, "amount", "amount must be greater than 0"},
			{object{"amount": "0.009"}, "amount", "amount must be between 0.01 and 999.999999"}, {object{"amount": 1000}, "amount", "amount must be between 0.01 and 999.999999"},
			{apptest.Over(tier(nil), object{"amount": nil}), "metadata.range.0.loyaltyMultiplierAmount", "metadata.range.0.loyaltyMultiplierAmount is required"},
			{tier(object{"loyaltyMultiplierAmount": 1000}), "metadata.range.0.loyaltyMultiplierAmount", "metadata.range.0.loyaltyMultiplierAmount must be between 0.01 and 999.999999"},
		} {
			got := s.Post("/api/loyalty/rules", apptest.Over(object{"name": "N", "type": "external_rule", "rewardType": "multiplier", "amount": 2}, c.properties)).
				Refused(400, c.message)
			if got["errors"].([]any)[0].(object)["path"] != c.path {
				t.Errorf("%v: %v", c.properties, got)
			}
		}
		rule := s.CreateMultiplierRule(2, nil)
		for _, amount := range []any{0, 1000} {
			got := s.Complete(rule, object{"walletAddress": apptest.Alice, "amount": amount}).Refused(400, "Invalid request")
			if fault := got["errors"].([]any)[0].(object)["message"]; fault != "amount must be between 0.01 and 999.999999" {
				t.Errorf("an override of %v: %v", amount, fault)
			}
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice, "amount": "4.5"}).OK()
		if list := s.MultiplierValues(apptest.Alice); !slices.Equal(list, []string{"4.5"}) {
			t.Errorf("an override gave %v", list)
		}
	})
}
