package dashboard_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/tenancy"
)

func TestVerificationsByAPlatformAreListed(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		platform := apptest.NewPlatform(t)
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Identity: platform.ConfigFile(t, nil)})
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		at := b.Site("/jobs?tab=completions")
		b.Get(at).Shows(200, "No verifications yet")
		rule := s.Rule("code_host_repo_star", object{"name": "Star us", "metadata": object{"codeHostRepoUrl": "https://code.example/acme/shop"}})
		maren := s.User(apptest.Alice, object{"displayName": "<i>Maren"})
		connectAccount(s, apptest.Alice, "code_host", "9001", "maren")
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		b.Get(at).Shows(200, "Star us", "<i>Maren", "Pending", "/members/"+maren)
		platform.Fail(503)
		s.RunCompletionJobs()
		b.Get(at+"&status=pending").Shows(200, "Star us", "Pending", "Provider did not answer")
		b.Get(b.Site("/jobs/jobs.csv?tab=completions")).Shows(200, "Provider did not answer")
		b.Get(at+"&status=failed").Shows(200, "No matches")
		platform.Fail(0)
		s.Clock.Advance(time.Hour)
		s.RunCompletionJobs()
		b.Get(at+"&status=failed").Shows(200, "Star us", "Failed", "Quest not completed")
		b.Get(b.Site("/jobs/jobs.csv?tab=completions")).Shows(200, "Star us", maren)
		other := s.NewProgram("Other")
		s.SignInOwner(other.OrganizationID).Get("/admin/"+other.WebsiteID.String()+"/jobs?tab=completions").Shows(200, "No verifications yet")
	})
}
