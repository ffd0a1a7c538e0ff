package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel"
	"laurel/internal/app"
	"laurel/internal/tenancy"
)

// otherSite makes a second website of the program's organization and returns it with a publishable key.
func (s *server) otherSite() (site, key string) {
	s.t.Helper()
	site = s.call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": "Other"}).ok()["id"].(string)
	id, err := laurel.ParseID(site)
	if err != nil {
		s.t.Fatal(err)
	}
	made, err := s.app.Tenancy.CreateKey(
		s.t.Context(),
		laurel.Scope{OrganizationID: s.OrganizationID, Role: laurel.RoleOrganization},
		tenancy.CreateKeyInput{Role: laurel.RoleClient, WebsiteID: id, Name: "client"},
	)
	if err != nil {
		s.t.Fatal(err)
	}
	return site, made.Key
}

func TestCompletionsThroughPublishableKeysAreLimited(t *testing.T) {
	t.Parallel()
	eachWith(t, app.Config{}, func(t *testing.T, s *server) {
		var rules []string
		for range 4 {
			rules = append(rules, s.rule("check_in", nil))
		}
		complete := func(key, rule, token string) answer {
			t.Helper()
			return s.call(
				key,
				http.MethodPost,
				"/api/loyalty/rules/"+rule+"/complete",
				object{"walletAddress": "w"},
				"Authorization",
				"Bearer "+token,
			)
		}
		told := func(got answer, policy, limit string) {
			t.Helper()
			if got.header.Get("RateLimit-Policy") != policy || !strings.HasPrefix(got.header.Get("RateLimit"), limit) {
				t.Errorf(
					"%d told %s and %s, want %s and %s",
					got.status,
					got.header.Get("RateLimit-Policy"),
					got.header.Get("RateLimit"),
					policy,
					limit,
				)
			}
		}
		token := s.token("w")
		other, key := s.otherSite()
		there := s.call(s.OrganizationAPIKey, http.MethodPost, "/api/users/tokens", object{"walletAddress": "w", "websiteId": other}).ok()["token"].(string)
		for range 2 { // a key of another website asks for this website's rule
			complete(key, rules[0], there).refused(404, "Loyalty rule not found")
		}
		for left := 1; left >= 0; left-- {
			got := complete(s.ClientAPIKey, rules[0], token)
			if got.status == http.StatusTooManyRequests {
				t.Errorf("refused with %d left: the other website used this one's up", left+1)
			}
			told(got, `"completions-per-rule";q=2;w=60`, fmt.Sprintf(`"completions-per-rule";r=%d;t=`, left))
		}
		got := complete(s.ClientAPIKey, rules[0], token)
		got.refused(429, "Too many requests, please try again later.")
		told(got, `"completions-per-rule";q=2;w=60`, `"completions-per-rule";r=0;t=`+got.header.Get("Retry-After"))
		for _, rule := range []string{rules[1], rules[1], rules[2], rules[2]} { // the refused one counts for the member
			if got := complete(s.ClientAPIKey, rule, token); got.status == http.StatusTooManyRequests {
				t.Error(got.body)
			}
		}
		got = complete(s.ClientAPIKey, rules[3], token)
		got.refused(429, "Too many requests, please try again later.")
		told(got, `"completions";q=7;w=60`, `"completions";r=0;t=`+got.header.Get("Retry-After"))
		told(s.complete(rules[3], object{"walletAddress": "w"}), `"default";q=1000;w=1`, `"default";r=`)
	})
}
