package dashboard_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"laurel.example/laurel"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestSettingsTellOfTheWebsiteAndOfLicences(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleViewer)
		b.Get(b.Site("/settings")).Shows(200, "Settings", s.WebsiteID.String(), "laurel ", "htmx.org", "0BSD",
			"Zero-Clause BSD", "lucide-static", "OFL-1.1", "sortablejs", "not set")
		made := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{
			"name": "<u>Shop</u>", "homeUrl": "https://shop.example/?a=1&b=2", "microblogUsername": "acme",
		}).OK()
		owner := s.SignInAdmin(tenancy.RoleSuperAdmin)
		owner.Get("/admin/"+made["id"].(string)+"/settings").
			Shows(200, "<u>Shop</u>", "https://shop.example/?a=1&b=2", "acme").Hides("<u>Shop</u></h1>")
		other := s.NewProgram("Other")
		owner.Get("/admin/" + other.WebsiteID.String() + "/settings").Shows(404)
		s.NewBrowser().Get(b.Site("/settings")).FollowsTo("/admin/sign-in")
	})
}

// hidden is a hidden control of a page.
func hidden(p apptest.Page, name string) string {
	p.T.Helper()
	found := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(p.Body)
	if found == nil {
		p.T.Fatalf("no %s in %s", name, p.Body)
	}
	return found[1]
}

func TestAWebsiteIsChanged(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		address := b.Site("/settings")
		baseVersion := hidden(b.Get(address).Shows(200, "Save changes").Hides("Rename organization"), "seen")
		b.Post(address, "seen", baseVersion, "name", "", "homeUrl", "<shop>").Shows(400, "problems to fix", "<shop>")
		b.Post(address, "seen", baseVersion, "name", "Shop <b>", "homeUrl", "https://shop.example", "trustClientUsers", "true").
			FollowsTo(address).Shows(200, "Changes saved", "Shop <b>", "https://shop.example", `value="true" checked`)
		site := func() apptest.Object { return s.Get("/api/websites").Data()[0] }
		if got := site(); got["name"] != "Shop <b>" || got["trustClientUsers"] != true || got["messengerUrl"] != nil {
			t.Error(got)
		}
		conflict := b.Post(address, "seen", baseVersion, "name", "Mine").
			Shows(400, "Error: Settings", "Someone else changed this while you were editing", "Mine", "Shop <b>", "Overwrite their changes")
		if site()["name"] != "Shop <b>" {
			t.Error("a form made of something older was saved")
		}
		b.Post(address, "seen", hidden(conflict, "seen"), "name", "Mine").FollowsTo(address).Shows(200, "Mine")
		b.Post(b.Site("/settings/organization"), "name", "Other").Shows(403, "The Manager role")
		b.Get(b.Site("/settings/website")).Shows(403)
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Post(address, "name", "Viewed").Shows(403, "The Viewer role")
		v.Get(address).Shows(200, "Mine").Hides("Save changes")
		other := s.NewProgram("Other")
		b.Post("/admin/"+other.WebsiteID.String()+"/settings", "name", "Far").Shows(404)
	})
}

func TestAnOwnerRenamesAndMakesWebsites(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		b.Post(b.Site("/settings/organization"), "name", "").Shows(400, "Error: Settings")
		b.Post(b.Site("/settings/organization"), "name", "Acme <i>").FollowsTo(b.Site("/settings")).
			Shows(200, "Organization renamed", "Acme <i>")
		b.Get(b.Site("/settings/website")).Shows(200, "New website")
		b.Post(b.Site("/settings/website"), "website", "Second", "currency", "").Shows(400, "Second", "currency")
		made := b.Post(b.Site("/settings/website"), "website", "Second <b>", "currency", "Nuts")
		made.FollowsTo("/admin/").Shows(200, "Website created", "New API key", "Second <b>")
		home := strings.TrimSuffix(made.Location, "/keys/new")
		b.Get(home+"/currencies").Shows(200, "Nuts", "NUTS")
		b.Get(b.Site("/settings")).Shows(200, "Second <b>")
		b.Get(b.Site("/activity")).Shows(200, "Created a website", "Renamed the organization")
	})
}

func TestAllWebsitesAreFound(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		scope := laurel.Scope{OrganizationID: s.OrganizationID, Role: laurel.RoleOrganization}
		for i := range 120 {
			in := tenancy.CreateWebsiteInput{Name: fmt.Sprintf("Shop %03d", i)}
			if _, err := s.App.Tenancy.CreateWebsite(t.Context(), scope, in); err != nil {
				t.Fatal(err)
			}
		}
		b := s.SignInAdmin(tenancy.RoleViewer)
		first := b.Get(b.Site("/rules")).Shows(200, "All websites", "Shop 119").Hides("Shop 000")
		listed, page := map[string]bool{}, first.Get("/admin/websites")
		next := regexp.MustCompile(`href="([^"]+)" rel="next"`)
		for {
			for _, name := range regexp.MustCompile(`<b>(Shop \d{3}|Acme site)</b>`).FindAllStringSubmatch(page.Body, -1) {
				listed[name[1]] = true
			}
			more := next.FindStringSubmatch(page.Body)
			if more == nil {
				break
			}
			page = b.Get(html.UnescapeString(more[1])).Shows(200)
		}
		if len(listed) != 121 {
			t.Errorf("%d of 121", len(listed))
		}
		b.Get("/admin/websites?q=shop+007").Shows(200, "<b>Shop 007").Hides("<b>Shop 008")
		b.Get("/admin/websites?q=<nobody>").Shows(200, "No website matches “<nobody>”")
	})
}

func TestAnOwnerSignsTheTermsOfAWebsite(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		manager, owner := s.SignInAdmin(tenancy.RoleAdmin), s.SignInAdmin(tenancy.RoleSuperAdmin)
		manager.Get(manager.Site("/settings")).Shows(200, "haven’t been signed yet").Hides("Record signature")
		manager.Post(manager.Site("/settings/terms")).Shows(403)
		signed := func() any { return s.Get("/api/websites").Data()[0]["termsSignedAt"] }
		if signed() != nil {
			t.Error(signed())
		}
		owner.Post(owner.Site("/settings/terms")).FollowsTo(owner.Site("/settings")).
			Shows(200, "Signature recorded", "Record signature again")
		if at, ok := signed().(string); !ok || at[:10] != apptest.Noon.Format("2006-01-02") {
			t.Error(signed())
		}
	})
}
