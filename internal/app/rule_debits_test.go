package app_test

import (
	"encoding/json"
	"testing"
	"time"
)

// takeBack deletes a rule and debits what it paid.
func (s *server) takeBack(rule string) answer {
	s.t.Helper()
	return s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule+"?debitLoyaltyPoints=true", nil)
}

func TestADeletedRuleTakesBackWhatItPaid(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, other := s.rule(
			"external_rule",
			object{"interval": "unlimited"},
		), s.rule(
			"external_rule",
			object{"interval": "unlimited"},
		)
		for range 3 {
			s.complete(rule, object{"walletAddress": alice}).ok()
		}
		s.complete(other, object{"walletAddress": alice, "amount": 4}).ok()
		s.complete(rule, object{"walletAddress": bob}).ok()
		s.transact(points(bob, 8, debit)).ok()
		s.complete(rule, object{"walletAddress": wallet(3)}).ok()
		s.transact(points(wallet(3), 10, debit)).ok()
		s.complete(other, object{"walletAddress": wallet(4)}).ok()
		deleted := s.takeBack(rule).ok()
		if len(deleted) != 2 || deleted["id"] != rule || deleted["deletedAt"] == nil {
			t.Errorf("the answer: %v", deleted)
		}
		for who, want := range map[string]string{alice: "4", bob: "0", wallet(3): "0", wallet(4): "10"} {
			if got := s.balance(who); got != want {
				t.Errorf("%s has %s, want %s", who, got, want)
			}
		}
		debits := s.get("/api/loyalty/transaction_entries?direction=debit&loyaltyRuleId=" + rule).data()
		if len(debits) != 2 {
			t.Fatalf("debits: %v", debits)
		}
		for _, e := range debits {
			if e["type"] != "loyalty_rule" || e["metadata"].(object)["reason"] != "Loyalty rule deleted" {
				t.Errorf("debit: %v", e)
			}
		}
		s.takeBack(rule).refused(404, "Loyalty rule not found")
		s.takeBack(nobody).refused(404, "Loyalty rule not found")
		jobs := s.get("/api/loyalty/clearing_jobs?loyaltyRuleId=" + rule).data()
		if len(jobs) != 1 || jobs[0]["type"] != "loyalty_rule_debit" || jobs[0]["status"] != "complete" ||
			jobs[0]["accounts"] != json.Number("2") ||
			jobs[0]["amount"] != json.Number("32") {
			t.Errorf("jobs: %v", jobs)
		}
		s.sound()
	})
}

func TestARuleThatComesBackIsDebitedForWhatItPaidSince(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("check_in", object{"interval": "daily"})
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.complete(rule, object{"walletAddress": bob}).ok()
		s.transact(points(bob, 10, debit)).ok()
		s.takeBack(rule).ok()
		s.post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).ok()
		// its windows are as they were
		s.complete(rule, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		if n := s.count("/api/loyalty/rule_statuses?loyaltyRuleId=" + rule); n != 2 {
			t.Errorf("%d statuses", n)
		}
		s.clock.advance(24 * time.Hour)
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.transact(points(alice, 5), points(bob, 5)).ok()
		s.takeBack(rule).ok()
		if a, b := s.balance(alice), s.balance(bob); a != "5" || b != "5" {
			t.Errorf("balances: %s and %s", a, b)
		}
		s.sound()
	})
}

func TestADeletedRuleCancelsWhatWaitsAndFailsItsJobs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.living(0, 24)
		rule := s.rule("external_rule", object{"interval": "unlimited"})
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.complete(rule, object{"walletAddress": alice}).ok()
		list := s.get("/api/loyalty/accounts/" + s.account(alice) + "/lots").data()
		s.post("/api/loyalty/lots/"+list[0]["id"].(string)+"/release", nil).ok()
		s.takeBack(rule).ok()
		s.is(alice, "0", "cancelled 10 0", "released 10 0")
		click := s.rule(
			"link_click",
			object{"metadata": object{"link": "https://example.com", "timeDelayToVerifySeconds": 30}},
		)
		s.complete(click, object{"walletAddress": alice}).ok()
		s.takeBack(click).ok()
		s.clock.advance(time.Minute)
		if _, err := s.app.Completions.RunJobs(t.Context()); err != nil {
			t.Fatal(err)
		}
		status := s.get("/api/loyalty/rules/status?loyaltyRuleId=" + click).data()
		if len(status) != 1 || status[0]["status"] != "failed" || status[0]["message"] != "Loyalty rule not found" {
			t.Errorf("what became of the click: %v", status)
		}
	})
}
