package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel/internal/dev/apptest"
	"laurel/internal/tenancy"
)

func TestPagesWithoutAWebsiteHaveAMenu(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.Admin(tenancy.RoleSuperAdmin)
		b.Get(b.Site("")).Shows(200)
		for _, path := range []string{"/admin/account", "/admin/websites"} {
			b.Get(path).Shows(200, `<nav class="side"`, `href="`+b.Site("")+`"`, "Overview of ", `href="/admin/websites"`,
				`href="/admin/account"`)
		}
		s.Stranger().Get("/admin/nowhere").Shows(404).Lacks(`<nav class="side"`)
	})
}

func TestTheServersOwnAddressLeadsToTheDashboard(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		p := s.Stranger().Get("/")
		if p.Status != http.StatusFound || p.Location != "/admin" {
			t.Errorf("/ answers %d to %q", p.Status, p.Location)
		}
	})
}

func TestFormsThatCountOnceAreKeptByTheBrowser(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.Admin(tenancy.RoleSuperAdmin)
		for _, path := range []string{"/groups", "/team", "/keys/new", "/currencies/new", "/rules/new?type=external_rule"} {
			if got := b.Get(b.Site(path)).Header.Get("Cache-Control"); got != "private, no-cache" {
				t.Errorf("%s: %q", path, got)
			}
		}
		if got := b.Get(b.Site("/members")).Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("other pages: %q", got)
		}
		key := match(t, b.Get(b.Site("/groups")), `name="once" value="([^"]+)"`)
		made := b.Post(b.Site("/groups?form"), "once", key, "name", "Once")
		if !strings.HasSuffix(made.Location, "?after="+key) {
			t.Errorf("the form leads to %q, which is the address that the browser keeps it under", made.Location)
		}
		if out := b.Post("/admin/sign-out"); out.Header.Get("Clear-Site-Data") == "" {
			t.Error("signing out leaves pages behind")
		}
	})
}
