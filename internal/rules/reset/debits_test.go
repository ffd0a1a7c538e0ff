package reset_test

import (
	"encoding/json"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestADeletedRuleTakesBackWhatItPaid(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other := s.Rule(
			"external_rule",
			object{"interval": "unlimited"},
		), s.Rule(
			"external_rule",
			object{"interval": "unlimited"},
		)
		for range 3 {
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		}
		s.Complete(other, object{"walletAddress": apptest.Alice, "amount": 4}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.Transact(apptest.Points(apptest.Bob, 8, apptest.Debit)).OK()
		s.Complete(rule, object{"walletAddress": apptest.Wallet(3)}).OK()
		s.Transact(apptest.Points(apptest.Wallet(3), 10, apptest.Debit)).OK()
		s.Complete(other, object{"walletAddress": apptest.Wallet(4)}).OK()
		deleted := s.DeleteRuleAndDebit(rule).OK()
		if len(deleted) != 2 || deleted["id"] != rule || deleted["deletedAt"] == nil {
			t.Errorf("the answer: %v", deleted)
		}
		for who, want := range map[string]string{
			apptest.Alice:     "4",
			apptest.Bob:       "0",
			apptest.Wallet(3): "0",
			apptest.Wallet(4): "10",
		} {
			if got := s.Balance(who); got != want {
				t.Errorf("%s has %s, want %s", who, got, want)
			}
		}
		debits := s.Get("/api/loyalty/transaction_entries?direction=debit&loyaltyRuleId=" + rule).Data()
		if len(debits) != 2 {
			t.Fatalf("debits: %v", debits)
		}
		for _, e := range debits {
			if e["type"] != "loyalty_rule" || e["metadata"].(object)["reason"] != "Loyalty rule deleted" {
				t.Errorf("debit: %v", e)
			}
		}
		s.DeleteRuleAndDebit(rule).Refused(404, "Loyalty rule not found")
		s.DeleteRuleAndDebit(apptest.SecondUnknownID).Refused(404, "Loyalty rule not found")
		jobs := s.Get("/api/loyalty/clearing_jobs?loyaltyRuleId=" + rule).Data()
		if len(jobs) != 1 || jobs[0]["type"] != "loyalty_rule_debit" || jobs[0]["status"] != "complete" ||
			jobs[0]["accounts"] != json.Number("2") ||
			jobs[0]["amount"] != json.Number("32") {
			t.Errorf("completionjobs: %v", jobs)
		}
		s.Sound()
	})
}

func TestARuleThatComesBackIsDebitedForWhatItPaidSince(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("check_in", object{"interval": "daily"})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.Transact(apptest.Points(apptest.Bob, 10, apptest.Debit)).OK()
		s.DeleteRuleAndDebit(rule).OK()
		s.Post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).OK()
		// its windows are as they were
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		if n := s.Count("/api/loyalty/rule_statuses?loyaltyRuleId=" + rule); n != 2 {
			t.Errorf("%d statuses", n)
		}
		s.Clock.Advance(24 * time.Hour)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Transact(apptest.Points(apptest.Alice, 5), apptest.Points(apptest.Bob, 5)).OK()
		s.DeleteRuleAndDebit(rule).OK()
		if a, b := s.Balance(apptest.Alice), s.Balance(apptest.Bob); a != "5" || b != "5" {
			t.Errorf("balances: %s and %s", a, b)
		}
		s.Sound()
	})
}

func TestADeletedRuleTakesNothingTwice(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.ReorganizePaidEvent()
		s.Transact(apptest.Points(apptest.Alice, 15)).OK()
		s.DeleteRuleAndDebit(rule).OK()
		if got := s.Balance(apptest.Alice); got != "15" {
			t.Errorf("alice has %s: what left with its block was taken again", got)
		}
		s.Sound()
	})
}

func TestADeletedRuleCancelsWhatWaitsAndFailsItsJobs(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(0, 24)
		rule := s.Rule("external_rule", object{"interval": "unlimited"})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		list := s.Get("/api/loyalty/accounts/" + s.Account(apptest.Alice) + "/lots").Data()
		s.Post("/api/loyalty/lots/"+list[0]["id"].(string)+"/release", nil).OK()
		s.DeleteRuleAndDebit(rule).OK()
		s.CheckLots(apptest.Alice, "0", "cancelled 10 0", "released 10 0")
		click := s.Rule(
			"link_click",
			object{"metadata": object{"link": "https://example.com", "timeDelayToVerifySeconds": 30}},
		)
		s.Complete(click, object{"walletAddress": apptest.Alice}).OK()
		s.DeleteRuleAndDebit(click).OK()
		s.Clock.Advance(time.Minute)
		if _, err := s.App.Completions.RunJobs(t.Context()); err != nil {
			t.Fatal(err)
		}
		status := s.Get("/api/loyalty/rules/status?loyaltyRuleId=" + click).Data()
		if len(status) != 1 || status[0]["status"] != "failed" || status[0]["message"] != "Loyalty rule not found" {
			t.Errorf("what became of the click: %v", status)
		}
	})
}
