package dashboard_test

import (
	"testing"

	"laurel/internal/dev/apptest"
	"laurel/internal/tenancy"
)

func TestSettingsTellOfTheWebsiteAndOfLicences(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.Admin(tenancy.RoleViewer)
		b.Get(b.Site("/settings")).Shows(200, "Settings", s.WebsiteID.String(), "laurel ", "htmx.org", "0BSD",
			"Zero-Clause BSD", "lucide-static", "OFL-1.1", "sortablejs", "not set")
		made := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{
			"name": "<u>Shop</u>", "homeUrl": "https://shop.example/?a=1&b=2", "microblogUsername": "acme",
		}).OK()
		owner := s.Admin(tenancy.RoleSuperAdmin)
		owner.Get("/admin/"+made["id"].(string)+"/settings").
			Shows(200, "<u>Shop</u>", "https://shop.example/?a=1&b=2", "acme").Lacks("<u>Shop</u></h1>")
		other := s.NewProgram("Other")
		owner.Get("/admin/" + other.WebsiteID.String() + "/settings").Shows(404)
		s.Stranger().Get(b.Site("/settings")).Leads("/admin/sign-in")
	})
}
