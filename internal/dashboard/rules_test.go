package dashboard_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// match returns what a pattern finds on a page.
func match(t *testing.T, p apptest.Page, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(p.Body)
	if found == nil {
		t.Fatalf("nothing on the page is like %s: %s", pattern, p.Body)
	}
	return html.UnescapeString(found[1])
}

// containsRaw reports whether the page holds a text as it stands.
func containsRaw(p apptest.Page, text string) bool { return strings.Contains(p.Body, text) }

func TestRulesAreListedByGroupStateAndType(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get(b.Site("/rules")).Shows(200, "No rules yet", "Create rule").Hides("<table")
		group := s.CreateGroup(object{"name": "Every<day>"})
		later, before := s.Clock.Now().Add(time.Hour).Format(time.RFC3339),
			s.Clock.Now().Add(-time.Hour).Format(time.RFC3339)
		rule := s.Rule("check_in", object{"name": "Come <b>by</b>", "loyaltyRuleGroupId": group, "amount": 1234.5})
		s.Rule("bonus", object{"name": "Later bonus", "startTime": later})
		s.Rule("quiz", object{"name": "Old quiz", "endTime": before})
		s.Rule("quiz", object{"name": "Trap", "isSpecial": true})
		all := b.Get(b.Site("/rules")).Shows(200, "Come <b>by</b>", "Every<day>", "1,234.5", "Active", "Later bonus",
			"Scheduled", "Old quiz", "Ended", "/rules/"+rule).Hides("Trap", "No rules yet")
		if containsRaw(all, "<b>by</b>") {
			t.Error("a name is not escaped")
		}
		for query, want := range map[string]string{
			"?state=active": "Come <b>by</b>", "?state=scheduled": "Later bonus", "?state=ended": "Old quiz",
			"?type=check_in": "Come <b>by</b>", "?group=" + group: "Come <b>by</b>", "?honeypots=1": "Trap",
			"?group=none&state=ended": "Old quiz",
		} {
			page := b.Get(b.Site("/rules"+query)).Shows(200, want)
			for _, other := range []string{"Come <b>by</b>", "Later bonus", "Old quiz", "Trap"} {
				if other != want {
					page.Hides(other)
				}
			}
		}
		b.Get(b.Site("/rules?type=poll")).Shows(200, "No matching rules", "Clear filters")
		b.Get(b.Site("/rules?group=x")).Shows(404)
		s.SignInAdmin(tenancy.RoleViewer).Get(b.Site("/rules")).Shows(200, "Old quiz").Hides("Create rule")
	})
}

func TestRulesAreListedPageByPage(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		s.Rule("bonus", object{"name": "The first one"})
		for range 50 {
			s.Clock.Advance(time.Second)
			s.Rule("bonus", nil)
		}
		first := b.Get(b.Site("/rules?state=active")).Shows(200).Hides("The first one")
		b.Get(match(t, first, `href="([^"]+startingAfter=[^"]+)"`)).Shows(200, "The first one")
		b.Get(b.Site("/rules?startingAfter=x")).Shows(400)
	})
}
