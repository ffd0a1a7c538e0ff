package rest_test

import (
	"errors"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
)

func TestKeylessRoutesNeedNoKey(t *testing.T) {
	t.Parallel()
	metrics := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("up 1\n")) })
	eachServer(t, func(c *rest.Config) { c.Metrics = metrics }, func(s *server) {
		for path, holds := range map[string]string{
			"/healthz": `{"status":"ok"}`, "/readyz": allOK, "/metrics": "up 1", "/openapi.json": `"openapi": "3.1.0"`,
			"/docs/api": "/openapi.json", "/docs/api/": "/openapi.json", "/docs/api/swagger-ui.css": ".swagger-ui",
			"/docs": "<h1", "/docs/": "<h1", "/docs/contract/reversals": "<h1", "/docs/search?q=refund": "<mark>",
			"/docs/growth.svg": "<svg",
		} {
			r := s.do(call{method: "GET", path: path, headers: []string{"Accept-Encoding: identity"}})
			if r.status != 200 || !strings.Contains(r.body, holds) {
				s.Errorf("%s: %d %.100s", path, r.status, r.body)
			}
		}
		if page := s.get("", "/docs/api").body; regexp.MustCompile(`(src|href)="(https?:)?//`).MatchString(page) {
			s.Error("the page loads from elsewhere:", page)
		}
	})
}

func TestNotReadyIsUnavailable(t *testing.T) {
	t.Parallel()
	eachServer(t, withParts(func(p *parts) { p.down = errors.New("down") }), func(s *server) {
		s.refused(s.get("", "/readyz"), 503, "Service unavailable")
		s.equal(s.get("", "/healthz").body, `{"status":"ok"}`)
	})
}

func TestASealerThatIsBehindIsToldAndTakesNoNodeOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state rest.SealState
		err   error
		body  string
	}{
		"well": {rest.SealState{Started: true, Entries: 2, Lag: 1500 * time.Millisecond, LastBlock: time.Unix(1_700_000_000, 0)}, nil,
			`{"status":"ok","checks":{"database":"ok","files":"ok","sealer":{"status":"ok","lagEntries":2,"lagSeconds":1.5,"lastBlockAt":"2023-11-14T22:13:20.000Z"},"feed":` + feedOK + `}}`},
		"new": {rest.SealState{}, nil,
			`{"status":"ok","checks":{"database":"ok","files":"ok","sealer":{"status":"starting","lagEntries":0,"lagSeconds":0,"lastBlockAt":null},"feed":` + feedOK + `}}`},
		"behind": {rest.SealState{Started: true, Entries: 10_000, Lag: 61 * time.Second}, nil,
			`{"status":"degraded","checks":{"database":"ok","files":"ok","sealer":{"status":"behind","lagEntries":10000,"lagSeconds":61,"lastBlockAt":null},"feed":` + feedOK + `}}`},
		"never started": {rest.SealState{Entries: 3, Lag: 61 * time.Second}, nil,
			`{"status":"degraded","checks":{"database":"ok","files":"ok","sealer":{"status":"behind","lagEntries":3,"lagSeconds":61,"lastBlockAt":null},"feed":` + feedOK + `}}`},
		"new with entries": {rest.SealState{Entries: 3, Lag: 59 * time.Second}, nil,
			`{"status":"ok","checks":{"database":"ok","files":"ok","sealer":{"status":"starting","lagEntries":3,"lagSeconds":59,"lastBlockAt":null},"feed":` + feedOK + `}}`},
		"unknown": {rest.SealState{}, errors.New("lost"),
			`{"status":"degraded","checks":{"database":"ok","files":"ok","sealer":{"status":"unknown","lagEntries":0,"lagSeconds":0,"lastBlockAt":null},"feed":` + feedOK + `}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachServer(t, withParts(func(p *parts) { p.seals, p.sealsFault = c.state, c.err }), func(s *server) {
				r := s.get("", "/readyz")
				if r.status != 200 {
					s.Errorf("status %d", r.status)
				}
				s.equal(r.body, c.body)
			})
		})
	}
}

func TestAnswersHaveTheHeadersOfTheContract(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for _, r := range []reply{s.get("O", "/api/websites"), s.get("", "/api/websites"), s.get("", "/nothing"), s.get("", "/healthz"), s.get("O", "/api/test/needed")} {
			s.equal(r.header.Get("Content-Type"), "application/json; charset=utf-8")
			s.equal(r.header.Get("Cache-Control"), "no-store")
			s.equal(r.header.Get("X-Content-Type-Options"), "nosniff")
			if _, err := laurel.ParseID(r.header.Get("X-Request-Id")); err != nil {
				s.Error("no request id")
			}
		}
		for sent, kept := range map[string]bool{"abc 1~": true, strings.Repeat("x", 128): true, strings.Repeat("x", 129): false, "caf\u00e9": false} {
			r := s.do(call{method: "GET", path: "/api/websites", headers: []string{"X-Request-Id: " + sent}})
			if (r.header.Get("X-Request-Id") == sent) != kept {
				s.Errorf("%q became %q", sent, r.header.Get("X-Request-Id"))
			}
		}
		r := s.do(call{method: "GET", path: "/api/websites", key: "O", headers: []string{"Accept: text/html"}})
		s.equal(r.header.Get("Content-Type"), "application/json; charset=utf-8")
	})
}

func TestPathsMayEndInASlashAndHeadIsGet(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		s.equal(s.get("O", "/api/websites/?limit=1").body, s.get("O", "/api/websites?limit=1").body)
		s.refused(s.get("O", "/api/websites//"), 404, "Route not found")
		if r := s.do(call{method: "HEAD", path: "/api/websites", key: "O"}); r.status != 200 || r.body != "" {
			s.Error(r)
		}
		if r := s.do(call{method: "HEAD", path: "/api/websites"}); r.status != 403 {
			s.Error(r)
		}
	})
}

func TestPathPrefix(t *testing.T) {
	t.Parallel()
	eachServer(t, func(c *rest.Config) { c.Prefix = "/loyalty/" }, func(s *server) {
		if r := s.get("O", "/loyalty/api/websites"); r.status != 200 {
			s.Error(r)
		}
		for _, path := range []string{"/api/websites", "/loyaltyapi/websites", "/loyalty"} {
			s.refused(s.get("O", path), 404, "Route not found")
		}
		if r := s.get("", "/loyalty/docs/api"); !strings.Contains(r.body, "/loyalty/openapi.json") {
			s.Error(r.body)
		}
		if r := s.get("", "/loyalty/docs"); !strings.Contains(r.body, `action="/loyalty/docs/search"`) {
			s.Error(r.body)
		}
		if r := s.get("", "/loyalty/openapi.json"); !strings.Contains(r.body, `"url": "/loyalty/"`) {
			s.Error(r.body)
		}
	})
}

func TestBodies(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		const path, malformed = "/api/test/write", "Malformed JSON body"
		for body, message := range map[string]string{
			`[]`: malformed, `"x"`: malformed, `{"name":"a"} {}`: malformed, `{"name":"a"`: malformed, ` `: malformed, `null`: malformed,
			"{\"name\":\"\xff\"}": malformed,
			"{}":                  "name is required",
			`{"name":"a` + strings.Repeat(" ", 1<<20-10) + `"}`: "Request body too large",
		} {
			status := 400
			if strings.HasSuffix(message, "large") {
				status = 413
			}
			s.refused(s.post("O", path, body), status, message)
		}
		if r := s.post("O", path, `{"name":"a"}`+strings.Repeat(" ", 1<<20-12)); r.status != 200 {
			s.Error("a body of exactly 1 MiB:", r)
		}
		for media, status := range map[string]int{
			"application/json; charset=utf-8": 200, "APPLICATION/JSON": 200, "text/json": 415, "application/x-www-form-urlencoded": 415, "": 415, "x/;": 415,
		} {
			if r := s.do(
				call{method: "POST", path: path, key: "O", body: `{"name":"a"}`, headers: []string{"Content-Type: " + media}},
			); r.status != status {
				s.Errorf("%s: %d %s", media, r.status, r.body)
			}
		}
		for _, header := range []string{"Content-Type: application/json", "Content-Type: text/plain", "Content-Type: "} {
			r := s.do(
				call{
					method:  "POST",
					path:    "/api/test/things/" + s.site.String() + "/complete",
					key:     "O",
					headers: []string{header},
				},
			)
			if r.status != 200 {
				s.Error("an empty body stands for {}:", r)
			}
		}
		s.equal(s.get("W", "/api/test/things/"+strings.ToUpper(s.site.String())).body, `"`+s.site.String()+`"`)
	})
}

func TestBrowsersMayUsePublishableKeysOnly(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		const origin = "https://shop.example"
		bound := s.key(s.org, laurel.RoleClient, s.site, origin)
		for _, c := range []struct {
			key, origin, allowed string
			status               int
		}{
			{"C", origin, origin, 200}, {"C", "", "", 200}, {bound, origin, origin, 200}, {bound, "", "", 200},
			{bound, "https://evil.example", "", 403}, {"", origin, "*", 403}, {"no key", origin, "*", 403}, {"O", origin, "", 200}, {"W", origin, "", 200},
		} {
			r := s.do(call{method: "GET", path: "/api/test/echo", key: c.key, headers: []string{"Origin: " + c.origin}})
			if r.status != c.status || r.header.Get("Access-Control-Allow-Origin") != c.allowed {
				s.Errorf("%v: %d %v", c, r.status, r.header)
			}
		}
		ask := call{
			method:  "OPTIONS",
			path:    "/api/test/write",
			headers: []string{"Origin: " + origin, "Access-Control-Request-Method: POST"},
		}
		r := s.do(ask)
		s.equal(r.header.Get("Access-Control-Allow-Origin"), origin)
		s.equal(r.header.Get("Access-Control-Allow-Methods"), "POST")
		s.equal(r.header.Get("Access-Control-Allow-Headers"), "X-API-KEY, Authorization, Idempotency-Key, If-Match, Content-Type, Prefer")
		if r.status != 204 || r.body != "" {
			s.Error(r)
		}
		ask.path = "/api/nothing"
		s.refused(s.do(ask), 404, "Route not found")
	})
}

func TestMemberTokensReachTheHandler(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for header, token := range map[string]string{"Bearer abc": "abc", "bearer abc ": "abc", "Basic abc": "", "abc": ""} {
			r := s.do(call{method: "GET", path: "/api/test/echo", key: "C", headers: []string{"Authorization: " + header}})
			s.equal(read[rest.Echo](s, r).Member, token)
		}
	})
}

func TestKeysHaveTheirOwnLimits(t *testing.T) {
	t.Parallel()
	eachServer(t, limits(3, 2, 1), func(s *server) {
		for left := 2; left >= 0; left-- {
			r := s.get("W", "/api/test/needed") // refusals count as well
			s.equal(r.header.Get("RateLimit-Policy"), `"default";q=3;w=3600`)
			if want := `"default";r=` + string(
				rune('0'+left),
			) + `;t=`; r.status != 400 ||
				!strings.HasPrefix(r.header.Get("RateLimit"), want) {
				s.Errorf("%d %q, want %q", r.status, r.header.Get("RateLimit"), want)
			}
		}
		r := s.get("W", "/api/test/echo")
		s.refused(r, 429, "Too many requests, please try again later.")
		if wait := r.header.Get("Retry-After"); wait == "" || !strings.HasSuffix(r.header.Get("RateLimit"), "r=0;t="+wait) {
			s.Error(r.header)
		}
		if r := s.post("W", "/api/test/things/x/complete", "["); r.status != 429 {
			s.Error("the limit stands before everything behind it:", r)
		}
		if r := s.get("R", "/api/test/echo"); r.status != 200 {
			s.Error("another key has a limit of its own:", r)
		}
		s.refused(s.get("lrl_nonsense", "/api/test/echo"), 403, "Invalid API key")
		r = s.get("lrl_nonsense", "/api/test/echo")
		s.refused(r, 429, "Too many requests, please try again later.")
		if r.header.Get("Retry-After") == "" {
			s.Error(r.header)
		}
		if r := s.get("R", "/api/test/echo"); r.status != 200 {
			s.Error("a key that was good passes where another failed:", r)
		}
	})
}

func TestClientKeysAreLimitedPerAddressBehindTrustedProxies(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	configure := func(c *rest.Config) { limits(0, 1, 0)(c); c.TrustedProxies = proxies }
	eachServer(t, configure, func(s *server) {
		for _, c := range []struct {
			forwarded string
			status    int
		}{
			{"192.0.2.1", 200}, {"192.0.2.1", 429}, {"192.0.2.2", 200}, {"192.0.2.99, 192.0.2.1, 10.0.0.3", 429},
			{"192.0.2.3,10.0.0.3", 200}, {"192.0.2.3", 429}, {"192.0.2.3:5678", 429}, {"192.0.2.4:5678, 10.0.0.3:80", 200}, {"192.0.2.4", 429},
			{"[2001:db8::1]:80", 200}, {"[2001:db8::1]", 429}, {"2001:db8::1", 429}, {"::ffff:192.0.2.3", 429}, {"192.0.2.7, nonsense", 200}, {"", 429},
		} {
			r := s.do(
				call{method: "GET", path: "/api/test/echo", key: "C", headers: []string{"X-Forwarded-For: " + c.forwarded}},
			)
			if r.status != c.status {
				s.Errorf("%q: %d", c.forwarded, r.status)
			}
		}
		if r := s.get("O", "/api/test/echo"); r.status != 200 || r.header.Get("RateLimit") != "" {
			s.Error("limits that are off leave no headers:", r)
		}
	})
}

func TestForwardedAddressesOfStrangersAreNotBelieved(t *testing.T) {
	t.Parallel()
	eachServer(t, limits(0, 1, 0), func(s *server) {
		for i, forwarded := range []string{"192.0.2.1", "192.0.2.2"} {
			r := s.do(call{method: "GET", path: "/api/test/echo", key: "C", headers: []string{"X-Forwarded-For: " + forwarded}})
			if want := []int{200, 429}[i]; r.status != want {
				s.Errorf("%d: %d", i, r.status)
			}
		}
	})
}
