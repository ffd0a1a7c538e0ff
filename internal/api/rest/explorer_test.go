package rest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"laurel.example/laurel/internal/api/rest"
)

var (
	inlineBlock  = regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`)
	inlineInTags = regexp.MustCompile(`<[^!][^>]*\s(?:on\w+|style)\s*=`)
)

func TestTheExplorerRunsOnlyItsOwnScriptsAndInNoFrame(t *testing.T) {
	t.Parallel()
	eachServer(t, func(c *rest.Config) { c.Prefix = "/loyalty" }, func(s *server) {
		for _, path := range []string{"/docs/api", "/docs/api/", "/docs/api/swagger-ui-bundle.js", "/docs/api/oauth2-redirect.html"} {
			r := s.do(call{method: "GET", path: "/loyalty" + path})
			policy := map[string]string{}
			for directive := range strings.SplitSeq(r.header.Get("Content-Security-Policy"), "; ") {
				name, sources, _ := strings.Cut(directive, " ")
				policy[name] = sources
			}
			for name, want := range map[string]string{"default-src": "'none'", "frame-ancestors": "'none'", "base-uri": "'none'",
				"form-action": "'none'", "connect-src": "'self'"} {
				if policy[name] != want {
					s.Errorf("%s: %s is %q, want %q", path, name, policy[name], want)
				}
			}
			if got := r.header.Get("X-Frame-Options"); got != "DENY" {
				s.Errorf("%s: X-Frame-Options %q", path, got)
			}
			for name, sources := range policy {
				for _, loose := range []string{"unsafe-", "*", "http:", "https:"} {
					if strings.Contains(sources, loose) {
						s.Errorf("%s: %s allows %s", path, name, sources)
					}
				}
			}
			if !strings.HasSuffix(strings.TrimSuffix(path, "/"), "/docs/api") {
				continue
			}
			blocks := inlineBlock.FindAllStringSubmatch(r.body, -1)
			for _, block := range blocks {
				sum := sha256.Sum256([]byte(block[2]))
				hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
				if !strings.Contains(policy[block[1]+"-src"], hash) {
					s.Errorf("%s: a <%s> of the page is not allowed to run: %.80s", path, block[1], block[2])
				}
			}
			if found := inlineInTags.FindString(r.body); len(blocks) < 2 || found != "" {
				s.Errorf("%s: %d blocks, and %s", path, len(blocks), found)
			}
		}
	})
}
