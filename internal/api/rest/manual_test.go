package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel.example/laurel/internal/api/rest"
)

func TestPagesOfTheDocumentationHaveNoScriptsAndNoFrame(t *testing.T) {
	t.Parallel()
	eachServer(t, func(c *rest.Config) { c.Prefix = "/loyalty" }, func(s *server) {
		for path, status := range map[string]int{
			"/docs": 200, "/docs/guides/online-shop": 200, "/docs/search?q=%3Cscript%3E": 200, "/docs/nothing": 404,
			"/docs/../secret": 404, "/docs/docs.go": 404, "/docs/decisions/README.md": 404,
		} {
			r := s.get("", "/loyalty"+path)
			if r.status != status || strings.Contains(r.body, "<script") {
				s.Errorf("%s: %d", path, r.status)
			}
			if strings.Contains(path, "..") {
				continue // a route that is not there
			}
			policy := r.header.Get("Content-Security-Policy")
			if !strings.HasPrefix(policy, "default-src 'none'; style-src 'self'; ") || strings.Contains(policy, "script-src") ||
				strings.Contains(policy, "unsafe") || !strings.Contains(policy, "frame-ancestors 'none'") {
				s.Errorf("%s: the policy is %s", path, policy)
			}
			s.equal(r.header.Get("X-Frame-Options"), "DENY")
			s.equal(r.header.Get("Content-Type"), "text/html; charset=utf-8")
		}
		for file, page := range map[string]string{
			"/docs/guides/online-shop.md": "/loyalty/docs/guides/online-shop", "/docs/README.md": "/loyalty/docs",
			"/docs/contract/README.md": "/loyalty/docs/contract",
		} {
			r := s.get("", "/loyalty"+file)
			if r.status != 302 || r.header.Get("Location") != page {
				s.Errorf("%s: %d %s", file, r.status, r.header.Get("Location"))
			}
		}
	})
}

func TestTheRootLeadsPeopleToTheDocumentationAndTheDashboard(t *testing.T) {
	t.Parallel()
	pages := func(c *rest.Config) { c.Prefix, c.Pages = "/loyalty", http.NotFoundHandler() }
	eachServer(t, pages, func(s *server) {
		for _, path := range []string{"/loyalty", "/loyalty/"} {
			r := s.do(call{method: "GET", path: path, headers: []string{"Accept: text/html,application/xhtml+xml"}})
			if r.status != 200 {
				s.Errorf("%s: %d", path, r.status)
			}
			for _, link := range []string{"/loyalty/docs", "/loyalty/docs/api", "/loyalty/admin"} {
				if !strings.Contains(r.body, `href="`+link+`"`) {
					s.Errorf("%s: no link to %s", path, link)
				}
			}
			r = s.do(call{method: "GET", path: path, headers: []string{"Accept: */*"}})
			if r.status != 302 || r.header.Get("Location") != "/loyalty/admin" {
				s.Errorf("%s: %d %s", path, r.status, r.header.Get("Location"))
			}
		}
	})
}
