package completion_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// processingStatus returns what the processing view tells of a wallet's only completion of a rule.
func processingStatus(s *apptest.Server, rule, wallet string) string {
	s.T.Helper()
	list := s.Get("/api/loyalty/rules/status?loyaltyRuleId=" + rule + "&walletAddress=" + wallet).Data()
	if len(list) != 1 {
		s.T.Fatalf("%d items: %v", len(list), list)
	}
	return fmt.Sprint(list[0]["status"], ": ", list[0]["message"])
}

// link makes a link_click rule.
func link(s *apptest.Server, properties, metadata object) string {
	s.T.Helper()
	return s.Rule(
		"link_click",
		apptest.Over(properties, object{"metadata": apptest.Over(object{"link": "https://a.example"}, metadata)}),
	)
}

func TestAClickPaysAfterItsDelay(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for name, c := range map[string]struct {
			metadata object
			delay    time.Duration
		}{
			"default": {object{}, 30 * time.Second}, "null": {object{"timeDelayToVerifySeconds": nil}, 30 * time.Second},
			"number": {object{"timeDelayToVerifySeconds": 90}, 90 * time.Second}, "text": {object{"timeDelayToVerifySeconds": "12.5"}, 12500 * time.Millisecond},
			"none": {object{"timeDelayToVerifySeconds": 0}, 0}, "week": {object{"timeDelayToVerifySeconds": 604800}, 7 * 24 * time.Hour},
		} {
			rule := link(s, nil, c.metadata)
			user := object{"walletAddress": name}
			s.Clock.Set(apptest.Noon)
			done := s.Complete(rule, user).OK()
			data := done["data"].(object)
			if done["message"] != "Link click being verified, come back later to check the status" || data["status"] != "pending" ||
				len(data["rewards"].([]any)) != 0 ||
				data["loyaltyTransactionId"] != nil ||
				s.Balance(name) != "" {
				t.Errorf("%s: %v, balance %q", name, done, s.Balance(name))
			}
			if c.delay > 0 {
				s.Complete(rule, user).Refused(400, "Link already clicked, your reward is being processed")
				s.Complete(rule, object{"walletAddress": name, "verifyOnly": true}).
					Refused(400, "Link already clicked, your reward is being processed")
				s.Clock.Set(apptest.Noon.Add(c.delay - 100*time.Millisecond))
				if n := s.RunCompletionJobs(); n != 0 {
					t.Errorf("%s: %d jobs before the delay is over", name, n)
				}
			}
			s.Clock.Set(apptest.Noon.Add(c.delay + 100*time.Millisecond))
			if n := s.RunCompletionJobs(); n != 1 || s.Balance(name) != "10" {
				t.Errorf("%s: %d jobs, balance %q", name, n, s.Balance(name))
			}
			if n := s.RunCompletionJobs(); n != 0 {
				t.Errorf("%s: %d jobs after it is paid", name, n)
			}
			s.Complete(rule, user).Refused(400, "You have already been rewarded")
		}
	})
}

func TestAClickCountsFromTheMomentItWasMade(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		midnight := at("2026-01-15T00:00:00Z")
		daily := link(s, object{"interval": "daily"}, nil)
		ending := link(s, object{"endTime": midnight}, nil)
		s.Clock.Set(midnight.Add(-time.Second))
		for _, rule := range []string{daily, ending} {
			s.Complete(rule, object{"walletAddress": "w"}).OK()
		}
		s.Clock.Set(midnight.Add(time.Minute))
		if n := s.RunCompletionJobs(); n != 2 || s.Balance("w") != "20" {
			t.Errorf("%d jobs, balance %s", n, s.Balance("w"))
		}
		s.Complete(ending, object{"walletAddress": "other"}).Refused(400, "Loyalty rule has expired")
		s.Complete(daily, object{"walletAddress": "w"}).OK() // the click before midnight took yesterday's window
		s.Clock.Advance(time.Minute)
		s.RunCompletionJobs()
		if got := s.Balance("w"); got != "30" {
			t.Errorf("balance %s, want 30", got)
		}
	})
}

func TestAClickIsJudgedAgainWhenItHasAged(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		coins := s.Post("/api/loyalty/currencies", object{"name": "Coins", "symbol": "C", "decimals": 0}).OK()["id"].(string)
		own := object{"loyaltyCurrencyId": s.LoyaltyCurrencyID}
		for name, c := range map[string]struct {
			properties object
			meanwhile  func(rule string)
			want, paid string
		}{
			"deleted": {own, func(r string) { s.Remove("/api/loyalty/rules/" + r) }, "failed: Loyalty rule not found", ""},
			"unset":   {own, func(r string) { s.Update(r, object{"metadata": object{}}) }, "failed: Rule is not setup", ""},
			"blocked": {own, func(string) {
				s.Post("/api/users/metadatas", object{"walletAddress": "blocked", "isBlocked": true}).OK()
			},
				"failed: Access restricted. Your account is blocked.", ""},
			"currency": {object{"loyaltyCurrencyId": coins}, func(string) { s.Remove("/api/loyalty/currencies/" + coins) }, "failed: Loyalty currency not found", ""},
			"progress": {own, func(r string) { s.Update(r, object{"trackProgress": true}) }, "failed: Quest not completed", ""},
			"raised":   {own, func(r string) { s.Update(r, object{"amount": 25}) }, "completed: Completed", "25"},
			"ended":    {own, func(r string) { s.Update(r, object{"endTime": s.Clock.Now().Add(time.Second)}) }, "completed: Completed", "10"},
		} {
			rule := link(s, c.properties, nil)
			s.Complete(rule, object{"walletAddress": name}).OK()
			c.meanwhile(rule)
			s.Clock.Advance(time.Minute)
			if n := s.RunCompletionJobs(); n != 1 {
				t.Errorf("%s: %d jobs", name, n)
			}
			if got := processingStatus(s, rule, name); got != c.want || s.Balance(name) != c.paid {
				t.Errorf("%s: %q and balance %q, want %q and %q", name, got, s.Balance(name), c.want, c.paid)
			}
		}
	})
}

func TestARuleRequiredAfterTheClickDoesNotMatter(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := link(s, nil, nil)
		s.Complete(rule, object{"walletAddress": "w"}).OK()
		s.Rule("check_in", object{"isRequired": true})
		s.Clock.Advance(time.Minute)
		s.RunCompletionJobs()
		if got := processingStatus(s, rule, "w"); got != "completed: Completed" {
			t.Error(got)
		}
	})
}

func TestConcurrentClicksAndWorkersPayOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := link(s, nil, nil)
		s.In("a", "g")
		s.In("b", "g") // a group shares the window, not the click
		const clicks = 40
		statuses := map[string]int{}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for i := range clicks {
			wg.Go(func() {
				a := s.Complete(rule, object{"walletAddress": []string{"w", "a", "b", fmt.Sprint("x", i)}[i%4]})
				mu.Lock()
				defer mu.Unlock()
				statuses[fmt.Sprint(a.Status, a.JSON()["message"])]++
			})
		}
		wg.Wait()
		if statuses["200Link click being verified, come back later to check the status"] != 13 ||
			statuses["400Link already clicked, your reward is being processed"] != 27 {
			t.Errorf("answers: %v", statuses)
		}
		s.Clock.Advance(time.Minute)
		for range 4 {
			wg.Go(func() { s.RunCompletionJobs() })
		}
		wg.Wait()
		if sum := s.Balance("a") + s.Balance("b"); s.Balance("w") != "10" || sum != "10" {
			t.Errorf("w has %s, the group %s", s.Balance("w"), sum)
		}
		if list := s.Get("/api/loyalty/transaction_entries?limit=100").Data(); len(list) != 12 {
			t.Errorf("%d payments, want 12", len(list))
		}
		s.Sound()
	})
}

func TestClickRulesNeedALinkAndAnOwnMember(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		bare := s.Rule("link_click", nil)
		s.Complete(bare, object{"walletAddress": "w"}).Refused(400, "Rule is not setup")
		rule := link(s, nil, nil)
		if done := s.Complete(rule, object{"walletAddress": "v", "verifyOnly": true}).
			OK(); done["data"].(object)["status"] != "completed" {
			t.Errorf("verifyOnly: %v", done)
		}
		client := func(rule string) apptest.Response {
			return s.Call(
				s.ClientAPIKey,
				http.MethodPost,
				"/api/loyalty/rules/"+rule+"/complete",
				object{"walletAddress": "w"},
				"Authorization",
				"Bearer "+s.Token("w"),
			)
		}
		if done := client(rule).OK(); done["data"].(object)["status"] != "pending" {
			t.Errorf("a member's click: %v", done)
		}
		s.Clock.Advance(time.Minute)
		if n := s.RunCompletionJobs(); n != 1 || s.Balance("w") != "10" || s.Balance("v") != "" {
			t.Errorf("%d jobs, balances %q and %q", n, s.Balance("w"), s.Balance("v"))
		}
		bonus := s.Rule("bonus", nil)
		client(bonus).Refused(400, "Quest not completed")
		s.Complete(bonus, object{"walletAddress": "w"}).OK()
		client(bonus).Refused(400, "You have already been rewarded")
	})
}
