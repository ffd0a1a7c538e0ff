package dashboard_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestRunsOfARuleShowWhomTheyPaid(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		file := "walletAddress,amount\n"
		for i := range 25 {
			file += fmt.Sprintf("%s,%d\n", apptest.Wallet(i+1), 101+i)
		}
		rule := s.Rule("points_airdrop", object{
			apptest.OnList: s.Upload("list.csv", file), "frequency": "daily", "interval": "unlimited",
		})
		viewer := s.SignInAdmin(tenancy.RoleViewer)
		path := viewer.Site("/rules/" + rule)
		viewer.Get(path).Shows(200, `href="`+path+`/runs"`)
		viewer.Get(path+"/runs").Shows(200, "No runs yet")
		s.ReadLists()
		s.RunSchedule()
		s.SetPointLifetime(0, 24)
		s.Clock.Advance(24 * time.Hour)
		s.RunSchedule()
		runs := s.Runs(rule)
		page := viewer.Get(path+"/runs").Shows(200, "Complete", ">25<").Hides("No runs yet")
		first, second := match(t, page, `(?s)href="[^"]+/runs/[^"]+".*href="([^"]+/runs/[^"]+)"`), match(t, page, `href="([^"]+/runs/[^"]+)"`)
		found := viewer.Get(first).Shows(200, "25 members were checked").Hides("Pending")
		rest := viewer.Get(match(t, found, `href="([^"]+startingAfter=[^"]+)"`))
		const member = `class="name clip"`
		if a, b := strings.Count(found.Body, member), strings.Count(rest.Body, member); a != 20 || b != 5 {
			t.Errorf("pages of %d and %d members", a, b)
		}
		viewer.Get(second).Shows(200, "Pending")
		if rows := csvRows(viewer.Get(path + "/runs.csv")); len(rows) != 3 || rows[1][4] != "25" {
			t.Errorf("the runs are %q", rows)
		}
		if rows := csvRows(viewer.Get(second + "/members.csv")); len(rows) != 26 || len(rows[1][4]) != 3 || rows[1][5] != "true" {
			t.Errorf("the members are %q", rows)
		}
		admin := s.SignInAdmin(tenancy.RoleSuperAdmin)
		admin.Get(admin.Site("/jobs")).Shows(200, `href="`+first+`"`)

		other := s.Rule("check_in", nil)
		viewer.Get(viewer.Site("/rules/" + other)).Hides("/rules/" + other + "/runs")
		for _, missing := range []string{
			"/rules/" + other + "/runs", "/rules/" + other + "/runs.csv", "/rules/" + rule + "/runs/" + unknownID,
			"/rules/" + rule + "/runs/" + unknownID + "/members.csv", "/rules/" + s.Rule("points_airdrop", nil) + "/runs/" + runs[0]["id"].(string),
		} {
			viewer.Get(viewer.Site(missing)).Shows(404)
		}
		rival := s.NewProgram("Rival")
		stranger := s.SignInOwner(rival.OrganizationID)
		stranger.Get("/admin/" + rival.WebsiteID.String() + "/rules/" + rule + "/runs").Shows(404)
	})
}

// TestARunShowsWhatItHasPaidItself leaves out the points of the run before it, which are credited meanwhile, and claims.
func TestARunShowsWhatItHasPaidItself(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		const members = 30
		file := "walletAddress,amount\n"
		for i := range members {
			file += fmt.Sprintf("%s,%d\n", apptest.Wallet(i+1), 101+i)
		}
		daily := func(more object) string {
			return s.Rule("points_airdrop", apptest.Over(object{
				apptest.OnList: s.Upload("list.csv", file), "frequency": "daily", "interval": "unlimited",
			}, more))
		}
		rule, claimed := daily(nil), daily(object{"claimType": "manual"})
		s.SetPointLifetime(0, 24)
		s.ReadLists()
		s.RunSchedule()
		s.Clock.Advance(24 * time.Hour)
		s.RunSchedule()
		s.RunExpiry()
		s.Complete(claimed, object{"walletAddress": apptest.Wallet(1)}).OK()
		db.Exec("UPDATE rule_runs SET finished_at = finished_at + 60000000") // as if the runs had gone on meanwhile
		released := s.Get("/api/loyalty/transaction_entries?limit=100&direction=credit&loyaltyRuleId=" + rule).Data()
		if len(released) != 3*members {
			t.Fatalf("%d entries of two runs and the release of the first", len(released))
		}
		viewer := s.SignInAdmin(tenancy.RoleViewer)
		for _, w := range []struct {
			rule       string
			run, lines int
		}{{rule, 0, members}, {rule, 1, members}, {claimed, 0, 0}, {claimed, 1, 0}} {
			run := "/rules/" + w.rule + "/runs/" + s.Runs(w.rule)[w.run]["id"].(string)
			if rows := csvRows(viewer.Get(viewer.Site(run) + "/members.csv")); len(rows) != w.lines+1 {
				t.Errorf("run %d lists %d members, want %d", w.run, len(rows)-1, w.lines)
			}
		}
	})
}

func TestEventsOfARuleShowPointsThatAreHeld(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(0, 24)
		rule := s.CreateContractEventRule()
		s.PublishContractEvent(rule, s.Clock.Now(), false)
		b := s.SignInAdmin(tenancy.RoleViewer)
		b.Get(b.Site("/rules/"+rule+"/events")).Shows(200, ">15<", "15 held at first")
	})
}
