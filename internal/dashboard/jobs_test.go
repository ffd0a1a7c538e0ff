package dashboard_test

import (
	"regexp"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/tenancy"
)

type object = apptest.Object

func TestJobsOfEveryKindAreListed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		for tab, empty := range map[string]string{
			"": "No runs yet", "runs": "No runs yet", "clearings": "No resets yet", "imports": "No imports yet",
			"payouts": "No payouts yet", "posts": "No external ledger", "clearings&status=cancelled": "No matches",
		} {
			b.Get(b.Site("/jobs?tab="+tab)).Shows(200, "Jobs and payouts", empty)
		}
		list := s.Upload("list.csv", "walletAddress,amount\n"+apptest.Alice+",7\n"+apptest.Bob+",no number\n")
		s.Rule("points_airdrop", object{
			apptest.OnList: list, "name": "<i>Autumn</i>", "frequency": "daily",
			"startTime": apptest.Noon.Format(time.RFC3339),
		})
		b.Get(b.Site("/jobs?tab=imports")).Shows(200, "<i>Autumn</i>", "Rule members", "Pending")
		s.ReadLists()
		b.Get(b.Site("/jobs?tab=imports")).Shows(200, "Complete", "Line 3:").Hides("Pending")
		s.Clock.Advance(25 * time.Hour)
		s.RunSchedule()
		page := b.Get(b.Site("/jobs")).Shows(200, "Rule runs", "<i>Autumn</i>", "Complete")
		if regexp.MustCompile(`<i>Autumn`).MatchString(page.Body) {
			t.Error("a name is not escaped")
		}
		rule := s.Rule("external_rule", object{"name": "Gone", "interval": "once"})
		s.Complete(rule, object{"walletAddress": apptest.Carol}).OK()
		s.DeleteRuleAndDebit(rule).OK()
		page = b.Get(b.Site("/jobs?tab=clearings")).Shows(200, "Debit for a deleted rule", "Gone", "Complete")
		job := regexp.MustCompile(`/jobs/clearings/[^"]+`).FindString(page.Body)
		b.Get(b.Site(job)).Shows(200, "Debit for a deleted rule", "Gone", "1 account", "in total").Hides("hx-get")

		other := s.NewProgram("Other")
		c := s.SignInOwner(other.OrganizationID)
		at := "/admin/" + other.WebsiteID.String()
		c.Get(at+job).Shows(404, "Not found")
		c.Get(at+"/jobs").Shows(200, "No runs yet")
		c.Get(at+"/jobs?tab=imports").Shows(200, "No imports yet")
		s.SignInAdmin(tenancy.RoleViewer).Get(b.Site("/jobs")).Shows(403, "The Viewer role can’t see jobs")
		b.Get(b.Site("/jobs?startingAfter=" + unknownID)).Shows(400)
	})
}

func TestAFailedPayoutIsTriedAgain(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		y := apptest.NewTreasury(t)
		file := apptest.WriteConfig(t, `{"url":"`+y.URL+`/pay"}`)
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Payouts: file})
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		y.Set(func(y *apptest.Treasury) { y.Before = apptest.Always(400, `{"message":"<s>no funds"}`) })
		s.Complete(s.CreateTokenRule("external_rule", object{"name": "Coins", "amount": "2.5"}), object{"walletAddress": apptest.Alice}).OK()
		b.Get(b.Site("/jobs?tab=payouts")).Shows(200, "Coins", "2.5", "Pending").Hides("/retry")
		s.Clock.Advance(time.Minute)
		s.RunPayouts()
		page := b.Get(b.Site("/jobs?tab=payouts")).Shows(200, "Failed", "<s>no funds")
		b.Get(b.Site("/jobs?tab=payouts&status=done")).Shows(200, "No matches")
		b.Get(b.Site("/jobs?tab=payouts&status=failed")).Shows(200, "Coins")
		retry := regexp.MustCompile(`/admin/[^"]+/retry`).FindString(page.Body)
		support := s.SignInAdmin(tenancy.RoleModerator)
		support.Get(b.Site("/jobs?tab=payouts")).Shows(200, "Failed").Hides("/retry")
		support.Post(retry).Shows(403, "can’t retry or cancel jobs")
		other := s.NewProgram("Other")
		elsewhere := regexp.MustCompile(`^/admin/[^/]+`).ReplaceAllString(retry, "/admin/"+other.WebsiteID.String())
		s.SignInOwner(other.OrganizationID).Post(elsewhere).Shows(404)
		y.Set(func(y *apptest.Treasury) { y.Before = nil })
		b.Post(retry).FollowsTo(b.Site("/jobs?tab=payouts")).Shows(200, "being retried with the same ID", "Pending").Hides("Failed</span>")
		b.Post(retry).Shows(400, "Payout has not failed")
		s.Clock.Advance(time.Minute)
		s.RunPayouts()
		b.Get(b.Site("/jobs?tab=payouts")).Shows(200, "Done")
		y.CheckPaid(t, apptest.Alice, "2.5;")
	})
}

func TestAPostThatWaitsIsAskedAgain(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, bank *apptest.Bank, currency string) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		b.Get(b.Site("/jobs?tab=posts")).Shows(200, "No requests yet")
		b.Get(b.Site("/currencies/"+currency)).Shows(200, "Copied from your external ledger", "A secret is already stored").Hides("s3cret", "/reset")
		bank.Mu.Lock()
		bank.After = func(int) int { return 502 }
		bank.Mu.Unlock()
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 5, nil)).Refused(503, "Service unavailable")
		page := b.Get(b.Site("/jobs?tab=posts&status=open")).Shows(200, "In progress", "+5", "The request may have arrived")
		retry := regexp.MustCompile(`/admin/[^"]+/retry`).FindString(page.Body)
		b.Post(retry).FollowsTo(b.Site("/jobs?tab=posts&currency="+currency)).Shows(200, "being retried now")
		b.Post(b.Site("/jobs/posts/" + unknownID + "/retry")).Shows(404)
		bank.Mu.Lock()
		bank.After = nil
		bank.Mu.Unlock()
		s.Clock.Advance(time.Hour)
		s.RunExpiry()
	})
}

func TestTheCardOfAJobAsksAgainUntilItIsOver(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		s.Credit(apptest.Alice, 30)
		s.Reset("balances").OK()
		db.Exec("UPDATE clearing_jobs SET status = 'processing'") // as if a node had died in the middle
		page := b.Get(b.Site("/jobs?tab=clearings&status=processing")).Shows(200, "In progress")
		job := b.Site(regexp.MustCompile(`/jobs/clearings/[^"]+`).FindString(page.Body))
		b.Get(job).Shows(200, `hx-get="`+job+`" hx-trigger="every 2s"`, "so far", "Refresh")
		reset := b.Site("/currencies/" + s.LoyaltyCurrencyID.String() + "/reset")
		b.Post(reset, "confirm", "anything").FollowsTo(job).Shows(200, "A reset is already in progress")
		if err := s.App.Reset.RunDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.Get(job).Shows(200, "Complete", "in total").Hides("hx-get")
	})
}
