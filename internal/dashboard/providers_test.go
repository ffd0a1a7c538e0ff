package dashboard_test

import (
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/tenancy"
)

func TestProvidersShowHowTheyAre(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		platform := apptest.NewPlatform(t)
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Identity: platform.ConfigFile(t, nil)})
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		at := b.Site("/providers")
		b.Get(at).Shows(200, "Code host", "Rule checks only", "Not used yet", "Not configured", "SMS", "Game launcher",
			connect.CallbackPath("web_account"), `href="`+at+`"`).Hides(apptest.PlatformSecret, platform.URL)
		rule := s.Rule("code_host_repo_star", object{"metadata": object{"codeHostRepoUrl": "https://code.example/acme/shop"}})
		s.User(apptest.Alice, nil)
		connectAccount(s, apptest.Alice, "code_host", "9001", "maren")
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		platform.Fail(503)
		s.RunCompletionJobs()
		b.Get(at).Shows(200, "Last call failed", "answered with status 503").Hides(apptest.PlatformSecret, platform.URL)
		rival := s.NewProgram("Rival")
		s.SignInOwner(rival.OrganizationID).Get("/admin/"+rival.WebsiteID.String()+"/providers").
			Shows(200, "Not used yet").Hides("status 503", "Last call failed")
		for _, role := range []*apptest.Browser{s.SignInAdmin(tenancy.RoleModerator), s.SignInAdmin(tenancy.RoleViewer)} {
			role.Get(at).Shows(403)
		}
		platform.Fail(0)
		platform.Know("code_host_repo_star", "9001", true)
		s.User(apptest.Bob, nil)
		connectAccount(s, apptest.Bob, "code_host", "9002", "bob")
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.RunCompletionJobs()
		b.Get(at).Shows(200, "Working", "Last success")
	})
}

func TestDriversOfOtherWebsitesAreNotShown(t *testing.T) {
	t.Parallel()
	file := apptest.WriteConfig(t, `{"platforms": [{"platform": "code_host", "websiteId": "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
		"label": "Secret host", "kind": "oidc", "issuer": "https://id.example", "clientId": "laurel", "clientSecret": "s3cret"}]}`)
	apptest.EachWith(t, app.Config{NoRateLimits: true, Identity: file}, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		b.Get(b.Site("/providers")).Shows(200, "No platform is connected", "Repository star", "cannot prove phone numbers").
			Hides("Secret host", "s3cret", "id.example")
	})
}

func TestAMailServerThatFailsIsLeftAlone(t *testing.T) {
	t.Parallel()
	file := apptest.WriteConfig(t, `{"email": {"url": "smtp://user:s3cret@127.0.0.1:1", "from": "Acme <no-reply@acme.example>"}}`)
	apptest.EachWith(t, app.Config{NoRateLimits: true, Identity: file}, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		at := "/api/email/auth?responseType=json&walletAddress=cust_1&emailAddress=anna@mail.example"
		for range 5 {
			s.Get(at).Refused(503, "Provider could not be reached")
		}
		s.Get(at).Refused(503, "Provider failed several times in a row and is left alone for a while")
		b.Get(b.Site("/providers")).Shows(200, "E-mail (SMTP)", "Paused", "Left alone until", "smtp:").Hides("s3cret", "127.0.0.1:1")
	})
}
