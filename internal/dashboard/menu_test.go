package dashboard_test

import (
	"regexp"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// TestTheMenuUnfoldsWhereThePageIs: one group is open, that of the page, so that the menu fits a window. What is only
// about blockchains is in a group of its own while none is read.
func TestTheMenuUnfoldsWhereThePageIs(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		group := regexp.MustCompile(`<details class="group"( open)?><summary id="g-(\w+)"`)
		for page, want := range map[string]string{
			"": "program", "/members": "program", "/rules": "program", "/store": "store", "/files": "content",
			"/ledger": "insight", "/keys": "integrate", "/jobs": "operate",
			"/claims": "onchain",
		} {
			var open []string
			all := group.FindAllStringSubmatch(b.Get(b.Site(page)).Shows(200).Body, -1)
			for _, g := range all {
				if g[1] != "" {
					open = append(open, g[2])
				}
			}
			if strings.Join(open, " ") != want || len(all) != 7 {
				t.Errorf("on %q the groups %v of %d are open, want %s", page, open, len(all), want)
			}
		}
	})
}
