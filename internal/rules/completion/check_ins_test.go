package completion_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestCompletingARuleChecksIn(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		one, two := s.Rule(
			"external_rule",
			object{"interval": "unlimited"},
		), s.Rule(
			"external_rule",
			object{"interval": "unlimited"},
		)
		some, anything := s.CreateSideCheckInRule(
			object{"autoCheckInRuleIds": []string{one, s.Rule("external_rule", nil)}},
		), s.CreateSideCheckInRule(
			object{"autoCheckInRuleIds": "any"},
		)
		for _, rule := range []string{some, anything} {
			s.Complete(rule, object{"walletAddress": "w"}).Refused(400, apptest.CheckInZero) // only other rules check in
		}
		s.Complete(two, object{"walletAddress": "w"}).OK()
		if s.Streak(some, "w") != "" || s.Streak(anything, "w") != "1 2026-01-16T00:00:00.000Z" || s.Balance("w") != "11" {
			t.Errorf("after rule two: %q and %q, balance %s", s.Streak(some, "w"), s.Streak(anything, "w"), s.Balance("w"))
		}
		s.Complete(one, object{"walletAddress": "w"}).OK()
		s.Complete(one, object{"walletAddress": "w"}).OK()
		if s.Streak(some, "w") != "1 2026-01-16T00:00:00.000Z" || s.Balance("w") != "32" {
			t.Errorf("after rule one: %q, balance %s", s.Streak(some, "w"), s.Balance("w"))
		}
		s.Clock.Advance(24 * time.Hour)
		s.Complete(one, object{"walletAddress": "w"}).OK()
		if s.Balance("w") != "46" { // 10, and 2 of each
			t.Errorf("on the second day: balance %s", s.Balance("w"))
		}
		entries := s.Get("/api/loyalty/transaction_entries?walletAddress=w&loyaltyRuleId=" + some).Data()
		if len(entries) != 2 || entries[0]["metadata"].(object)["streakMilestone"] != apptest.JSONNumber("2") ||
			entries[0]["loyaltyTransaction"].(object)["loyaltyRule"].(object)["id"] != some {
			t.Errorf("entries of the check-in: %v", entries)
		}
		if got := s.Get("/api/loyalty/transaction_entries?walletAddress=w&userCompletedLoyaltyRuleId=" + some).
			Data(); len(got) != 1 {
			t.Errorf("what closes its window: %v", got)
		}
		s.Sound()
	})
}

// TestACheckInBySomethingElseTakesTheOneWindow: whether a member checks in itself or another rule does it, the window
// is paid once.
func TestACheckInBySomethingElseTakesTheOneWindow(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		other := s.Rule("external_rule", object{"interval": "unlimited"})
		for name, interval := range map[string]object{"daily": {}, "custom": {"interval": "custom", "metadata": object{"customIntervalSeconds": 86400}}} {
			more := object{"autoCheckInRuleIds": []string{other}}
			if m, ok := interval["metadata"].(object); ok {
				more = apptest.Over(more, m)
			}
			rule := s.Rule(
				"check_in",
				apptest.Over(
					object{"interval": "daily"},
					interval,
					object{"metadata": apptest.Over(more, object{"enableStreaks": true})},
				),
			)
			first, second, before := name+"1", name+"2", s.Balance(name+"1")
			s.Complete(rule, object{"walletAddress": first}).OK()
			s.Complete(other, object{"walletAddress": first}).OK()
			s.Complete(other, object{"walletAddress": second}).OK()
			s.Complete(rule, object{"walletAddress": second}).Refused(400, apptest.PaidAlready)
			if s.Balance(first) != "20" || s.Balance(second) != "20" || before != "" ||
				!strings.HasPrefix(s.Streak(rule, first), "1 ") ||
				!strings.HasPrefix(s.Streak(rule, second), "1 ") {
				t.Errorf(
					"%s: %s and %s, %q and %q",
					name,
					s.Balance(first),
					s.Balance(second),
					s.Streak(rule, first),
					s.Streak(rule, second),
				)
			}
			s.Remove("/api/loyalty/rules/" + rule)
		}
	})
}

func TestTheFirstEntryOfAWindowChecksIn(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule(
			"check_in",
			object{"interval": "daily", "amount": 3, "metadata": object{"isCheckInOnEveryTxn": true, "enableStreaks": true}},
		)
		s.Transact(apptest.Points(apptest.Alice, 5)).OK()
		s.Transact(apptest.Points(apptest.Alice, 5)).OK()
		if s.Balance(apptest.Alice) != "13" || !strings.HasPrefix(s.Streak(rule, apptest.Alice), "1 ") {
			t.Errorf("after two transactions: %s, %q", s.Balance(apptest.Alice), s.Streak(rule, apptest.Alice))
		}
		s.Clock.Advance(24 * time.Hour)
		s.Transact(apptest.Points(apptest.Alice, 1, apptest.Debit)).OK()
		if s.Balance(apptest.Alice) != "15" || !strings.HasPrefix(s.Streak(rule, apptest.Alice), "2 ") {
			t.Errorf("after a debit of the next day: %s, %q", s.Balance(apptest.Alice), s.Streak(rule, apptest.Alice))
		}
		s.Transact(apptest.Points("poor", 1, apptest.Debit)).Refused(400, "Insufficient balance")
		if s.Streak(rule, "poor") != "" || s.Balance("poor") != "" {
			t.Errorf("a refused transaction checked in: %q", s.Balance("poor"))
		}
		s.Clock.Advance(24 * time.Hour)
		s.Complete(s.Rule("external_rule", nil), object{"walletAddress": apptest.Alice}).OK() // the entry of a reward
		if s.Balance(apptest.Alice) != "28" || !strings.HasPrefix(s.Streak(rule, apptest.Alice), "3 ") {
			t.Errorf("after a reward: %s, %q", s.Balance(apptest.Alice), s.Streak(rule, apptest.Alice))
		}
		s.Transact(apptest.Points("a", 1), apptest.Points("b", 1), apptest.Points("a", 2)).OK()
		if s.Balance("a") != "6" || s.Balance("b") != "4" {
			t.Errorf("of several users: %s and %s", s.Balance("a"), s.Balance("b"))
		}
		s.Complete(rule, object{"walletAddress": "a"}).Refused(400, apptest.PaidAlready)
		s.Sound()
	})
}

// TestWhatCannotCheckInDoesNotHinderTheDeed: the rule that is completed pays, whatever the check-in comes to.
func TestWhatCannotCheckInDoesNotHinderTheDeed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		other := s.Rule("external_rule", object{"interval": "unlimited"})
		auto := object{"autoCheckInRuleIds": "any"}
		over, early := s.CreateSideCheckInRule(
			auto,
			object{"endTime": "2026-01-14T00:00:00Z", "startTime": "2026-01-13T00:00:00Z"},
		), s.CreateSideCheckInRule(
			auto,
			object{"startTime": "2026-01-20T00:00:00Z"},
		)
		gone, tracked := s.CreateSideCheckInRule(auto), s.CreateSideCheckInRule(auto, object{"trackProgress": true})
		s.Remove("/api/loyalty/rules/" + gone)
		gold := s.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		dead := s.CreateSideCheckInRule(auto, object{"loyaltyCurrencyId": gold})
		s.Remove("/api/loyalty/currencies/" + gold)
		for range 2 {
			s.Complete(other, object{"walletAddress": "w"}).OK()
		}
		for _, rule := range []string{over, early, gone, dead, tracked} {
			if got := s.Streak(rule, "w"); got != "" {
				t.Errorf("checked in: %s", got)
			}
		}
		if s.Balance("w") != "20" {
			t.Errorf("balance %s", s.Balance("w"))
		}
		s.Progress(tracked, "w", object{"progress": 100}).OK()
		s.Complete(other, object{"walletAddress": "w"}).OK()
		s.Update(over, object{"endTime": nil})
		s.Complete(other, object{"walletAddress": "w"}).OK()
		if s.Streak(tracked, "w") == "" || s.Streak(over, "w") == "" || s.Balance("w") != "42" {
			t.Errorf("once they can: %q and %q, balance %s", s.Streak(tracked, "w"), s.Streak(over, "w"), s.Balance("w"))
		}
		s.Update(over, object{"metadata": object{"enableStreaks": true}}) // checks in by itself no more
		s.Clock.Advance(24 * time.Hour)
		s.Complete(other, object{"walletAddress": "w"}).OK()
		if got := s.Streak(over, "w"); !strings.HasPrefix(got, "1 ") {
			t.Errorf("after the change: %s", got)
		}
	})
}

func TestRefusedAndPretendedCompletionsCheckNobodyIn(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		anything := s.CreateSideCheckInRule(object{"autoCheckInRuleIds": "any", "isCheckInOnEveryTxn": true})
		code := s.Rule("code_entry", object{"metadata": object{"promoCode": "good"}})
		click := s.Rule("link_click", object{"metadata": object{"link": "https://a.example", "timeDelayToVerifySeconds": 60}})
		s.Complete(code, object{"walletAddress": "w", "verificationCode": "bad"}).Refused(400, apptest.WrongCode)
		s.Complete(code, object{"walletAddress": "w", "verificationCode": "good", "verifyOnly": true}).OK()
		s.Post("/api/loyalty/rules/"+code+"/simulate", object{"walletAddress": "w", "verificationCode": "good"}).OK()
		s.Complete(click, object{"walletAddress": "w"}).OK()
		if got := s.Streak(anything, "w"); got != "" {
			t.Errorf("checked in: %s", got)
		}
		s.Clock.Advance(2 * time.Minute)
		s.RunCompletionJobs()
		if got := s.Streak(anything, "w"); !strings.HasPrefix(got, "1 ") || s.Balance("w") != "11" {
			t.Errorf("when the click had aged: %q, balance %s", got, s.Balance("w"))
		}
	})
}

// TestACheckInSetsOffNoOther: else two rules that wait for any rule would go on for ever.
func TestACheckInSetsOffNoOther(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		plain := s.Rule("check_in", object{"interval": "daily"})
		first := s.CreateSideCheckInRule(object{"autoCheckInRuleIds": []string{plain}})
		second, third := s.CreateSideCheckInRule(
			object{"autoCheckInRuleIds": []string{first}},
		), s.CreateSideCheckInRule(
			object{"autoCheckInRuleIds": "any"},
		)
		s.Complete(plain, object{"walletAddress": "w"}).OK()
		if s.Streak(first, "w") == "" || s.Streak(second, "w") != "" || s.Streak(third, "w") == "" || s.Balance("w") != "12" {
			t.Errorf(
				"streaks %q, %q, %q, balance %s",
				s.Streak(first, "w"),
				s.Streak(second, "w"),
				s.Streak(third, "w"),
				s.Balance("w"),
			)
		}
	})
}

// TestACrowdOfDeedsChecksInOnce: a member, and a group, checks in once in a window, however many rules are completed
// and transactions posted at once.
func TestACrowdOfDeedsChecksInOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, w := range []string{"w", "v"} {
			s.User(w, object{"userGroupExternalIdentifier": "family"})
		}
		gold := s.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		rule := s.CreateStreakRule(
			object{
				"amount":            0,
				"loyaltyCurrencyId": gold,
				"metadata":          object{"autoCheckInRuleIds": "any", "isCheckInOnEveryTxn": true},
			},
			1,
			1,
			2,
			2,
			3,
			4,
		)
		var others []string
		for range 4 {
			others = append(
				others,
				s.Rule("external_rule", object{"interval": "unlimited", "loyaltyCurrencyId": s.LoyaltyCurrencyID}),
			)
		}
		for n := range 3 {
			var wg sync.WaitGroup
			for i := range 12 {
				wallet := []string{"w", "v", fmt.Sprint("new", n, i/6)}[i%3]
				wg.Go(func() {
					if i%2 == 0 {
						s.Complete(others[i%4], object{"walletAddress": wallet}).OK()
					} else {
						s.Transact(apptest.Points(wallet, 1)).OK()
					}
				})
			}
			wg.Wait()
			if got := s.Streak(rule, "w"); !strings.HasPrefix(got, fmt.Sprint(n+1, " ")) {
				t.Errorf("day %d: %s", n+1, got)
			}
			s.Clock.Advance(24 * time.Hour)
		}
		sum := 0
		for _, a := range s.Get("/api/loyalty/accounts?loyaltyCurrencyId=" + gold).Data() {
			sum += apptest.Number(a["amount"])
		}
		if sum != 1+2+4+6 { // the group's milestones, and the first of six new members
			t.Errorf("milestones paid %d", sum)
		}
		s.Sound()
	})
}

func TestAResetWithDataForgetsStreaks(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateStreakRule(nil)
		s.User("w", object{"userGroupExternalIdentifier": "family"})
		s.Complete(rule, object{"walletAddress": "w"}).OK()
		s.Complete(rule, object{"walletAddress": "v"}).OK()
		s.Reset("balances_data_not_rules").OK()
		if list := s.Streaks(rule); len(list) != 0 {
			t.Errorf("left %v", list)
		}
		s.Complete(rule, object{"walletAddress": "w"}).OK()
	})
}
