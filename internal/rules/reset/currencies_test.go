package reset_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestAResetTakesBalancesToZeroAndKeepsWindows(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("check_in", object{"interval": "daily"})
		for i := range 3 {
			s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).OK()
		}
		s.Transact(apptest.Points(apptest.Wallet(1), 90.5)).OK()
		s.Transact(apptest.Points(apptest.Wallet(2), 10, apptest.Debit)).OK()
		other := s.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		s.Transact(apptest.Points(apptest.Wallet(0), 7, object{"loyaltyCurrencyId": other})).OK()
		if got := s.Reset("balances"); got.Body != `{"success":true}` {
			t.Errorf("the answer is %s", got.Body)
		}
		for i := range 3 {
			if got := s.Balance(apptest.Wallet(i)); got != "0" {
				t.Errorf("wallet %d has %s", i, got)
			}
			s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).Refused(400, "You have already been rewarded")
		}
		if got := s.Get("/api/loyalty/accounts?loyaltyCurrencyId=" + other).Data()[0]["amount"]; got != json.Number("7") {
			t.Errorf("the other currency has %v", got)
		}
		entries := s.Get("/api/loyalty/transaction_entries?type=api_key&direction=debit&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).
			Data()
		if len(entries) != 3 { // wallet 2 had nothing: that one debit was the caller's
			t.Fatalf("%d debits: %v", len(entries), entries)
		}
		resets := map[any]int{}
		for _, e := range entries {
			if e["loyaltyTransaction"].(object)["description"] == "Currency reset" {
				resets[e["loyaltyTransactionId"]]++
			}
		}
		if len(resets) != 1 {
			t.Errorf("the reset is of %d transactions", len(resets))
		}
		jobs := s.Get("/api/loyalty/clearing_jobs?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).Data()
		if len(jobs) != 1 || jobs[0]["status"] != "complete" || jobs[0]["accounts"] != json.Number("2") ||
			jobs[0]["amount"] != json.Number("110.5") ||
			jobs[0]["type"] != "loyalty_reset_balances" {
			t.Errorf("completionjobs: %v", jobs)
		}
		s.Reset("balances").OK()
		s.Sound()
	})
}

func TestAResetWithDataOpensWindowsAgain(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"balances_data_not_rules", "balances_data_and_rules"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			apptest.Each(t, func(t *testing.T, s *apptest.Server) {
				gold := s.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
				own := object{"loyaltyCurrencyId": s.LoyaltyCurrencyID}
				rule, other := s.Rule("check_in", own), s.Rule("check_in", object{"loyaltyCurrencyId": gold})
				progress := s.Rule("external_rule", object{"loyaltyCurrencyId": s.LoyaltyCurrencyID, "trackProgress": true})
				s.Post("/api/users/metadatas", object{"walletAddress": apptest.Bob, "userGroupExternalIdentifier": "family"}).OK()
				s.Post(
					"/api/users/metadatas",
					object{"walletAddress": apptest.Wallet(7), "userGroupExternalIdentifier": "family"},
				).OK()
				for _, r := range []string{rule, other} {
					s.Complete(r, object{"walletAddress": apptest.Alice}).OK()
					s.Complete(r, object{"walletAddress": apptest.Bob}).OK()
					s.Complete(r, object{"walletAddress": apptest.Wallet(7)}).Refused(400, "You have already been rewarded")
				}
				// who has no account
				s.Post(
					"/api/loyalty/rule_statuses",
					object{"loyaltyRuleId": progress, "walletAddress": apptest.Wallet(9), "progress": 50},
				).
					OK()
				s.Reset(kind).OK()
				if n := s.Count("/api/loyalty/rule_statuses?loyaltyRuleId=" + rule); n != 0 {
					t.Errorf("%d statuses are left", n)
				}
				if n := s.Count("/api/loyalty/rule_statuses?loyaltyRuleId=" + progress); n != 0 {
					t.Errorf("%d statuses of who has no account are left", n)
				}
				if n := s.Count("/api/loyalty/rule_statuses?loyaltyRuleId=" + other); n != 2 {
					t.Errorf("%d statuses of the other currency", n)
				}
				s.Complete(other, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
				if kind == "balances_data_and_rules" {
					s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(404, "Loyalty rule not found")
					if n := s.Count("/api/loyalty/rules"); n != 1 {
						t.Errorf("%d rules are left", n)
					}
					edit := s.Get("/api/loyalty/rule_edits?limit=1&loyaltyRuleId=" + rule + "&organizationId=" + s.OrganizationID.String()).Data()[0]
					if edit["action"] != "delete" || edit["comment"] != "Currency reset" {
						t.Errorf("the edit: %v", edit)
					}
					s.Post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).OK()
				}
				s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
				s.Complete(rule, object{"walletAddress": apptest.Wallet(7)}).OK()
				s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(400, "You have already been rewarded")
				if a, b := s.Balance(apptest.Alice), s.Balance(apptest.Bob); a != "10" || b != "0" {
					t.Errorf("balances: %s and %s", a, b)
				}
				s.Sound()
			})
		})
	}
}

func TestAResetWithDataForgetsAnswers(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("quiz", nil)
		question := s.Post("/api/loyalty/questions", object{"loyaltyRuleId": rule, "questionText": "Which?", "loyaltyQuestionAnswers": []any{
			object{
				"text":           "This",
				"isCorrect":      true,
				"sortIdentifier": 1,
			},
			object{"text": "That", "isCorrect": false, "sortIdentifier": 2},
		}}).
			OK()
		choices := question["loyaltyQuestionChoices"].([]any)
		right, wrong := choices[0].(object)["id"], choices[1].(object)["id"]
		s.Complete(rule, object{"walletAddress": apptest.Alice, "loyaltyQuestionChoiceId": wrong}).
			Refused(400, "Invalid choice selected")
		s.Complete(rule, object{"walletAddress": apptest.Bob, "loyaltyQuestionChoiceId": right}).OK()
		s.Reset("balances_data_not_rules").OK()
		if n := s.Count("/api/loyalty/questions_responses"); n != 0 {
			t.Errorf("%d responses are left", n)
		}
		for _, who := range []string{apptest.Alice, apptest.Bob} {
			s.Complete(rule, object{"walletAddress": who, "loyaltyQuestionChoiceId": right}).OK()
			if got := s.Balance(who); got != "10" {
				t.Errorf("%s has %s", who, got)
			}
		}
	})
}

func TestBadResetsAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		kinds := "type must be one of: loyalty_reset_balances, loyalty_reset_balances_data_and_rules, loyalty_reset_balances_data_not_rules"
		s.Post(apptest.ResetPath, object{"type": "loyalty_reset_balances"}).Refused(400, "loyaltyCurrencyId is required")
		s.Post(apptest.ResetPath, object{"loyaltyCurrencyId": s.LoyaltyCurrencyID}).Refused(400, "type is required")
		s.Reset("everything").Refused(400, kinds)
		s.Post(apptest.ResetPath, object{"loyaltyCurrencyId": apptest.SecondUnknownID, "type": "loyalty_reset_balances"}).
			Refused(404, "Loyalty currency not found")
		s.Call(s.WebsiteAPIKey, "DELETE", apptest.CurrenciesPath+"/"+s.LoyaltyCurrencyID.String(), nil).OK()
		s.Reset("balances").Refused(404, "Loyalty currency not found")
	})
}

// A member who is paid while a currency is reset with data either keeps the points with their window or has neither.
func TestCompletionsDuringAResetAreNeitherLostNorPaidTwice(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("check_in", object{"interval": "once"})
		const people = 40
		for i := range people {
			if i%2 == 0 {
				s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).OK()
			}
		}
		var wg sync.WaitGroup
		for n := range 4 {
			wg.Go(func() {
				for i := n; i < 3*people; i += 4 {
					if got := s.Complete(
						rule,
						object{"walletAddress": apptest.Wallet(i % people)},
					); got.Status != 200 && got.Status != 400 {
						t.Errorf("completion: %d %s", got.Status, got.Body)
					}
				}
			})
		}
		wg.Go(func() {
			for range 3 {
				s.Reset("balances_data_not_rules").OK()
			}
		})
		wg.Wait()
		for i := range people {
			before := s.Balance(apptest.Wallet(i))
			got := s.Complete(rule, object{"walletAddress": apptest.Wallet(i)})
			if (before == "10") != (got.Status == 400) || before != "10" && before != "0" && before != "" {
				t.Errorf("wallet %d had %s and was answered %d %s", i, before, got.Status, got.Body)
			}
		}
		s.Sound()
	})
}

func TestResetsAtOnceAreCarriedOutOneAfterTheOther(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 5), apptest.Points(apptest.Bob, 6)).OK()
		body := object{"loyaltyCurrencyId": s.LoyaltyCurrencyID, "type": "loyalty_reset_balances"}
		var wg sync.WaitGroup
		for n := range 6 {
			wg.Go(func() {
				if n < 3 {
					s.Reset("balances").OK()
				} else if got := s.Call(s.WebsiteAPIKey, "POST", apptest.ResetPath, body, "Idempotency-Key", "one"); got.Body != `{"success":true}` {
					t.Errorf("%d %s", got.Status, got.Body)
				}
			})
		}
		wg.Wait()
		if n := s.Count("/api/loyalty/clearing_jobs?status=complete"); n != 4 {
			t.Errorf("%d resets, want 4", n)
		}
		if n := s.Count("/api/loyalty/transaction_entries?direction=debit"); n != 2 {
			t.Errorf("%d debits, want 2", n)
		}
		s.Sound()
	})
}

func TestRanksFollowAReset(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for i := range 5 {
			s.Transact(apptest.Points(apptest.Wallet(i), 10*(i+1))).OK()
		}
		rank := func(i int) any {
			return s.Get(fmt.Sprintf("/api/loyalty/accounts/%s/rank?websiteId=%s&organizationId=%s&loyaltyCurrencyId=%s", s.Account(apptest.Wallet(i)), s.WebsiteID, s.OrganizationID,
				s.LoyaltyCurrencyID)).OK()["rank"]
		}
		if got := rank(0); got != json.Number("5") {
			t.Fatalf("the rank is %v", got)
		}
		if err := s.App.Ledger.RefreshCutoffs(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.Reset("balances").OK()
		s.Transact(apptest.Points(apptest.Wallet(0), 1)).OK()
		if first, none := rank(0), rank(1); first != json.Number("1") || none != nil {
			t.Errorf("ranks after the reset: %v and %v", first, none)
		}
	})
}

func TestPointsThatWaitAreResetToo(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(10, 24)
		rule := s.Rule("external_rule", object{"interval": "unlimited"})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Transact(apptest.Points(apptest.Alice, 5)).OK()
		s.Reset("balances").OK()
		s.CheckLots(apptest.Alice, "0", "cancelled 10 0", "spent 5 0")
		s.AdvanceAndExpire(48 * time.Hour)
		s.CheckLots(apptest.Alice, "0", "cancelled 10 0", "spent 5 0")
	})
}
