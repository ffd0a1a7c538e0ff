package app_test

import (
	"testing"
	"time"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

func TestARestoreReadsTheListsThatTheRuleNamesAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		ofAlice, ofBob := s.upload("alice.csv", alice+"\n"), s.upload("bob.csv", bob+"\n")
		rule := s.rule("external_rule", object{onList: ofAlice, "interval": "unlimited"})
		s.readLists()
		only := func(when, in, out string) {
			t.Helper()
			s.readLists()
			s.complete(rule, object{"walletAddress": in}).ok()
			if got := s.complete(rule, object{"walletAddress": out}); got.status != 400 || got.json()["message"] != notListed {
				t.Errorf("%s: who is not on the list got %s", when, got.body)
			}
		}
		only("at first", alice, bob)
		s.update(rule, object{onList: ofBob})
		only("changed", bob, alice)
		s.restore(s.edits(rule)[0], nil).ok()
		only("restored", alice, bob)
		s.update(rule, object{onList: nil})
		s.complete(rule, object{"walletAddress": bob}).ok()
		s.restore(s.edits(rule)[0], nil).ok()
		only("named again", alice, bob)
		s.remove("/api/loyalty/rules/" + rule)
		s.restore(s.edits(rule)[0], nil).ok()
		only("brought back", alice, bob)
		before := len(s.imports(rule))
		s.clock.advance(time.Hour)
		s.readLists()
		if after := len(s.imports(rule)); after != before+1 {
			t.Errorf("within the hour after it came back the list was read %d times", after-before)
		}
	})
}

func TestARestoreReadsCodesThatWereNeverRead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		csv := s.upload("codes.csv", "code\nA\n")
		rule := s.rule("code_entry", object{"metadata": object{"promoCodeType": "csv", "promoCodeCsvUrl": csv}})
		s.update(rule, object{"metadata": object{"promoCode": "B"}}) // before the file was read
		s.restore(s.edits(rule)[0], nil).ok()
		s.readLists()
		s.enter(rule, "w", "A").ok()
	})
}

func TestARestoreIsRefusedAnAddressThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := open(t, address, app.Config{NoRateLimits: true})
		rule := s.rule("external_rule", object{onList: s.upload("a.csv", alice+"\n")})
		s.update(rule, object{onList: nil})
		edit := s.edits(rule)[0]
		tamper(
			t,
			address,
			`UPDATE rule_edits SET previous_data = '{"loyaltyUserAllotmentCsvUrl":"https://127.0.0.1/a.csv"}' WHERE action = 'update'`,
		)
		refusal := s.restore(edit, nil).refused(400, onList+" must not point to a private address")
		if got := refusal["errors"].([]any)[0].(object)["path"]; got != onList {
			t.Errorf("the problem is at %v", got)
		}
		if now := s.stored(rule); now[onList] != nil || len(s.edits(rule)) != 2 {
			t.Errorf("restored all the same: %v", now)
		}
	})
}

// TestCodesThatWereReadKeepNoOtherListBack: the file of codes, which is read once, stands between other lists.
func TestCodesThatWereReadKeepNoOtherListBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		codes := object{"promoCodeType": "csv", "promoCodeCsvUrl": s.upload("codes.csv", "A\nB\n")}
		rule := s.rule(
			"code_entry",
			object{"interval": "unlimited", onList: s.upload("list.csv", alice+"\n"), "metadata": codes},
		)
		s.readLists()
		user := s.userOf(alice)
		named := func() int { return len(s.get("/api/loyalty/rules?allotedToUserId=" + user).data()) }
		if named() != 1 {
			t.Fatal("the list names nobody")
		}
		s.update(rule, object{onList: nil})
		if named() != 0 {
			t.Error("a list that the rule no longer names is still looked at")
		}
		s.update(rule, object{"customRewardsCsvUrl": s.upload("rewards.csv", "tokenId,reward\n1,5\n")})
		s.readLists()
		if got := s.imports(rule)[0]; got["kind"] != "rewards" || got["status"] != "complete" {
			t.Errorf("the list behind the codes: %v", got)
		}
		s.enter(rule, alice, "A").ok()
	})
}
