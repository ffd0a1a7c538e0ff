package app_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"
)

const resetPath = "/api/loyalty/reset"

// reset resets the program's currency.
func (s *server) reset(kind string) answer {
	s.t.Helper()
	return s.post(resetPath, object{"loyaltyCurrencyId": s.LoyaltyCurrencyID, "type": "loyalty_reset_" + kind})
}

func TestAResetTakesBalancesToZeroAndKeepsWindows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("check_in", object{"interval": "daily"})
		for i := range 3 {
			s.complete(rule, object{"walletAddress": wallet(i)}).ok()
		}
		s.transact(points(wallet(1), 90.5)).ok()
		s.transact(points(wallet(2), 10, debit)).ok()
		other := s.post(currenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		s.transact(points(wallet(0), 7, object{"loyaltyCurrencyId": other})).ok()
		if got := s.reset("balances"); got.body != `{"success":true}` {
			t.Errorf("the answer is %s", got.body)
		}
		for i := range 3 {
			if got := s.balance(wallet(i)); got != "0" {
				t.Errorf("wallet %d has %s", i, got)
			}
			s.complete(rule, object{"walletAddress": wallet(i)}).refused(400, "You have already been rewarded")
		}
		if got := s.get("/api/loyalty/accounts?loyaltyCurrencyId=" + other).data()[0]["amount"]; got != json.Number("7") {
			t.Errorf("the other currency has %v", got)
		}
		entries := s.get("/api/loyalty/transaction_entries?type=api_key&direction=debit&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).
			data()
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
		jobs := s.get("/api/loyalty/clearing_jobs?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).data()
		if len(jobs) != 1 || jobs[0]["status"] != "complete" || jobs[0]["accounts"] != json.Number("2") ||
			jobs[0]["amount"] != json.Number("110.5") ||
			jobs[0]["type"] != "loyalty_reset_balances" {
			t.Errorf("jobs: %v", jobs)
		}
		s.reset("balances").ok()
		s.sound()
	})
}

func TestAResetWithDataOpensWindowsAgain(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"balances_data_not_rules", "balances_data_and_rules"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s *server) {
				gold := s.post(currenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
				own := object{"loyaltyCurrencyId": s.LoyaltyCurrencyID}
				rule, other := s.rule("check_in", own), s.rule("check_in", object{"loyaltyCurrencyId": gold})
				progress := s.rule("external_rule", object{"loyaltyCurrencyId": s.LoyaltyCurrencyID, "trackProgress": true})
				s.post("/api/users/metadatas", object{"walletAddress": bob, "userGroupExternalIdentifier": "family"}).ok()
				s.post("/api/users/metadatas", object{"walletAddress": wallet(7), "userGroupExternalIdentifier": "family"}).ok()
				for _, r := range []string{rule, other} {
					s.complete(r, object{"walletAddress": alice}).ok()
					s.complete(r, object{"walletAddress": bob}).ok()
					s.complete(r, object{"walletAddress": wallet(7)}).refused(400, "You have already been rewarded")
				}
				// who has no account
				s.post("/api/loyalty/rule_statuses", object{"loyaltyRuleId": progress, "walletAddress": wallet(9), "progress": 50}).
					ok()
				s.reset(kind).ok()
				if n := s.count("/api/loyalty/rule_statuses?loyaltyRuleId=" + rule); n != 0 {
					t.Errorf("%d statuses are left", n)
				}
				if n := s.count("/api/loyalty/rule_statuses?loyaltyRuleId=" + progress); n != 0 {
					t.Errorf("%d statuses of who has no account are left", n)
				}
				if n := s.count("/api/loyalty/rule_statuses?loyaltyRuleId=" + other); n != 2 {
					t.Errorf("%d statuses of the other currency", n)
				}
				s.complete(other, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
				if kind == "balances_data_and_rules" {
					s.complete(rule, object{"walletAddress": alice}).refused(404, "Loyalty rule not found")
					if n := s.count("/api/loyalty/rules"); n != 1 {
						t.Errorf("%d rules are left", n)
					}
					edit := s.get("/api/loyalty/rule_edits?limit=1&loyaltyRuleId=" + rule + "&organizationId=" + s.OrganizationID.String()).data()[0]
					if edit["action"] != "delete" || edit["comment"] != "Currency reset" {
						t.Errorf("the edit: %v", edit)
					}
					s.post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).ok()
				}
				s.complete(rule, object{"walletAddress": alice}).ok()
				s.complete(rule, object{"walletAddress": wallet(7)}).ok()
				s.complete(rule, object{"walletAddress": bob}).refused(400, "You have already been rewarded")
				if a, b := s.balance(alice), s.balance(bob); a != "10" || b != "0" {
					t.Errorf("balances: %s and %s", a, b)
				}
				s.sound()
			})
		})
	}
}

func TestAResetWithDataForgetsAnswers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("quiz", nil)
		question := s.post("/api/loyalty/questions", object{"loyaltyRuleId": rule, "questionText": "Which?", "loyaltyQuestionAnswers": []any{
			object{
				"text":           "This",
				"isCorrect":      true,
				"sortIdentifier": 1,
			},
			object{"text": "That", "isCorrect": false, "sortIdentifier": 2},
		}}).
			ok()
		choices := question["loyaltyQuestionChoices"].([]any)
		right, wrong := choices[0].(object)["id"], choices[1].(object)["id"]
		s.complete(rule, object{"walletAddress": alice, "loyaltyQuestionChoiceId": wrong}).
			refused(400, "Invalid choice selected")
		s.complete(rule, object{"walletAddress": bob, "loyaltyQuestionChoiceId": right}).ok()
		s.reset("balances_data_not_rules").ok()
		if n := s.count("/api/loyalty/questions_responses"); n != 0 {
			t.Errorf("%d responses are left", n)
		}
		for _, who := range []string{alice, bob} {
			s.complete(rule, object{"walletAddress": who, "loyaltyQuestionChoiceId": right}).ok()
			if got := s.balance(who); got != "10" {
				t.Errorf("%s has %s", who, got)
			}
		}
	})
}

func TestBadResetsAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		kinds := "type must be one of: loyalty_reset_balances, loyalty_reset_balances_data_and_rules, loyalty_reset_balances_data_not_rules"
		s.post(resetPath, object{"type": "loyalty_reset_balances"}).refused(400, "loyaltyCurrencyId is required")
		s.post(resetPath, object{"loyaltyCurrencyId": s.LoyaltyCurrencyID}).refused(400, "type is required")
		s.reset("everything").refused(400, kinds)
		s.post(resetPath, object{"loyaltyCurrencyId": nobody, "type": "loyalty_reset_balances"}).
			refused(404, "Loyalty currency not found")
		s.call(s.WebsiteAPIKey, "DELETE", currenciesPath+"/"+s.LoyaltyCurrencyID.String(), nil).ok()
		s.reset("balances").refused(404, "Loyalty currency not found")
	})
}

// Whoever is paid while a currency is reset with data either keeps the points with their window or has neither.
func TestCompletionsDuringAResetAreNeitherLostNorPaidTwice(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("check_in", object{"interval": "once"})
		const people = 40
		for i := range people {
			if i%2 == 0 {
				s.complete(rule, object{"walletAddress": wallet(i)}).ok()
			}
		}
		var wg sync.WaitGroup
		for n := range 4 {
			wg.Go(func() {
				for i := n; i < 3*people; i += 4 {
					if got := s.complete(rule, object{"walletAddress": wallet(i % people)}); got.status != 200 && got.status != 400 {
						t.Errorf("completion: %d %s", got.status, got.body)
					}
				}
			})
		}
		wg.Go(func() {
			for range 3 {
				s.reset("balances_data_not_rules").ok()
			}
		})
		wg.Wait()
		for i := range people {
			before := s.balance(wallet(i))
			got := s.complete(rule, object{"walletAddress": wallet(i)})
			if (before == "10") != (got.status == 400) || before != "10" && before != "0" && before != "" {
				t.Errorf("wallet %d had %s and was answered %d %s", i, before, got.status, got.body)
			}
		}
		s.sound()
	})
}

func TestResetsAtOnceAreCarriedOutOneAfterTheOther(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.transact(points(alice, 5), points(bob, 6)).ok()
		body := object{"loyaltyCurrencyId": s.LoyaltyCurrencyID, "type": "loyalty_reset_balances"}
		var wg sync.WaitGroup
		for n := range 6 {
			wg.Go(func() {
				if n < 3 {
					s.reset("balances").ok()
				} else if got := s.call(s.WebsiteAPIKey, "POST", resetPath, body, "Idempotency-Key", "one"); got.body != `{"success":true}` {
					t.Errorf("%d %s", got.status, got.body)
				}
			})
		}
		wg.Wait()
		if n := s.count("/api/loyalty/clearing_jobs?status=complete"); n != 4 {
			t.Errorf("%d resets, want 4", n)
		}
		if n := s.count("/api/loyalty/transaction_entries?direction=debit"); n != 2 {
			t.Errorf("%d debits, want 2", n)
		}
		s.sound()
	})
}

func TestRanksFollowAReset(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for i := range 5 {
			s.transact(points(wallet(i), 10*(i+1))).ok()
		}
		rank := func(i int) any {
			return s.get(fmt.Sprintf("/api/loyalty/accounts/%s/rank?websiteId=%s&organizationId=%s&loyaltyCurrencyId=%s", s.account(wallet(i)), s.WebsiteID, s.OrganizationID,
				s.LoyaltyCurrencyID)).ok()["rank"]
		}
		if got := rank(0); got != json.Number("5") {
			t.Fatalf("the rank is %v", got)
		}
		if err := s.app.Ledger.RefreshCutoffs(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.reset("balances").ok()
		s.transact(points(wallet(0), 1)).ok()
		if first, none := rank(0), rank(1); first != json.Number("1") || none != nil {
			t.Errorf("ranks after the reset: %v and %v", first, none)
		}
	})
}

func TestPointsThatWaitAreResetToo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.living(10, 24)
		rule := s.rule("external_rule", object{"interval": "unlimited"})
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.transact(points(alice, 5)).ok()
		s.reset("balances").ok()
		s.is(alice, "0", "cancelled 10 0", "spent 5 0")
		s.pass(48 * time.Hour)
		s.is(alice, "0", "cancelled 10 0", "spent 5 0")
	})
}
