package dashboard_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestEventsOfARuleShowWhatWasTakenBack(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateContractEventRule()
		contract := getRule(s, rule)["metadata"].(object)["smartContract"]
		s.Post("/api/loyalty/rules/"+rule, object{"metadata": object{"smartContract": contract, "onReorg": "reverse"}}).OK()
		viewer := s.SignInAdmin(tenancy.RoleViewer)
		path := viewer.Site("/rules/" + rule)
		viewer.Get(path).Shows(200, `href="`+path+`/events"`)
		viewer.Get(path+"/events").Shows(200, "No events yet")

		s.PublishContractEvent(rule, s.Clock.Now(), false)
		viewer.Get(path+"/events").Shows(200, apptest.Alice[:6], "In the chain", "Log 0", ">15<").Hides("taken back", "No events yet")

		alice := object{"walletAddress": apptest.Alice, "amount": 11, "direction": "debit"}
		s.Transact(alice).OK()
		s.Clock.Advance(time.Second)
		s.PublishContractEvent(rule, s.Clock.Now(), true)
		viewer.Get(path+"/events").Shows(200, "Block left the chain", "4 taken back", "11 owed").Hides("In the chain")

		rows := csvRows(viewer.Get(path + "/events.csv"))
		if len(rows) != 2 || rows[1][0] != "1:0xb:0xa:0" || rows[1][3] != "15" || rows[1][7] != "4" || rows[1][8] != "11" {
			t.Errorf("the file has %q", rows)
		}

		other := s.Rule("check_in", nil)
		viewer.Get(viewer.Site("/rules/" + other)).Hides("/rules/" + other + "/events")
		viewer.Get(viewer.Site("/rules/" + other + "/events")).Shows(404)
		viewer.Get(viewer.Site("/rules/" + other + "/events.csv")).Shows(404)
		rival := s.NewProgram("Rival")
		stranger := s.SignInOwner(rival.OrganizationID)
		stranger.Get("/admin/" + rival.WebsiteID.String() + "/rules/" + rule + "/events").Shows(404)
	})
}

func TestTheEventsOfARuleArePaged(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateContractEventRule()
		for i := range 25 {
			s.PublishContractEventOf(rule, apptest.Wallet(i+1), i+1, s.Clock.Now(), false)
		}
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		if rows := csvRows(b.Get(b.Site("/rules/" + rule + "/events.csv"))); len(rows) != 26 {
			t.Errorf("the file has %d rows", len(rows))
		}
		first := b.Get(b.Site("/rules/"+rule+"/events")).Shows(200, "Log 25", "Log 6").Hides("Log 5<")
		b.Get(match(t, first, `href="([^"]+startingAfter=[^"]+)"`)).Shows(200, "Log 5<", "Log 1<").Hides("Log 6<")
	})
}
