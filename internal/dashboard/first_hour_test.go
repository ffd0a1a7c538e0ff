package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestPagesWithoutAWebsiteHaveAMenu(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		b.Get(b.Site("")).Shows(200)
		for _, path := range []string{"/admin/account", "/admin/websites"} {
			b.Get(path).Shows(200, `<nav class="side"`, `href="`+b.Site("")+`"`, "Overview of ", `href="/admin/websites"`,
				`href="/admin/account"`)
		}
		b.Get("/admin/nowhere").Shows(404, `<nav class="side"`)
	})
}

func TestTheServersOwnAddressLeadsToTheDashboard(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		p := s.NewBrowser().Get("/")
		if p.Status != http.StatusFound || p.Location != "/admin" {
			t.Errorf("/ answers %d to %q", p.Status, p.Location)
		}
	})
}

func TestFormsThatCountOnceAreKeptByTheBrowser(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
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

func TestTheLastOwnerStaysOnTheTeam(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		end := match(t, b.Get(b.Site("/team")), `href="([^"]+/end)"`)
		b.Get(end).Shows(200, "Remove Ines", "You’re removing yourself", "Cancel")
		b.Post(end).Shows(400, "Nothing was saved", "<h1>Team</h1>")
		b.Post(strings.TrimSuffix(end, "/end"), "role", string(tenancy.RoleViewer), "where", "organization").
			Shows(400, "Nothing was saved", "<h1>Team</h1>")
		s.SignInAdmin(tenancy.RoleSuperAdmin)
		b.Post(end).FollowsTo("/admin")
	})
}

func TestRulesThatCannotWorkAreNotCalledActive(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		for kind, says := range map[string]string{"quiz": "no question", "code_entry": "no code", "points_airdrop": "no list"} {
			rule := s.Rule(kind, object{"name": "Bare"})
			b.Get(b.Site("/rules/"+rule)).Shows(200, "Not set up", says).Hides("> Active<")
		}
		b.Get(b.Site("/rules")).Shows(200, "Not set up")
		free := s.Rule("check_in", object{"name": "Free", "amount": nil})
		b.Get(b.Site("/rules/"+free)).Shows(200, "Not set up", "no amount", "#f-amount")
		quiz := s.Rule("quiz", object{"name": "Asks nothing"})
		tried := b.Post(b.Site("/rules/"+quiz+"/try"), "tryMember", "")
		if !strings.Contains(tried.Shows(200).Body, `Fails: </span><a href`) && !strings.Contains(tried.Body, `Fails: </span>Rule setup`) {
			t.Errorf("the rule counts as set up: %s", tried.Body)
		}
		good := s.Rule("check_in", object{"name": "Good"})
		b.Get(b.Site("/rules/"+good)).Shows(200, " Active").Hides("Not set up")
	})
}

func TestPagesThatReadSayWhatToChoose(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get(b.Site("/leaderboard?at=2999-01-01T00:00")).Shows(400, "Choose an earlier time", `name="at"`).
			Hides("Nothing was saved", "Nobody had")
		b.Get(b.Site("/ledger?from=garbage")).Shows(400, "Choose a day for “From”", `name="from"`).
			Hides("Nothing was saved", "No entr")
	})
}

func TestFaultsAreNamedByTheLabelsOfFields(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		base := hidden(b.Get(b.Site("/settings")), "seen")
		b.Post(b.Site("/settings"), "seen", base, "name", "A", "homeUrl", "no address").
			Shows(400, "Home page: ").Hides("homeUrl: ")
		form := []string{"type", "external_rule", "name", "Much", "amount", "99999999999999999", "rewardType", "points"}
		b.Post(b.Site("/rules"), form...).Shows(400, "Amount: Must be less than 9,000,000,000,000").Hides("decimal places, such")
	})
}

func TestTheCurrencyOfANewRuleIsChosenAmongSeveral(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		form := b.Site("/rules/new?type=external_rule")
		b.Get(form).Shows(200, "The website’s only currency")
		b.Post(b.Site("/currencies"), "name", "Gems", "symbol", "G", "decimals", "0").FollowsTo(b.Site("/currencies"))
		page := b.Get(form).Shows(200).Hides("The website’s only currency")
		match(t, page, `name="loyaltyCurrencyId"[^>]*><option value="([^"]+)" selected`)
		b.Post(b.Site("/rules"), "type", "external_rule", "name", "", "amount", "1", "rewardType", "points",
			"interval", "daily").
			Shows(400, "Name: Is required", "Currency: Is required", "2 problems to fix")
	})
}
