package dashboard_test

import (
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

const unknownID = "0190a1b2-0000-7000-8000-000000000001"

func TestACurrencyIsMadeChangedAndDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		s.Credit(apptest.Wallet(1), 30)
		s.Credit(apptest.Wallet(2), 1212)
		b.Get(b.Site("/currencies")).Shows(200, "Total balance", "1,242", "Create currency")
		b.Get(b.Site("/currencies/new")).Shows(200, "Points expire after", "Rewards stay pending", "URL for changes")

		form := []string{"name", "<b>Acorns</b>", "symbol", "A", "decimals", "2", "pointsExpireAfterDays", "90"}
		b.Post(b.Site("/currencies"), append(form, "pointsWaitHours", "soon", "apiAuthValue", "hush")...).
			Shows(400, "Must be a whole number", "<b>Acorns</b>").Hides("hush")
		b.Post(b.Site("/currencies"), append(form, "pointsWaitHours", "0")...).
			Shows(400, "Error: New currency", "Must be between 1 and 87600")
		made := b.Post(b.Site("/currencies"), append(form, "pointsWaitHours", "24")...)
		page := made.FollowsTo(b.Site("/currencies/")).Shows(200, "Currency created", "90 <small>days", "24 <small>hours")
		page.Hides("Reset currency", ">Reset<", `name="decimals"`)
		if got := s.Get("/api/loyalty/currencies").Data()[1]; apptest.Spaced(got["name"], got["decimals"],
			got["pointsExpireAfterDays"], got["pointsWaitHours"]) != "<b>Acorns</b> 2 90 24" {
			t.Errorf("made %v", got)
		}

		address := made.Location
		b.Post(address, "seen", hidden(b.Get(address), "seen"), "name", "", "symbol", "A").Shows(400, "problem to fix", `href="#f-name"`)
		b.Post(address, "seen", hidden(b.Get(address), "seen"), "name", "Nuts", "symbol", "N", "apiAuthType", "basic", "apiAuthKey", "me", "apiAuthValue", "hush").
			FollowsTo(address).Shows(200, "Changes saved", "Nuts", "A secret is already stored").Hides("hush", "<b>Acorns</b>")
		secret := func() any { return s.Get("/api/loyalty/currencies").Data()[1]["apiAuthValue"] }
		b.Post(address, "seen", hidden(b.Get(address), "seen"), "name", "Nuts", "symbol", "N", "apiAuthType", "basic", "apiAuthKey", "me").FollowsTo(address)
		if secret() != "hush" {
			t.Errorf("an empty field changed the secret to %v", secret())
		}
		b.Post(address, "seen", hidden(b.Get(address), "seen"), "name", "Nuts", "symbol", "N", "forgetSecret", "true").FollowsTo(address).Hides("A secret is already stored")
		if secret() != nil {
			t.Errorf("the secret is still there: %v", secret())
		}

		viewer := s.SignInAdmin(tenancy.RoleViewer)
		viewer.Get(address).Shows(200, "Nuts", "Laurel").Hides("Save changes", "URL for changes", "/delete")
		viewer.Get(b.Site("/currencies")).Shows(200, "Nuts").Hides("Create currency")
		viewer.Post(address, "name", "Mine", "symbol", "M").Shows(403, "The Viewer role can’t change currencies")
		viewer.Get(address+"/delete").Shows(403, "Viewer")

		b.Get(address+"/delete").Shows(200, "Delete Nuts?", "still be able to see balances and ledger entries")
		b.Post(address+"/delete").FollowsTo(b.Site("/currencies")).Shows(200, "Nuts deleted").Hides("/delete", ">Nuts<")
		b.Get(b.Site("/currencies?deleted=true")).Shows(200, ">Nuts<", "Deleted")
		b.Get(address).Shows(200, "Deleted").Hides("Save changes")
		b.Post(address, "name", "Again", "symbol", "A").Shows(404, "Not found")
		b.Post(address + "/delete").Shows(404)
	})
}

func TestACurrencyOfAnotherWebsiteIsNotThere(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		other := s.NewProgram("Other")
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		for _, path := range []string{"", "/delete", "/reset"} {
			b.Get(b.Site("/currencies/"+other.LoyaltyCurrencyID.String()+path)).Shows(404, "Not found")
			b.Post(b.Site("/currencies/"+other.LoyaltyCurrencyID.String()+path), "name", "x", "symbol", "x").Shows(404)
			b.Get(b.Site("/currencies/" + unknownID + path)).Shows(404)
			b.Get(b.Site("/currencies/nonsense" + path)).Shows(404)
		}
		b.Get("/admin/" + other.WebsiteID.String() + "/currencies").Shows(404)
	})
}

func TestAResetNeedsTheNameOfTheCurrency(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		s.Credit(apptest.Wallet(1), 30)
		address := b.Site("/currencies/" + s.LoyaltyCurrencyID.String())
		name := s.Get("/api/loyalty/currencies").Data()[0]["name"].(string)
		b.Get(address).Shows(200, "/reset")
		b.Get(address+"/reset").
			Shows(200, "Type “"+name+"” to confirm", "This will take a total of 30", "Balances and progress")
		b.Post(address+"/reset", "confirm", "something else", "type", "loyalty_reset_balances").
			Shows(400, "the name of the currency", "something else", `value="loyalty_reset_balances" checked`)
		b.Post(address+"/reset", "confirm", name).Shows(400, "choose one")
		if s.Balance(apptest.Wallet(1)) != "30" {
			t.Error("a refused reset took points")
		}
		b.Post(address+"/reset", "confirm", name, "type", "loyalty_reset_balances").FollowsTo(b.Site("/jobs/clearings/")).
			Shows(200, "Reset complete", "Complete", "Balance reset", "1 account", "30").Hides("hx-get")
		if s.Balance(apptest.Wallet(1)) != "0" {
			t.Error("the reset took nothing")
		}
		manager := s.SignInAdmin(tenancy.RoleAdmin)
		manager.Get(address).Shows(200).Hides("/reset")
		manager.Post(address+"/reset", "confirm", name, "type", "loyalty_reset_balances").Shows(403, "can’t reset currencies")
	})
}

func TestAStoredSecretIsNotSentElsewhere(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		rule := s.Rule("external_rule", apptest.Object{
			"customRewardsApiUrl": "https://feed.example/x", "metadata": apptest.Object{"customRewardsApiKey": "hush"},
		})
		const refusal = "Must be entered again, because the URL now points to another host"
		path := b.Site("/rules/" + rule)
		saved := formOn(b.Get(path).Shows(200, "https://feed.example/x"))
		b.Post(path, with(saved, "customRewardsApiUrl", "https://evil.example/x")...).Shows(400, refusal).Hides("hush")
		if got := getRule(s, rule)["customRewardsApiUrl"]; got != "https://feed.example/x" {
			t.Error(got)
		}
		b.Post(path, with(saved, "customRewardsApiUrl", "https://feed.example/y")...).FollowsTo(path)
		saved = formOn(b.Get(path))
		b.Post(path, with(saved, "customRewardsApiUrl", "https://next.example/y", "metadata.customRewardsApiKey", "own")...).
			FollowsTo(path)
		of := func(more ...string) []string {
			return append([]string{
				"name", "Nuts", "symbol", "N", "apiAuthType", "basic", "apiAuthKey", "me", "apiGetUrl", "https://bank.example/a",
			}, more...)
		}
		form := of("decimals", "0", "apiPostUrl", "https://bank.example/a", "apiAuthValue", "hush")
		address := b.Post(b.Site("/currencies"), form...).Location
		for _, url := range []string{"https://evil.example/a", "http://bank.example/a", "https://bank.example:444/a"} {
			b.Post(address, of("seen", hidden(b.Get(address), "seen"), "apiPostUrl", url)...).Shows(400, refusal, url).Hides("hush")
		}
		b.Post(address, of("seen", hidden(b.Get(address), "seen"), "apiPostUrl", "https://bank.example/b")...).FollowsTo(address).Shows(200, "/b")
		b.Post(address, of("seen", hidden(b.Get(address), "seen"), "apiPostUrl", "https://new.example/b", "apiAuthValue", "other")...).FollowsTo(address)

	})
}

func TestACurrencyIsNotOverwritten(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		address := b.Site("/currencies/" + s.LoyaltyCurrencyID.String())
		baseVersion := hidden(b.Get(address), "seen")
		b.Post(address, "seen", baseVersion, "name", "Nuts", "symbol", "N").FollowsTo(address)
		page := b.Post(address, "seen", baseVersion, "name", "<b>Acorns", "symbol", "N").
			Shows(400, "Someone else changed this while you were editing", "Nuts", "<b>Acorns", "Overwrite their changes")
		if got := s.Get("/api/loyalty/currencies").Data()[0]["name"]; got != "Nuts" {
			t.Errorf("now it is %v", got)
		}
		b.Post(address, "seen", hidden(page, "seen"), "name", "<b>Acorns", "symbol", "N").FollowsTo(address).Shows(200, "<b>Acorns")
		b.Post(address, "seen", baseVersion, "name", "<b>Acorns", "symbol", "N").FollowsTo(address)
	})
}
