package replay_test

import (
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// completed makes a rule and has two members complete it, one with an amount of the caller's.
func completed(s *apptest.Server) (rule string, period object) {
	s.T.Helper()
	rule = s.Rule("external_rule", object{"interval": "unlimited"})
	s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
	s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
	s.Complete(rule, object{"walletAddress": apptest.Bob, "amount": 3}).OK()
	now := s.Clock.Now()
	return rule, object{"from": now.Add(-time.Hour), "to": now.Add(time.Hour)}
}

func with(period object, draft object) object {
	return object{"from": period["from"], "to": period["to"], "draft": draft}
}

func TestAReplayIsAJobWhoseEndIsKept(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, period := completed(s)
		path := "/api/loyalty/rules/" + rule
		begun := s.Post(path+"/replay", with(period, object{"amount": 12})).OK()
		if begun["status"] != "pending" || fmt.Sprint(begun["progress"]) != "0" {
			t.Errorf("begun: %v", begun)
		}
		if list := s.Get(path + "/replays").Data(); len(list) != 1 || list[0]["result"] != nil {
			t.Errorf("before: %v", list)
		}
		if err := s.App.Replays.RunDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		done := s.Get(path + "/replays").Data()[0]
		result, _ := done["result"].(object)
		if done["id"] != begun["id"] || done["status"] != "complete" || fmt.Sprint(done["progress"]) != "100" {
			t.Errorf("done: %v", done)
		}
		want := object{"paid": 23, "wouldPay": 27, "difference": 4, "members": 1, "keptOverrides": 1}
		if fmt.Sprint(result) != fmt.Sprint(want) {
			t.Errorf("the result is %v, want %v", result, want)
		}
		if got := s.Balance(apptest.Alice); got != "20" {
			t.Errorf("a replay has paid: %s", got)
		}
		second := s.Post(path+"/replay", with(period, object{"endTime": "2020-01-01T00:00:00Z"})).OK()
		if err := s.App.Replays.RunDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		list := s.Get(path + "/replays?limit=1")
		if first := list.Data()[0]; first["id"] != second["id"] || list.OK()["hasNextPage"] != true {
			t.Errorf("the newest: %v", first)
		}
		if rest := s.Get(path + "/replays?startingAfter=" + fmt.Sprint(second["id"])).Data(); len(rest) != 1 {
			t.Errorf("after it: %v", rest)
		}
	})
}

func TestAReplayOfBadInputBeginsNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, period := completed(s)
		path := "/api/loyalty/rules/" + rule + "/replay"
		for _, bad := range []struct {
			body  object
			field string
		}{
			{object{"draft": object{}, "from": period["to"], "to": period["from"]}, "to"},
			{object{"draft": object{}, "to": period["to"]}, "from"},
			{object{"from": period["from"], "to": period["to"]}, "draft"},
			{object{"draft": object{}, "from": "2024-12-31T00:00:00Z", "to": "2026-01-02T00:00:00Z"}, "to"},
			{with(period, object{"amount": -1}), "draft.amount"},
			{with(period, object{"amount": "many"}), "draft.amount"},
			{with(period, object{"type": "check_in"}), "draft.type"},
			{with(period, object{"metadata": object{"cap": "x", "resetProgressOnClaim": 7}}), "draft.metadata.resetProgressOnClaim"},
		} {
			a := s.Post(path, bad.body)
			if errors, _ := a.JSON()["errors"].([]any); a.Status != 400 || len(errors) == 0 || errors[0].(object)["path"] != bad.field {
				t.Errorf("%v: %d %s", bad.body, a.Status, a.Body)
			}
		}
		s.Post("/api/loyalty/rules/"+s.WebsiteID.String()+"/replay", with(period, object{})).
			Refused(404, "Loyalty rule not found")
		other := s.NewProgram("Rival")
		s.Call(other.WebsiteAPIKey, "POST", path, with(period, object{})).Refused(404, "Loyalty rule not found")
		if list := s.Get(path + "s").Data(); len(list) != 0 {
			t.Errorf("begun: %v", list)
		}
		first := s.Post(path, with(period, object{})).OK()
		if again := s.Post(path, with(period, object{})).OK(); again["id"] != first["id"] {
			t.Errorf("the same replay is begun twice: %v", again)
		}
		s.Call(other.WebsiteAPIKey, "GET", path+"s", nil).Refused(404, "Loyalty rule not found")
		for n := range 9 {
			s.Post(path, with(period, object{"amount": n})).OK()
		}
		s.Post(path, with(period, object{"amount": 20})).Refused(400, "10 replays are under way. Try again when one has ended")
	})
}

// A secret of a draft is kept nowhere; a replay whose rule was changed under it fails in words, and is not tried again.
func TestADraftKeepsNoSecretAndFailsInWords(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		rule, period := completed(s)
		path := "/api/loyalty/rules/" + rule
		s.Post(path+"/replay", with(period, object{"metadata": object{"customRewardsApiKey": "s3cret-of-mine"}})).OK()
		if n := db.Count("rule_replays WHERE draft LIKE '%s3cret%'"); n > 0 {
			t.Error("the secret is kept")
		}
		db.Exec(`UPDATE rule_replays SET draft = '{"amount":-1}'`)
		for range 2 {
			if err := s.App.Replays.RunDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		failed := s.Get(path + "/replays").Data()[0]
		if failed["status"] != "failed" || failed["message"] != "amount must be at least 0" || failed["result"] != nil {
			t.Errorf("failed: %v", failed)
		}
		s.Clock.Advance(31 * 24 * time.Hour)
		if err := s.App.Replays.Prune(t.Context()); err != nil {
			t.Fatal(err)
		}
		if list := s.Get(path + "/replays").Data(); len(list) != 0 {
			t.Errorf("after 31 days: %v", list)
		}
	})
}

func TestADryRunJudgesADraft(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", nil)
		path := "/api/loyalty/rules/" + rule + "/simulate"
		try := func(draft object) object {
			return s.Post(path, object{"walletAddress": apptest.Alice, "draft": draft}).OK()
		}
		if got := try(object{"amount": 77}); fmt.Sprint(got["rewards"].([]any)[0].(object)["amount"]) != "77" {
			t.Errorf("%v", got)
		}
		if got := try(object{"startTime": "2030-01-01T00:00:00Z"}); got["wouldComplete"] != false {
			t.Errorf("%v", got)
		}
		if got := try(nil); got["wouldComplete"] != true {
			t.Errorf("%v", got)
		}
		a := s.Post(path, object{"walletAddress": apptest.Alice, "draft": object{"amount": -1}})
		if errors, _ := a.JSON()["errors"].([]any); a.Status != 400 || errors[0].(object)["path"] != "draft.amount" {
			t.Errorf("%d %v", a.Status, a.Body)
		}
		if saved := s.Get("/api/loyalty/rules?loyaltyRuleId=" + rule).Data()[0]; fmt.Sprint(saved["amount"]) != "10" {
			t.Errorf("saved: %v", saved)
		}
	})
}
