package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// otherSite makes a second website of the program's organization and returns it with a publishable key.
func otherSite(s *apptest.Server) (site, key string) {
	s.T.Helper()
	site = s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": "Other"}).OK()["id"].(string)
	id, err := laurel.ParseID(site)
	if err != nil {
		s.T.Fatal(err)
	}
	made, err := s.App.Tenancy.CreateKey(
		s.T.Context(),
		laurel.Scope{OrganizationID: s.OrganizationID, Role: laurel.RoleOrganization},
		tenancy.CreateKeyInput{Role: laurel.RoleClient, WebsiteID: id, Name: "client"},
	)
	if err != nil {
		s.T.Fatal(err)
	}
	return site, made.Key
}

func TestCompletionsThroughPublishableKeysAreLimited(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{}, func(t *testing.T, s *apptest.Server) {
		var rules []string
		for range 4 {
			rules = append(rules, s.Rule("check_in", nil))
		}
		complete := func(key, rule, token string) apptest.Response {
			t.Helper()
			return s.Call(
				key,
				http.MethodPost,
				"/api/loyalty/rules/"+rule+"/complete",
				object{"walletAddress": "w"},
				"Authorization",
				"Bearer "+token,
			)
		}
		requireLimit := func(got apptest.Response, policy, limit string) {
			t.Helper()
			if got.Header.Get("RateLimit-Policy") != policy || !strings.HasPrefix(got.Header.Get("RateLimit"), limit) {
				t.Errorf(
					"%d returned %s and %s, want %s and %s",
					got.Status,
					got.Header.Get("RateLimit-Policy"),
					got.Header.Get("RateLimit"),
					policy,
					limit,
				)
			}
		}
		token := s.Token("w")
		other, key := otherSite(s)
		there := s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/users/tokens", object{"walletAddress": "w", "websiteId": other}).OK()["token"].(string)
		for range 2 { // a key of another website asks for this website's rule
			complete(key, rules[0], there).Refused(404, "Loyalty rule not found")
		}
		for left := 1; left >= 0; left-- {
			got := complete(s.ClientAPIKey, rules[0], token)
			if got.Status == http.StatusTooManyRequests {
				t.Errorf("refused with %d left: the other website used this one's up", left+1)
			}
			requireLimit(got, `"completions-per-rule";q=2;w=60`, fmt.Sprintf(`"completions-per-rule";r=%d;t=`, left))
		}
		got := complete(s.ClientAPIKey, rules[0], token)
		got.Refused(429, "Too many requests, please try again later.")
		requireLimit(got, `"completions-per-rule";q=2;w=60`, `"completions-per-rule";r=0;t=`+got.Header.Get("Retry-After"))
		for _, rule := range []string{rules[1], rules[1], rules[2], rules[2]} { // the refused one counts for the member
			if got := complete(s.ClientAPIKey, rule, token); got.Status == http.StatusTooManyRequests {
				t.Error(got.Body)
			}
		}
		got = complete(s.ClientAPIKey, rules[3], token)
		got.Refused(429, "Too many requests, please try again later.")
		requireLimit(got, `"completions";q=7;w=60`, `"completions";r=0;t=`+got.Header.Get("Retry-After"))
		requireLimit(s.Complete(rules[3], object{"walletAddress": "w"}), `"default";q=1000;w=1`, `"default";r=`)
	})
}
