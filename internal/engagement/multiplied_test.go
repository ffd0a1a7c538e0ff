package engagement_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestMultipliersRaiseWhatRulesPay(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		carol := "0x0000000000000000000000000000000000000ca1"
		gold := s.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		points := object{"loyaltyCurrencyId": s.LoyaltyCurrencyID.String(), "interval": "unlimited", "amount": 10}
		plain := s.Rule("external_rule", points)
		skipping := s.Rule("external_rule", apptest.Over(points, object{"metadata": object{"skipMultiplier": true}}))
		capped := s.Rule(
			"external_rule",
			apptest.Over(points, object{"maxAmountInterval": "lifetime", "maxAmountPerInterval": 25}),
		)
		golden := s.Rule("external_rule", apptest.Over(points, object{"loyaltyCurrencyId": gold}))
		want := func(when, rule, wallet, amount string, body object) {
			t.Helper()
			if got := s.CompletePaid(rule, wallet, body); got != amount {
				t.Errorf("%s: paid %s, want %s", when, got, amount)
			}
		}
		want("without any", plain, apptest.Alice, "10", nil)
		first := s.GrantMultiplier(apptest.Alice, 2, nil)
		want("one", plain, apptest.Alice, "20", nil)
		s.GrantMultiplier(apptest.Alice, 3, object{"loyaltyCurrencyIds": []any{gold}})
		want("one of another currency", plain, apptest.Alice, "20", nil)
		want("both", golden, apptest.Alice, "40", nil)
		want("skipped", skipping, apptest.Alice, "10", nil)
		want("of somebody else", plain, carol, "10", nil)
		want("an override", plain, apptest.Alice, "2.469134", object{"amount": "1.234567"})
		want("within the cap", capped, apptest.Alice, "20", nil)
		want("what the cap leaves", capped, apptest.Alice, "5", nil)
		s.Complete(capped, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")

		s.Post(apptest.MultipliersPath+"/"+first, object{"multiplier": "1.000001"}).OK()
		want("changed, half away from zero", plain, apptest.Alice, "0.500001", object{"amount": "0.5"})
		want("changed, below a half", plain, apptest.Alice, "0.499999", object{"amount": "0.499999"})
		s.Post(apptest.MultipliersPath+"/"+first, object{"multiplier": "0.5"}).OK()
		want("less than one", plain, apptest.Alice, "5", nil)
		want("the smallest amount", plain, apptest.Alice, "0.000001", object{"amount": "0.000001"})
		s.Remove(apptest.MultipliersPath + "/" + first)
		want("deleted", plain, apptest.Alice, "10", nil)

		s.Transact(object{"amount": 100, "walletAddress": apptest.Alice}).OK()
		before := s.Balance(apptest.Bob)
		s.GrantMultiplier(apptest.Bob, 5, nil)
		s.Transact(object{"amount": 7, "walletAddress": apptest.Bob}).OK()
		if got := s.Balance(apptest.Bob); before != "" || got != "7" {
			t.Errorf("a caller's transaction credited %s", got)
		}
		s.GrantMultiplier(apptest.Bob, "999.999999", nil)
		s.GrantMultiplier(apptest.Bob, "999.999999", nil)
		s.Complete(plain, object{"walletAddress": apptest.Bob, "amount": 8_999_999_999_999}).Refused(400, "Invalid request")
		want("beyond all amounts, but capped", capped, apptest.Bob, "25", object{"amount": 8_999_999_999_999})
		s.Sound()
	})
}

func TestAGroupPoolsItsMultipliers(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"interval": "unlimited", "amount": 10})
		want := func(when, wallet, amount string) {
			t.Helper()
			if got := s.CompletePaid(rule, wallet, nil); got != amount {
				t.Errorf("%s: paid %s, want %s", when, got, amount)
			}
		}
		want("alone", apptest.Alice, "10")
		want("alone", apptest.Bob, "10")
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		want("together, without any", apptest.Alice, "10")
		of := s.GrantMultiplier(apptest.Bob, 2, nil)
		want("of the mate", apptest.Alice, "20")
		want("its own", apptest.Bob, "20")
		s.GrantMultiplier(apptest.Alice, 3, nil)
		want("both", apptest.Alice, "40")
		want("both", apptest.Bob, "40")
		s.In(apptest.Bob, nil)
		want("after the other left", apptest.Alice, "30")
		want("after it left", apptest.Bob, "20")
		s.In(apptest.Bob, "family")
		want("together again", apptest.Alice, "40")
		s.Remove(apptest.MultipliersPath + "/" + of)
		want("deleted", apptest.Alice, "30")
		s.Sound()
	})
}

// TestAMultiplierCountsFromItsAnswerOn gives multipliers while completions run: each completion that begins after the
// answer is raised.
func TestAMultiplierCountsFromItsAnswerOn(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"interval": "unlimited", "amount": 1})
		for i := range 12 {
			member := apptest.Wallet(i)
			if i%3 > 0 {
				s.CompletePaid(rule, member, nil) // this node remembers the member as one without
			}
			if i%3 > 1 {
				s.In(member, "family")
			}
			apptest.CallConcurrently(4, func(n int) apptest.Response {
				if n == 0 {
					s.GrantMultiplier(member, 2, nil)
					return s.Complete(rule, object{"walletAddress": member})
				}
				return s.Complete(rule, object{"walletAddress": member})
			})
			got := s.Complete(rule, object{"walletAddress": member}).OK()["data"].(object)["rewards"].([]any)[0].(object)["amount"].(json.Number).String()
			if i%3 < 2 && got != "2" {
				t.Errorf("member %d was paid %s after its multiplier was given", i, got)
			}
		}
		s.Sound()
	})
}

func TestVerifyOnlySeesMultipliersAndWritesNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"amount": 1})
		s.GrantMultiplier(apptest.Alice, "999.999999", nil)
		body := object{"walletAddress": apptest.Alice, "verifyOnly": true, "amount": 8_999_999_999_999}
		s.Complete(rule, body).Refused(400, "Invalid request")
		body["amount"] = 1
		s.Complete(rule, body).OK()
		if s.Count(apptest.EntriesPath) != 0 || s.Call(
			s.WebsiteAPIKey,
			http.MethodGet,
			apptest.MultipliersPath,
			nil,
		).Status != 200 {
			t.Error("asking wrote entries")
		}
	})
}
