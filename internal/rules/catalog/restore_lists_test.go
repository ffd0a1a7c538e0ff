package catalog_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

func TestARestoreReadsTheListsThatTheRuleNamesAgain(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ofAlice, ofBob := s.Upload("alice.csv", apptest.Alice+"\n"), s.Upload("bob.csv", apptest.Bob+"\n")
		rule := s.Rule("external_rule", object{apptest.OnList: ofAlice, "interval": "unlimited"})
		s.ReadLists()
		only := func(when, in, out string) {
			t.Helper()
			s.ReadLists()
			s.Complete(rule, object{"walletAddress": in}).OK()
			if got := s.Complete(
				rule,
				object{"walletAddress": out},
			); got.Status != 400 || got.JSON()["message"] != apptest.NotListed {
				t.Errorf("%s: who is not on the list got %s", when, got.Body)
			}
		}
		only("at first", apptest.Alice, apptest.Bob)
		s.Update(rule, object{apptest.OnList: ofBob})
		only("changed", apptest.Bob, apptest.Alice)
		s.Restore(s.Edits(rule)[0], nil).OK()
		only("restored", apptest.Alice, apptest.Bob)
		s.Update(rule, object{apptest.OnList: nil})
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.Restore(s.Edits(rule)[0], nil).OK()
		only("named again", apptest.Alice, apptest.Bob)
		s.Remove("/api/loyalty/rules/" + rule)
		s.Restore(s.Edits(rule)[0], nil).OK()
		only("brought back", apptest.Alice, apptest.Bob)
		before := len(s.Imports(rule))
		s.Clock.Advance(time.Hour)
		s.ReadLists()
		if after := len(s.Imports(rule)); after != before+1 {
			t.Errorf("within the hour after it came back the list was read %d times", after-before)
		}
	})
}

func TestARestoreReadsCodesThatWereNeverRead(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		csv := s.Upload("codes.csv", "code\nA\n")
		rule := s.Rule("code_entry", object{"metadata": object{"promoCodeType": "csv", "promoCodeCsvUrl": csv}})
		s.Update(rule, object{"metadata": object{"promoCode": "B"}}) // before the file was read
		s.Restore(s.Edits(rule)[0], nil).OK()
		s.ReadLists()
		s.EnterCode(rule, "w", "A").OK()
	})
}

func TestARestoreIsRefusedAnAddressThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := apptest.Open(t, address, app.Config{NoRateLimits: true})
		rule := s.Rule("external_rule", object{apptest.OnList: s.Upload("a.csv", apptest.Alice+"\n")})
		s.Update(rule, object{apptest.OnList: nil})
		edit := s.Edits(rule)[0]
		apptest.Tamper(
			t,
			address,
			`UPDATE rule_edits SET previous_data = '{"loyaltyUserAllotmentCsvUrl":"https://127.0.0.1/a.csv"}' WHERE action = 'update'`,
		)
		refusal := s.Restore(edit, nil).Refused(400, apptest.OnList+" must not point to a private address")
		if got := refusal["errors"].([]any)[0].(object)["path"]; got != apptest.OnList {
			t.Errorf("the problem is at %v", got)
		}
		if now := stored(s, rule); now[apptest.OnList] != nil || len(s.Edits(rule)) != 2 {
			t.Errorf("restored all the same: %v", now)
		}
	})
}

// TestCodesThatWereReadKeepNoOtherListBack: the file of codes, which is read once, stands between other lists.
func TestCodesThatWereReadKeepNoOtherListBack(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		codes := object{"promoCodeType": "csv", "promoCodeCsvUrl": s.Upload("codes.csv", "A\nB\n")}
		rule := s.Rule(
			"code_entry",
			object{"interval": "unlimited", apptest.OnList: s.Upload("list.csv", apptest.Alice+"\n"), "metadata": codes},
		)
		s.ReadLists()
		user := s.UserOf(apptest.Alice)
		named := func() int { return len(s.Get("/api/loyalty/rules?allotedToUserId=" + user).Data()) }
		if named() != 1 {
			t.Fatal("the list names nobody")
		}
		s.Update(rule, object{apptest.OnList: nil})
		if named() != 0 {
			t.Error("a list that the rule no longer names is still looked at")
		}
		s.Update(rule, object{"customRewardsCsvUrl": s.Upload("rewards.csv", "tokenId,reward\n1,5\n")})
		s.ReadLists()
		if got := s.Imports(rule)[0]; got["kind"] != "rewards" || got["status"] != "complete" {
			t.Errorf("the list behind the codes: %v", got)
		}
		s.EnterCode(rule, apptest.Alice, "A").OK()
	})
}
