package app_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

const (
	statusesPath   = "/api/loyalty/rule_statuses?"
	processingPath = "/api/loyalty/rules/status?"
)

// standing returns the items of both lists in short: wallet and progress, newest first.
func (s *server) standing(query string) (lists [2][]string) {
	s.t.Helper()
	for i, path := range []string{statusesPath, processingPath} {
		lists[i] = []string{}
		for _, item := range s.get(path + query).data() {
			user := s.get("/api/users?userId=" + item["userId"].(string)).data()[0]
			lists[i] = append(lists[i], fmt.Sprintf("%v %v", user["walletAddress"], item["progress"]))
		}
	}
	return lists
}

func TestAStatusIsListedOnceWhileItsUserJoinsAndLeavesAGroup(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"trackProgress": true})
		lists := func(when string, all ...string) {
			t.Helper()
			if got := s.standing("loyaltyRuleId=" + rule); !slices.Equal(got[0], all) || !slices.Equal(got[1], all) {
				t.Errorf("%s: %v, want %v", when, got, all)
			}
		}
		of := func(wallet string, want ...string) {
			t.Helper()
			if got := s.standing("walletAddress=" + wallet); !slices.Equal(got[0], want) || !slices.Equal(got[1], want) {
				t.Errorf("of %s: %v, want %v", wallet, got, want)
			}
		}
		s.progress(rule, "a", object{"progress": 40}).ok()
		s.in("a", "g")
		lists("joined", "a 40")
		of("a", "a 40")
		s.in("b", "g")
		of("b", "a 40")
		s.progress(rule, "c", object{"progress": 60}).ok()
		s.in("c", "g")
		lists("joined by one who acted later", "c 60")
		s.progress(rule, "b", object{"progress": 70}).ok()
		lists("acted on", "b 70")

		s.in("b", nil)
		lists("left by who acted last", "a 70")
		of("b")
		s.in("a", nil)
		lists("left by one with progress of its own", "c 70", "a 40")
		of("a", "a 40")
		s.in("c", "h")
		lists("all left", "c 60", "a 40")
		of("c", "c 60")
		s.progress(rule, "b", object{"progress": 5}).ok()
		lists("begun again", "c 60", "b 5", "a 40")
	})
}

// listed returns what paging through a list tells; between does something while the caller turns from page to page.
func (s *server) listed(path string, between func(page int)) (rules []any) {
	s.t.Helper()
	for after, n := "", 1; ; n++ {
		page := s.get(path + "limit=1" + after)
		for _, item := range page.data() {
			rules = append(rules, item["loyaltyRuleId"])
		}
		if page.ok()["hasNextPage"] == false {
			return rules
		}
		after = "&startingAfter=" + page.data()[0]["id"].(string)
		between(n)
	}
}

// TestPagesOfTheProcessingViewHoldWhileItsItemsEnd turns pages while clicks are paid, fail and leave the ten minutes:
// every item that stays is told once, and no cursor is refused.
func TestPagesOfTheProcessingViewHoldWhileItsItemsEnd(t *testing.T) {
	t.Parallel()
	for turn := range 6 {
		for _, wait := range []time.Duration{time.Minute, time.Hour} {
			t.Run(fmt.Sprint(turn, wait), func(t *testing.T) {
				t.Parallel()
				each(t, func(t *testing.T, s *server) {
					plain := s.rule("external_rule", nil)
					s.progress(plain, "w", object{"progress": 1}).ok()
					var want []any
					for i := range 4 {
						rule := s.rule("link_click", object{"interval": "daily", "metadata": object{"link": "https://a.example"}})
						want = append(want, rule)
						s.complete(rule, object{"walletAddress": "w"}).ok()
						if i == 1 { // known before, clicked again
							s.clock.advance(time.Minute)
							s.jobs()
							s.clock.advance(24 * time.Hour)
							s.complete(rule, object{"walletAddress": "w"}).ok()
						}
						s.clock.advance(time.Second)
					}
					dead := s.rule("link_click", object{"metadata": object{"link": "https://a.example"}})
					s.complete(dead, object{"walletAddress": "w"}).ok()
					s.update(dead, object{"metadata": object{}})
					want = append(want, dead, plain)
					pass := func(n int) {
						if n == turn {
							s.clock.advance(time.Minute)
							s.jobs()
							s.clock.advance(wait)
							s.jobs()
						}
					}
					pass(0)
					got := s.listed(processingPath, pass)
					for _, rule := range want {
						told := len(got) - len(slices.DeleteFunc(slices.Clone(got), func(r any) bool { return r == rule }))
						if gone := rule == dead && wait == time.Hour && turn == 0; !gone && told != 1 || told > 1 {
							t.Errorf("rule %d of %d is told %d times", slices.Index(want, rule), len(want), told)
						}
					}
				})
			})
		}
	}
}
