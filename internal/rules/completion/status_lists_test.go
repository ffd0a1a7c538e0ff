package completion_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

const (
	statusesPath   = "/api/loyalty/rule_statuses?"
	processingPath = "/api/loyalty/rules/status?"
)

// listWith returns the items of both lists in short: wallet and progress, newest first.
func listWith(s *apptest.Server, query string) (lists [2][]string) {
	s.T.Helper()
	for i, path := range []string{statusesPath, processingPath} {
		lists[i] = []string{}
		for _, item := range s.Get(path + query).Data() {
			user := s.Get("/api/users?userId=" + item["userId"].(string)).Data()[0]
			lists[i] = append(lists[i], fmt.Sprintf("%v %v", user["walletAddress"], item["progress"]))
		}
	}
	return lists
}

func TestAStatusIsListedOnceWhileItsUserJoinsAndLeavesAGroup(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"trackProgress": true})
		lists := func(when string, all ...string) {
			t.Helper()
			if got := listWith(s, "loyaltyRuleId="+rule); !slices.Equal(got[0], all) || !slices.Equal(got[1], all) {
				t.Errorf("%s: %v, want %v", when, got, all)
			}
		}
		of := func(wallet string, want ...string) {
			t.Helper()
			if got := listWith(s, "walletAddress="+wallet); !slices.Equal(got[0], want) || !slices.Equal(got[1], want) {
				t.Errorf("of %s: %v, want %v", wallet, got, want)
			}
		}
		s.Progress(rule, "a", object{"progress": 40}).OK()
		s.In("a", "g")
		lists("joined", "a 40")
		of("a", "a 40")
		s.In("b", "g")
		of("b", "a 40")
		s.Progress(rule, "c", object{"progress": 60}).OK()
		s.In("c", "g")
		lists("joined by one who acted later", "c 60")
		s.Progress(rule, "b", object{"progress": 70}).OK()
		lists("acted on", "b 70")

		s.In("b", nil)
		lists("left by who acted last", "a 70")
		of("b")
		s.In("a", nil)
		lists("left by one with progress of its own", "c 70", "a 40")
		of("a", "a 40")
		s.In("c", "h")
		lists("all left", "c 60", "a 40")
		of("c", "c 60")
		s.Progress(rule, "b", object{"progress": 5}).OK()
		lists("begun again", "c 60", "b 5", "a 40")
	})
}

// listed returns what paging through a list tells; between does something while the caller turns from page to page.
func listed(s *apptest.Server, path string, between func(page int)) (rules []any) {
	s.T.Helper()
	for after, n := "", 1; ; n++ {
		page := s.Get(path + "limit=1" + after)
		for _, item := range page.Data() {
			rules = append(rules, item["loyaltyRuleId"])
		}
		if page.OK()["hasNextPage"] == false {
			return rules
		}
		after = "&startingAfter=" + page.Data()[0]["id"].(string)
		between(n)
	}
}

// TestPagesOfTheProcessingViewHoldWhileItsItemsEnd turns pages while clicks are paid, fail and leave the ten minutes:
// every item that stays is listed once, and no cursor is refused.
func TestPagesOfTheProcessingViewHoldWhileItsItemsEnd(t *testing.T) {
	t.Parallel()
	for turn := range 6 {
		for _, wait := range []time.Duration{time.Minute, time.Hour} {
			t.Run(fmt.Sprint(turn, wait), func(t *testing.T) {
				t.Parallel()
				apptest.Each(t, func(t *testing.T, s *apptest.Server) {
					plain := s.Rule("external_rule", nil)
					s.Progress(plain, "w", object{"progress": 1}).OK()
					var want []any
					for i := range 4 {
						rule := s.Rule("link_click", object{"interval": "daily", "metadata": object{"link": "https://a.example"}})
						want = append(want, rule)
						s.Complete(rule, object{"walletAddress": "w"}).OK()
						if i == 1 { // known before, clicked again
							s.Clock.Advance(time.Minute)
							s.RunCompletionJobs()
							s.Clock.Advance(24 * time.Hour)
							s.Complete(rule, object{"walletAddress": "w"}).OK()
						}
						s.Clock.Advance(time.Second)
					}
					dead := s.Rule("link_click", object{"metadata": object{"link": "https://a.example"}})
					s.Complete(dead, object{"walletAddress": "w"}).OK()
					s.Update(dead, object{"metadata": object{}})
					want = append(want, dead, plain)
					pass := func(n int) {
						if n == turn {
							s.Clock.Advance(time.Minute)
							s.RunCompletionJobs()
							s.Clock.Advance(wait)
							s.RunCompletionJobs()
						}
					}
					pass(0)
					got := listed(s, processingPath, pass)
					for _, rule := range want {
						listed := len(got) - len(slices.DeleteFunc(slices.Clone(got), func(r any) bool { return r == rule }))
						if gone := rule == dead && wait == time.Hour && turn == 0; !gone && listed != 1 || listed > 1 {
							t.Errorf("rule %d of %d is listed %d times", slices.Index(want, rule), len(want), listed)
						}
					}
				})
			})
		}
	}
}
