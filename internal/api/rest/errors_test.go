package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel.example/laurel/internal/api/rest"
)

func TestErrorsHaveTheBodiesOfTheContract(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for code, want := range map[string]struct {
			status int
			body   string
			retry  string
		}{
			"refused":     {400, `{"message":"Loyalty rule has expired","code":"rule_expired"}`, ""},
			"rewarded":    {400, `{"message":"You have already been rewarded","code":"already_rewarded","rewarded":true}`, ""},
			"cursor":      {400, `{"message":"startingAfter not found","code":"invalid_request","errors":[{"path":"startingAfter","code":"not_found","message":"startingAfter not found"}]}`, ""},
			"missing":     {404, `{"message":"Account not found","code":"account_not_found"}`, ""},
			"limited":     {429, `{"message":"Too many requests, please try again later.","code":"rate_limited"}`, "7"},
			"unanswered":  {503, `{"success":false,"message":"Provider did not answer in time","code":"provider_unavailable","debugInfo":"r-1"}`, "5"},
			"unavailable": {503, `{"success":false,"message":"Service unavailable","code":"service_unavailable","debugInfo":"r-1"}`, "1"},
			"fault":       {500, `{"success":false,"message":"Internal server error","code":"internal_error","debugInfo":"r-1"}`, ""},
			"panic":       {500, `{"success":false,"message":"Internal server error","code":"internal_error","debugInfo":"r-1"}`, ""},
		} {
			for _, key := range []string{"", "a-key"} { // with an Idempotency-Key answers take another way
				c := call{method: "POST", path: "/api/test/fail/" + code, key: "O", headers: []string{"X-Request-Id: r-1"}}
				if key != "" {
					c.headers = append(c.headers, "Idempotency-Key: "+key+code)
				}
				r := s.do(c)
				if r.status != want.status || r.body != want.body || r.header.Get("Retry-After") != want.retry {
					s.Errorf("%s: got %d %s Retry-After %q", code, r.status, r.body, r.header.Get("Retry-After"))
				}
				s.equal(r.header.Get("Content-Type"), "application/json; charset=utf-8")
				s.equal(r.header.Get("X-Request-Id"), "r-1")
			}
		}
		if log := s.log.String(); !strings.Contains(log, "r-1") || !strings.Contains(log, "a cause for the log only") {
			s.Errorf("the log does not name request and cause: %s", log)
		}
	})
}

func TestDebugModeTellsTheCause(t *testing.T) {
	t.Parallel()
	eachServer(t, func(c *rest.Config) { c.Debug = true }, func(s *server) {
		if r := s.get("O", "/api/test/fail/fault"); !strings.Contains(r.body, "a cause for the log only") {
			s.Error(r.body)
		}
	})
}

func TestUnknownRoutesAndMethodsAreToldBeforeTheKey(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for _, path := range []string{"/", "/api", "/api/nothing", "/api/websites/", "/api/test/things"} {
			if path == "/api/websites/" {
				continue
			}
			s.refused(s.get("", path), 404, "Route not found")
		}
		for path, allow := range map[string]string{
			"/api/websites": "GET, HEAD, POST", "/api/test/write": "POST", "/api/test/things/x": "GET, HEAD", "/healthz": "GET, HEAD",
		} {
			for _, method := range []string{"DELETE", "PUT", "BREW"} {
				r := s.do(call{method: method, path: path})
				s.refused(r, 405, "Method not allowed")
				s.equal(r.header.Get("Allow"), allow)
			}
		}
	})
}

func TestChecksGoInTheOrderOfTheContract(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		bad := call{
			method:  "POST",
			path:    "/api/test/things/x/complete?limit=x",
			body:    "[",
			headers: []string{"Content-Type: text/plain"},
		}
		s.refused(s.do(bad), 403, "API key is required")
		bad.key = "lrl_nonsense"
		s.refused(s.do(bad), 403, "Invalid API key")
		bad.key = "R"
		s.refused(s.do(bad), 403, "API key is read-only")
		bad.key = "S"
		s.refused(s.do(bad), 403, "API key is not allowed to perform this operation")
		bad.key = "W"
		s.equal(
			s.do(bad).body,
			`{"message":"loyaltyRuleId must be a uuid","code":"invalid_request","errors":[{"path":"loyaltyRuleId","code":"not_a_uuid","message":"loyaltyRuleId must be a uuid"}]}`,
		)
		bad.path = strings.Replace(bad.path, "/x/", "/"+s.site.String()+"/", 1)
		s.refused(s.do(bad), 415, "Content-Type must be application/json")
		bad.headers = nil
		s.equal(s.do(bad).body, `{"message":"Malformed JSON body","code":"malformed_json","errors":[]}`)
		bad.body = "{}"
		if r := s.do(bad); r.status != 200 {
			s.Error(r)
		}
	})
}

func TestKeyKinds(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		const kind, only = "API key is not allowed to perform this operation", "API key is read-only"
		for _, c := range []struct{ key, method, path, message string }{
			{"O", "GET", "/api/test/secret", ""}, {"W", "GET", "/api/test/secret", ""}, {"R", "GET", "/api/test/secret", kind},
			{"C", "GET", "/api/test/secret", kind}, {"S", "GET", "/api/test/secret", kind}, {"R", "GET", "/api/websites", ""},
			{"R", "POST", "/api/test/write", only}, {"S", "POST", "/api/test/write", kind}, {"W", "POST", "/api/websites", kind},
			{"C", "POST", "/api/websites", kind}, {"R", "POST", "/api/websites", only},
		} {
			r := s.do(call{method: c.method, path: c.path, key: c.key})
			if c.message != "" {
				s.refused(r, 403, c.message)
			} else if r.status != 200 {
				s.Errorf("%v: %d %s", c, r.status, r.body)
			}
		}
	})
}

func TestForeignTenantsAreForbidden(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		const org, site = "API key does not have access to this organization", "API key does not have access to this website"
		for _, c := range []struct{ key, query, message string }{
			{"O", "organizationId=" + s.foreign.OrganizationID.String(), org},
			{"C", "organizationId=" + s.foreign.OrganizationID.String(), org},
			{"O", "websiteId=" + s.foreign.WebsiteID.String(), site},
			{"W", "websiteId=" + s.other.String(), site},
			{"O", "websiteId=00000000-0000-0000-0000-000000000000", site},
			{"W", "websiteId=00000000-0000-0000-0000-000000000000", site},
			{"O", "organizationId=00000000-0000-0000-0000-000000000000", org},
		} {
			s.refused(s.get(c.key, "/api/test/echo?"+c.query), http.StatusForbidden, c.message)
		}
		if got := read[rest.Echo](
			s,
			s.get("O", "/api/test/echo"),
		); got.Website != nil ||
			got.Organization != s.org.OrganizationID {
			s.Error(got)
		}
		if got := read[rest.Echo](s, s.get("R", "/api/test/echo")); *got.Website != s.site {
			s.Error(got)
		}
		if got := read[rest.Echo](
			s,
			s.get("O", "/api/test/echo?websiteId="+strings.ToUpper(s.other.String())),
		); *got.Website != s.other {
			s.Error(got)
		}
	})
}
