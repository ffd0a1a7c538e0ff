package app_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
)

// jobs decides what is due and returns how much that was.
func (s *server) jobs() int {
	s.t.Helper()
	n, err := s.app.Completions.RunJobs(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// outcome returns what the processing view tells of a wallet's only completion of a rule.
func (s *server) outcome(rule, wallet string) string {
	s.t.Helper()
	list := s.get("/api/loyalty/rules/status?loyaltyRuleId=" + rule + "&walletAddress=" + wallet).data()
	if len(list) != 1 {
		s.t.Fatalf("%d items: %v", len(list), list)
	}
	return fmt.Sprint(list[0]["status"], ": ", list[0]["message"])
}

// link makes a link_click rule.
func (s *server) link(properties, metadata object) string {
	s.t.Helper()
	return s.rule("link_click", over(properties, object{"metadata": over(object{"link": "https://a.example"}, metadata)}))
}

func TestAClickPaysAfterItsDelay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for name, c := range map[string]struct {
			metadata object
			delay    time.Duration
		}{
			"default": {object{}, 30 * time.Second}, "null": {object{"timeDelayToVerifySeconds": nil}, 30 * time.Second},
			"number": {object{"timeDelayToVerifySeconds": 90}, 90 * time.Second}, "text": {object{"timeDelayToVerifySeconds": "12.5"}, 12500 * time.Millisecond},
			"none": {object{"timeDelayToVerifySeconds": 0}, 0}, "week": {object{"timeDelayToVerifySeconds": 604800}, 7 * 24 * time.Hour},
		} {
			rule := s.link(nil, c.metadata)
			user := object{"walletAddress": name}
			s.clock.set(noon)
			done := s.complete(rule, user).ok()
			data := done["data"].(object)
			if done["message"] != "Link click being verified, come back later to check the status" || data["status"] != "pending" ||
				len(data["rewards"].([]any)) != 0 ||
				data["loyaltyTransactionId"] != nil ||
				s.balance(name) != "" {
				t.Errorf("%s: %v, balance %q", name, done, s.balance(name))
			}
			if c.delay > 0 {
				s.complete(rule, user).refused(400, "Link already clicked, your reward is being processed")
				s.complete(rule, object{"walletAddress": name, "verifyOnly": true}).
					refused(400, "Link already clicked, your reward is being processed")
				s.clock.set(noon.Add(c.delay - 100*time.Millisecond))
				if n := s.jobs(); n != 0 {
					t.Errorf("%s: %d jobs before the delay is over", name, n)
				}
			}
			s.clock.set(noon.Add(c.delay + 100*time.Millisecond))
			if n := s.jobs(); n != 1 || s.balance(name) != "10" {
				t.Errorf("%s: %d jobs, balance %q", name, n, s.balance(name))
			}
			if n := s.jobs(); n != 0 {
				t.Errorf("%s: %d jobs after it is paid", name, n)
			}
			s.complete(rule, user).refused(400, "You have already been rewarded")
		}
	})
}

func TestAClickCountsFromTheMomentItWasMade(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		midnight := at("2026-01-15T00:00:00Z")
		daily := s.link(object{"interval": "daily"}, nil)
		ending := s.link(object{"endTime": midnight}, nil)
		s.clock.set(midnight.Add(-time.Second))
		for _, rule := range []string{daily, ending} {
			s.complete(rule, object{"walletAddress": "w"}).ok()
		}
		s.clock.set(midnight.Add(time.Minute))
		if n := s.jobs(); n != 2 || s.balance("w") != "20" {
			t.Errorf("%d jobs, balance %s", n, s.balance("w"))
		}
		s.complete(ending, object{"walletAddress": "other"}).refused(400, "Loyalty rule has expired")
		s.complete(daily, object{"walletAddress": "w"}).ok() // the click before midnight took yesterday's window
		s.clock.advance(time.Minute)
		s.jobs()
		if got := s.balance("w"); got != "30" {
			t.Errorf("balance %s, want 30", got)
		}
	})
}

func TestAClickIsJudgedAgainWhenItHasAged(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		coins := s.post("/api/loyalty/currencies", object{"name": "Coins", "symbol": "C", "decimals": 0}).ok()["id"].(string)
		own := object{"loyaltyCurrencyId": s.LoyaltyCurrencyID}
		for name, c := range map[string]struct {
			properties object
			meanwhile  func(rule string)
			want, paid string
		}{
			"deleted": {own, func(r string) { s.remove("/api/loyalty/rules/" + r) }, "failed: Loyalty rule not found", ""},
			"unset":   {own, func(r string) { s.update(r, object{"metadata": object{}}) }, "failed: Rule is not setup", ""},
			"blocked": {own, func(string) {
				s.post("/api/users/metadatas", object{"walletAddress": "blocked", "isBlocked": true}).ok()
			},
				"failed: Access restricted. Your account is blocked.", ""},
			"currency": {object{"loyaltyCurrencyId": coins}, func(string) { s.remove("/api/loyalty/currencies/" + coins) }, "failed: Loyalty currency not found", ""},
			"progress": {own, func(r string) { s.update(r, object{"trackProgress": true}) }, "failed: Quest not completed", ""},
			"raised":   {own, func(r string) { s.update(r, object{"amount": 25}) }, "completed: Completed", "25"},
			"ended":    {own, func(r string) { s.update(r, object{"endTime": s.clock.Now().Add(time.Second)}) }, "completed: Completed", "10"},
		} {
			rule := s.link(c.properties, nil)
			s.complete(rule, object{"walletAddress": name}).ok()
			c.meanwhile(rule)
			s.clock.advance(time.Minute)
			if n := s.jobs(); n != 1 {
				t.Errorf("%s: %d jobs", name, n)
			}
			if got := s.outcome(rule, name); got != c.want || s.balance(name) != c.paid {
				t.Errorf("%s: %q and balance %q, want %q and %q", name, got, s.balance(name), c.want, c.paid)
			}
		}
	})
}

func TestARuleRequiredAfterTheClickDoesNotMatter(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.link(nil, nil)
		s.complete(rule, object{"walletAddress": "w"}).ok()
		s.rule("check_in", object{"isRequired": true})
		s.clock.advance(time.Minute)
		s.jobs()
		if got := s.outcome(rule, "w"); got != "completed: Completed" {
			t.Error(got)
		}
	})
}

func TestConcurrentClicksAndWorkersPayOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.link(nil, nil)
		s.in("a", "g")
		s.in("b", "g") // a group shares the window, not the click
		const clicks = 40
		statuses := map[string]int{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for i := range clicks {
			wg.Go(func() {
				a := s.complete(rule, object{"walletAddress": []string{"w", "a", "b", fmt.Sprint("x", i)}[i%4]})
				mu.Lock()
				defer mu.Unlock()
				statuses[fmt.Sprint(a.status, a.json()["message"])]++
			})
		}
		wg.Wait()
		if statuses["200Link click being verified, come back later to check the status"] != 13 ||
			statuses["400Link already clicked, your reward is being processed"] != 27 {
			t.Errorf("answers: %v", statuses)
		}
		s.clock.advance(time.Minute)
		for range 4 {
			wg.Go(func() { s.jobs() })
		}
		wg.Wait()
		if sum := s.balance("a") + s.balance("b"); s.balance("w") != "10" || sum != "10" {
			t.Errorf("w has %s, the group %s", s.balance("w"), sum)
		}
		if list := s.get("/api/loyalty/transaction_entries?limit=100").data(); len(list) != 12 {
			t.Errorf("%d payments, want 12", len(list))
		}
		s.sound()
	})
}

func TestClickRulesNeedALinkAndAnOwnMember(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		bare := s.rule("link_click", nil)
		s.complete(bare, object{"walletAddress": "w"}).refused(400, "Rule is not setup")
		rule := s.link(nil, nil)
		if done := s.complete(rule, object{"walletAddress": "v", "verifyOnly": true}).
			ok(); done["data"].(object)["status"] != "completed" {
			t.Errorf("verifyOnly: %v", done)
		}
		client := func(rule string) answer {
			return s.call(
				s.ClientAPIKey,
				http.MethodPost,
				"/api/loyalty/rules/"+rule+"/complete",
				object{"walletAddress": "w"},
				"Authorization",
				"Bearer "+s.token("w"),
			)
		}
		if done := client(rule).ok(); done["data"].(object)["status"] != "pending" {
			t.Errorf("a member's click: %v", done)
		}
		s.clock.advance(time.Minute)
		if n := s.jobs(); n != 1 || s.balance("w") != "10" || s.balance("v") != "" {
			t.Errorf("%d jobs, balances %q and %q", n, s.balance("w"), s.balance("v"))
		}
		bonus := s.rule("bonus", nil)
		client(bonus).refused(400, "Quest not completed")
		s.complete(bonus, object{"walletAddress": "w"}).ok()
		client(bonus).refused(400, "You have already been rewarded")
	})
}
