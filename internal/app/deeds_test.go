package app_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// checksIn makes a check_in rule with streaks that something else checks members in to. Its amount is 0, its first
// milestone pays 1, its second 2.
func (s *server) checksIn(metadata object, properties ...object) string {
	s.t.Helper()
	return s.counting(over(object{"amount": 0, "metadata": metadata}, properties...), 1, 1, 2, 2)
}

func TestCompletingARuleChecksIn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		one, two := s.rule(
			"external_rule",
			object{"interval": "unlimited"},
		), s.rule(
			"external_rule",
			object{"interval": "unlimited"},
		)
		some, anything := s.checksIn(
			object{"autoCheckInRuleIds": []string{one, unknownID}},
		), s.checksIn(
			object{"autoCheckInRuleIds": "any"},
		)
		for _, rule := range []string{some, anything} {
			s.complete(rule, object{"walletAddress": "w"}).refused(400, checkInZero) // only other rules check in
		}
		s.complete(two, object{"walletAddress": "w"}).ok()
		if s.streak(some, "w") != "" || s.streak(anything, "w") != "1 2026-01-16T00:00:00.000Z" || s.balance("w") != "11" {
			t.Errorf("after rule two: %q and %q, balance %s", s.streak(some, "w"), s.streak(anything, "w"), s.balance("w"))
		}
		s.complete(one, object{"walletAddress": "w"}).ok()
		s.complete(one, object{"walletAddress": "w"}).ok()
		if s.streak(some, "w") != "1 2026-01-16T00:00:00.000Z" || s.balance("w") != "32" {
			t.Errorf("after rule one: %q, balance %s", s.streak(some, "w"), s.balance("w"))
		}
		s.clock.advance(24 * time.Hour)
		s.complete(one, object{"walletAddress": "w"}).ok()
		if s.balance("w") != "46" { // 10, and 2 of each
			t.Errorf("on the second day: balance %s", s.balance("w"))
		}
		entries := s.get("/api/loyalty/transaction_entries?walletAddress=w&loyaltyRuleId=" + some).data()
		if len(entries) != 2 || entries[0]["metadata"].(object)["streakMilestone"] != jsonNumber("2") ||
			entries[0]["loyaltyTransaction"].(object)["loyaltyRule"].(object)["id"] != some {
			t.Errorf("entries of the check-in: %v", entries)
		}
		if got := s.get("/api/loyalty/transaction_entries?walletAddress=w&userCompletedLoyaltyRuleId=" + some).
			data(); len(got) != 1 {
			t.Errorf("what closes its window: %v", got)
		}
		s.sound()
	})
}

// TestACheckInBySomethingElseTakesTheOneWindow: whether a member checks in itself or another rule does it, the window
// is paid once.
func TestACheckInBySomethingElseTakesTheOneWindow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		other := s.rule("external_rule", object{"interval": "unlimited"})
		for name, interval := range map[string]object{"daily": {}, "custom": {"interval": "custom", "metadata": object{"customIntervalSeconds": 86400}}} {
			more := object{"autoCheckInRuleIds": []string{other}}
			if m, ok := interval["metadata"].(object); ok {
				more = over(more, m)
			}
			rule := s.rule(
				"check_in",
				over(object{"interval": "daily"}, interval, object{"metadata": over(more, object{"enableStreaks": true})}),
			)
			first, second, before := name+"1", name+"2", s.balance(name+"1")
			s.complete(rule, object{"walletAddress": first}).ok()
			s.complete(other, object{"walletAddress": first}).ok()
			s.complete(other, object{"walletAddress": second}).ok()
			s.complete(rule, object{"walletAddress": second}).refused(400, paidAlready)
			if s.balance(first) != "20" || s.balance(second) != "20" || before != "" ||
				!strings.HasPrefix(s.streak(rule, first), "1 ") ||
				!strings.HasPrefix(s.streak(rule, second), "1 ") {
				t.Errorf(
					"%s: %s and %s, %q and %q",
					name,
					s.balance(first),
					s.balance(second),
					s.streak(rule, first),
					s.streak(rule, second),
				)
			}
			s.remove("/api/loyalty/rules/" + rule)
		}
	})
}

func TestTheFirstEntryOfAWindowChecksIn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule(
			"check_in",
			object{"interval": "daily", "amount": 3, "metadata": object{"isCheckInOnEveryTxn": true, "enableStreaks": true}},
		)
		s.transact(points(alice, 5)).ok()
		s.transact(points(alice, 5)).ok()
		if s.balance(alice) != "13" || !strings.HasPrefix(s.streak(rule, alice), "1 ") {
			t.Errorf("after two transactions: %s, %q", s.balance(alice), s.streak(rule, alice))
		}
		s.clock.advance(24 * time.Hour)
		s.transact(points(alice, 1, debit)).ok()
		if s.balance(alice) != "15" || !strings.HasPrefix(s.streak(rule, alice), "2 ") {
			t.Errorf("after a debit of the next day: %s, %q", s.balance(alice), s.streak(rule, alice))
		}
		s.transact(points("poor", 1, debit)).refused(400, "Insufficient balance")
		if s.streak(rule, "poor") != "" || s.balance("poor") != "" {
			t.Errorf("a refused transaction checked in: %q", s.balance("poor"))
		}
		s.clock.advance(24 * time.Hour)
		s.complete(s.rule("external_rule", nil), object{"walletAddress": alice}).ok() // the entry of a reward
		if s.balance(alice) != "28" || !strings.HasPrefix(s.streak(rule, alice), "3 ") {
			t.Errorf("after a reward: %s, %q", s.balance(alice), s.streak(rule, alice))
		}
		s.transact(points("a", 1), points("b", 1), points("a", 2)).ok()
		if s.balance("a") != "6" || s.balance("b") != "4" {
			t.Errorf("of several users: %s and %s", s.balance("a"), s.balance("b"))
		}
		s.complete(rule, object{"walletAddress": "a"}).refused(400, paidAlready)
		s.sound()
	})
}

// TestWhatCannotCheckInDoesNotHinderTheDeed: the rule that is completed pays, whatever the check-in comes to.
func TestWhatCannotCheckInDoesNotHinderTheDeed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		other := s.rule("external_rule", object{"interval": "unlimited"})
		auto := object{"autoCheckInRuleIds": "any"}
		over, early := s.checksIn(
			auto,
			object{"endTime": "2026-01-14T00:00:00Z", "startTime": "2026-01-13T00:00:00Z"},
		), s.checksIn(
			auto,
			object{"startTime": "2026-01-20T00:00:00Z"},
		)
		gone, tracked := s.checksIn(auto), s.checksIn(auto, object{"trackProgress": true})
		s.remove("/api/loyalty/rules/" + gone)
		gold := s.post(currenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		dead := s.checksIn(auto, object{"loyaltyCurrencyId": gold})
		s.remove("/api/loyalty/currencies/" + gold)
		for range 2 {
			s.complete(other, object{"walletAddress": "w"}).ok()
		}
		for _, rule := range []string{over, early, gone, dead, tracked} {
			if got := s.streak(rule, "w"); got != "" {
				t.Errorf("checked in: %s", got)
			}
		}
		if s.balance("w") != "20" {
			t.Errorf("balance %s", s.balance("w"))
		}
		s.progress(tracked, "w", object{"progress": 100}).ok()
		s.complete(other, object{"walletAddress": "w"}).ok()
		s.update(over, object{"endTime": nil})
		s.complete(other, object{"walletAddress": "w"}).ok()
		if s.streak(tracked, "w") == "" || s.streak(over, "w") == "" || s.balance("w") != "42" {
			t.Errorf("once they can: %q and %q, balance %s", s.streak(tracked, "w"), s.streak(over, "w"), s.balance("w"))
		}
		s.update(over, object{"metadata": object{"enableStreaks": true}}) // checks in by itself no more
		s.clock.advance(24 * time.Hour)
		s.complete(other, object{"walletAddress": "w"}).ok()
		if got := s.streak(over, "w"); !strings.HasPrefix(got, "1 ") {
			t.Errorf("after the change: %s", got)
		}
	})
}

func TestRefusedAndPretendedCompletionsCheckNobodyIn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		anything := s.checksIn(object{"autoCheckInRuleIds": "any", "isCheckInOnEveryTxn": true})
		code := s.rule("code_entry", object{"metadata": object{"promoCode": "good"}})
		click := s.rule("link_click", object{"metadata": object{"link": "https://a.example", "timeDelayToVerifySeconds": 60}})
		s.complete(code, object{"walletAddress": "w", "verificationCode": "bad"}).refused(400, wrongCode)
		s.complete(code, object{"walletAddress": "w", "verificationCode": "good", "verifyOnly": true}).ok()
		s.post("/api/loyalty/rules/"+code+"/simulate", object{"walletAddress": "w", "verificationCode": "good"}).ok()
		s.complete(click, object{"walletAddress": "w"}).ok()
		if got := s.streak(anything, "w"); got != "" {
			t.Errorf("checked in: %s", got)
		}
		s.clock.advance(2 * time.Minute)
		s.jobs()
		if got := s.streak(anything, "w"); !strings.HasPrefix(got, "1 ") || s.balance("w") != "11" {
			t.Errorf("when the click had aged: %q, balance %s", got, s.balance("w"))
		}
	})
}

// TestACheckInSetsOffNoOther: else two rules that wait for any rule would go on for ever.
func TestACheckInSetsOffNoOther(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		plain := s.rule("check_in", object{"interval": "daily"})
		first := s.checksIn(object{"autoCheckInRuleIds": []string{plain}})
		second, third := s.checksIn(
			object{"autoCheckInRuleIds": []string{first}},
		), s.checksIn(
			object{"autoCheckInRuleIds": "any"},
		)
		s.complete(plain, object{"walletAddress": "w"}).ok()
		if s.streak(first, "w") == "" || s.streak(second, "w") != "" || s.streak(third, "w") == "" || s.balance("w") != "12" {
			t.Errorf(
				"streaks %q, %q, %q, balance %s",
				s.streak(first, "w"),
				s.streak(second, "w"),
				s.streak(third, "w"),
				s.balance("w"),
			)
		}
	})
}

// TestACrowdOfDeedsChecksInOnce: a member, and a group, checks in once in a window, however many rules are completed
// and transactions posted at once.
func TestACrowdOfDeedsChecksInOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for _, w := range []string{"w", "v"} {
			s.user(w, object{"userGroupExternalIdentifier": "family"})
		}
		gold := s.post(currenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		rule := s.counting(
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
				s.rule("external_rule", object{"interval": "unlimited", "loyaltyCurrencyId": s.LoyaltyCurrencyID}),
			)
		}
		for n := range 3 {
			var wg sync.WaitGroup
			for i := range 12 {
				wallet := []string{"w", "v", fmt.Sprint("new", n, i/6)}[i%3]
				wg.Go(func() {
					if i%2 == 0 {
						s.complete(others[i%4], object{"walletAddress": wallet}).ok()
					} else {
						s.transact(points(wallet, 1)).ok()
					}
				})
			}
			wg.Wait()
			if got := s.streak(rule, "w"); !strings.HasPrefix(got, fmt.Sprint(n+1, " ")) {
				t.Errorf("day %d: %s", n+1, got)
			}
			s.clock.advance(24 * time.Hour)
		}
		sum := 0
		for _, a := range s.get("/api/loyalty/accounts?loyaltyCurrencyId=" + gold).data() {
			sum += number(a["amount"])
		}
		if sum != 1+2+4+6 { // the group's milestones, and the first of six new members
			t.Errorf("milestones paid %d", sum)
		}
		s.sound()
	})
}

func TestAResetWithDataForgetsStreaks(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.counting(nil)
		s.user("w", object{"userGroupExternalIdentifier": "family"})
		s.complete(rule, object{"walletAddress": "w"}).ok()
		s.complete(rule, object{"walletAddress": "v"}).ok()
		s.reset("balances_data_not_rules").ok()
		if list := s.streaks(rule); len(list) != 0 {
			t.Errorf("left %v", list)
		}
		s.complete(rule, object{"walletAddress": "w"}).ok()
	})
}
