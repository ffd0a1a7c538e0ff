package dashboard_test

import (
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// Codes complete a rule, and addresses of lists are as open as what is in them: who may not change rules sees neither.
func TestCodesAndListsAreForWhoMayChangeRules(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("code_entry", object{"metadata": object{"promoCodeType": "code", "promoCode": "SUN-SECRET"}})
		s.Update(rule, object{"metadata": object{"promoCodeType": "code", "promoCode": "MOON-SECRET"}})
		list := s.Upload("members.csv", "walletAddress\nmaren@secret.example\n")
		s.Update(rule, object{"loyaltyUserAllotmentCsvUrl": list})
		manager := s.SignInAdmin(tenancy.RoleAdmin)
		manager.Get(manager.Site("/rules/"+rule)).Shows(200, "MOON-SECRET")
		manager.Get(manager.Site("/rules/"+rule+"/history")).Shows(200, "SUN-SECRET", "MOON-SECRET", list)
		for _, role := range []laurel.Role{tenancy.RoleViewer, tenancy.RoleModerator, tenancy.RoleDeveloper} {
			b := s.SignInAdmin(role)
			b.Get(b.Site("/rules/"+rule)).Shows(200).Hides("SUN-SECRET", "MOON-SECRET", list, "/files/")
			b.Get(b.Site("/rules/"+rule+"/history")).Shows(200, "Code", "not shown").
				Hides("SUN-SECRET", "MOON-SECRET", list, "/files/")
			b.Post(b.Site("/rules/"+rule+"/try"), "member", "maren-1").Hides("SUN-SECRET", "MOON-SECRET", list)
		}
	})
}

func TestProgramsAndWebsitesAreMadeOncePerForm(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		for _, path := range []string{b.Site("/settings/website"), "/admin/setup"} {
			page := b.Get(path)
			form := []string{
				"organization", "Birch", "website", "birch.example", "currency", "Leaves",
				"once", match(t, page, `name="once" value="([^"]+)"`),
			}
			first, second := b.Post(path, form...), b.Post(path, form...)
			if first.Status != 303 || second.Location != first.Location {
				t.Errorf("%s leads to %q, then to %q", path, first.Location, second.Location)
			}
			b.Get(second.Location).Shows(200, "applied only once")
		}
		list, err := s.App.Tenancy.ListOrganizations(t.Context(), laurel.PageRequest{Limit: 100})
		if err != nil || len(list.Data) != 2 {
			t.Errorf("organizations: %v, %v", list.Data, err)
		}
	})
}

// A role on few of many websites costs what those few cost.
func TestWhoHasARoleOnOneWebsiteSeesThatOne(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		owner := s.SignInAdmin(tenancy.RoleSuperAdmin)
		for _, name := range []string{"One", "Two", "Three"} {
			owner.Post(owner.Site("/settings/website"), "website", name, "currency", "Nuts").FollowsTo("/admin/")
		}
		made := owner.Post(owner.Site("/team"), "role", string(tenancy.RoleViewer), "where", "website",
			"email", "g@acme.example")
		guest := s.NewBrowser()
		link := "/admin/link/" + textBetween(t, made.Body, "/admin/link/", "<", "Send this link")
		guest.Post(link, "email", "g@acme.example", "password", apptest.Password).FollowsTo("/admin/").
			FollowsTo(guest.Site("")).Shows(200, "Acme site").Hides("Three", "Two")
		guest.Get("/admin/websites").Shows(200, "Acme site").Hides("Three", "Two")
	})
}
