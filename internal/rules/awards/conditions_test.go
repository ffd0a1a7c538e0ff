package awards_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/store"
)

// earned makes a badge that pays 7 points.
func earned(s *apptest.Server, conditions ...object) string {
	return s.CreateBadgeWith(object{"conditions": conditions, "rewards": []object{s.PointsReward(7)}})
}

func on(field string, kind string, more object, ids ...string) object {
	return apptest.Over(object{"type": kind, field: ids}, more)
}

// stands demands how far a wallet is.
func stands(s *apptest.Server, what, badge, wallet, want string) {
	s.T.Helper()
	if got := s.BadgeProgress(badge, wallet); got != want {
		s.T.Errorf("%s: %q, not %q", what, got, want)
	}
}

// paid demands that a badge has paid its reward once.
func paid(s *apptest.Server, badge, wallet string) {
	s.T.Helper()
	n := 0
	for _, e := range s.Get(apptest.EntriesPath + "?limit=100&walletAddress=" + wallet).Data() {
		if origin, _ := e["metadata"].(object); origin["loyaltyBadgeId"] == badge {
			n++
			if e["loyaltyTransaction"].(object)["type"] != "loyalty_rule" || apptest.Spaced(e["amount"]) != "7" {
				s.T.Errorf("the reward: %v", e)
			}
		}
	}
	if n != 1 {
		s.T.Errorf("badge %s paid %s %d times", badge, wallet, n)
	}
	if row := s.BadgeUser(badge, wallet); row["completedAt"] == nil || row["status"] != "active" {
		s.T.Errorf("the row of %s: %v", wallet, row)
	}
}

func TestRulesGrantABadge(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		group := s.CreateGroup(nil)
		one, two := s.Free(nil), s.Free(nil)
		three, four := s.Free(object{"loyaltyRuleGroupId": group}), s.Free(object{"loyaltyRuleGroupId": group})
		twice := earned(s, on("loyaltyRuleIds", "rule", object{"repeatCount": 2}, one))
		some := earned(s, on("loyaltyRuleIds", "rules", object{"requiredCount": 1}, one, two))
		all := earned(s, on("loyaltyRuleIds", "rules", nil, one, two))
		section := earned(s, on("loyaltyRuleGroupIds", "section", nil, group))
		both := earned(s, on("loyaltyRuleIds", "rule", nil, one), on("loyaltyRuleGroupIds", "section", nil, group))
		s.GrantEarnedBadges()
		do := func(rule string) {
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
			s.GrantEarnedBadges()
		}
		do(one)
		stands(s, "once", twice, apptest.Alice, "inactive 1/2")
		stands(s, "one of them", some, apptest.Alice, "active 1/1")
		stands(s, "not all", all, apptest.Alice, "inactive 1/2")
		stands(s, "none of the group", section, apptest.Alice, "")
		do(one)
		do(three)
		stands(s, "one of the group", section, apptest.Alice, "inactive 1/2")
		stands(s, "one of both", both, apptest.Alice, "inactive 2/1 1/2")
		do(two)
		do(four)
		for _, badge := range []string{twice, some, all, section, both} {
			paid(s, badge, apptest.Alice)
		}
		do(one)
		paid(s, some, apptest.Alice)
		s.Sound()
	})
}

func TestBalancesAndRanksGrantABadge(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		currency := s.LoyaltyCurrencyID.String()
		s.Credit(apptest.Alice, 20)
		s.Credit(apptest.Bob, 30)
		points := earned(s, on("loyaltyCurrencyIds", "points", object{"amount": 25}, currency))
		best := s.CreateBadgeWith(object{"conditions": []object{on("loyaltyCurrencyIds", "level", object{"amount": 1}, currency)}})
		s.RunBadgeJobs()
		paid(s, points, apptest.Bob)
		stands(s, "too little", points, apptest.Alice, "inactive 20/25")
		stands(s, "the first", best, apptest.Bob, "active 1/1")
		stands(s, "the second", best, apptest.Alice, "")
		s.Credit(apptest.Alice, 40)
		s.GrantEarnedBadges()
		paid(s, points, apptest.Alice)
		stands(s, "within the hour", best, apptest.Alice, "")
		s.Clock.Advance(time.Hour)
		s.RunBadgeJobs()
		stands(s, "after it", best, apptest.Alice, "active 1/1")
		if got := s.BadgeJobs(best); len(got) != 1 || !strings.HasPrefix(got[0], "complete ") {
			t.Errorf("completionjobs: %v", got)
		}
		s.Transact(apptest.Points(apptest.Carol, 500)).OK()
		s.Clock.Advance(time.Hour)
		s.RunBadgeJobs()
		stands(s, "an hour later", best, apptest.Carol, "active 1/1")
		s.Sound()
	})
}

func TestBadgesGrantABadge(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		one, two := s.CreateBadge(), s.CreateBadge()
		first := earned(s, on("loyaltyBadgeIds", "badge", nil, one))
		all := earned(s, on("loyaltyBadgeIds", "badges", nil, one, two))
		some := earned(s, on("loyaltyBadgeIds", "badges", object{"requiredCount": 1}, one, two))
		further := earned(s, on("loyaltyBadgeIds", "badge", nil, first))
		never := earned(s, object{"type": "api"})
		mixed := earned(s, object{"type": "api"}, on("loyaltyBadgeIds", "badge", nil, one))
		s.GrantBadge(one, apptest.Alice)
		s.GrantEarnedBadges()
		s.GrantEarnedBadges()
		for _, badge := range []string{first, some, further} {
			paid(s, badge, apptest.Alice)
		}
		stands(s, "one of two", all, apptest.Alice, "inactive 1/2")
		stands(s, "by calls alone", never, apptest.Alice, "")
		stands(s, "a call is missing", mixed, apptest.Alice, "inactive 0/1 1/1")
		s.RevokeBadge(one, apptest.Alice)
		s.GrantBadge(two, apptest.Alice)
		s.GrantEarnedBadges()
		stands(s, "one was taken away", all, apptest.Alice, "inactive 1/2")
		s.GrantBadge(one, apptest.Alice)
		s.GrantEarnedBadges()
		paid(s, all, apptest.Alice)
		s.GrantBadge(never, apptest.Alice)
		paid(s, never, apptest.Alice)
		if got := s.BadgeJobs(never); len(got) != 1 || got[0] != "complete The badge is given by calls alone" {
			t.Errorf("completionjobs: %v", got)
		}
		s.RevokeBadge(first, apptest.Alice)
		s.RevokeBadge(one, apptest.Alice)
		s.GrantBadge(one, apptest.Alice)
		s.GrantEarnedBadges()
		if got := s.BadgeStatus(first, apptest.Alice); got != "revoked" {
			t.Errorf("a revoked badge is %s after its condition holds again", got)
		}
		s.Sound()
	})
}

func TestAListGrantsABadge(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(nil)
		list := s.Upload("a.csv", "walletAddress,amount\n0x"+strings.ToUpper(apptest.Bob[2:])+"\n\n\""+apptest.Carol+"\",5\n,3\n"+apptest.Carol+"\n")
		badge := earned(s, apptest.CSV(list))
		both := earned(s, apptest.CSV(s.Upload("b.csv", apptest.Alice+"\n"+apptest.Bob+"\n")), on("loyaltyRuleIds", "rule", nil, rule))
		s.RunBadgeJobs()
		if got := s.BadgeJobs(badge); len(got) != 1 || got[0] != "processing 0 rows read" {
			t.Errorf("before the list is read: %v", got)
		}
		s.ReadLists()
		s.Clock.Advance(time.Second)
		s.RunBadgeJobs()
		want := "complete 2 wallets judged, 2 granted. 2 of 4 rows were left out: row 5: walletAddress is required; " +
			"row 6: walletAddress stands in the list already"
		if got := s.BadgeJobs(badge); len(got) != 1 || got[0] != want {
			t.Errorf("completionjobs: %v", got)
		}
		paid(s, badge, apptest.Bob)
		paid(s, badge, apptest.Carol)
		stands(s, "not listed", badge, apptest.Alice, "")
		stands(s, "listed, no completion", both, apptest.Alice, "inactive 1/1 0/1")
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Carol}).OK()
		s.GrantEarnedBadges()
		paid(s, both, apptest.Alice)
		stands(s, "a completion, not listed", both, apptest.Carol, "inactive 0/1 1/1")
		s.Post(apptest.BadgesPath+"/"+badge, object{"csvFiles": []object{
			{"src": s.Upload("c.csv", apptest.Alice+"\n"), "name": "More"},
		}}).OK()
		s.ReadLists()
		s.RunBadgeJobs()
		paid(s, badge, apptest.Alice)
		paid(s, badge, apptest.Bob)
		if got := s.BadgeJobs(badge); len(got) != 2 || !strings.HasPrefix(got[0], "complete 3 wallets judged, 1 granted") {
			t.Errorf("jobs after another file: %v", got)
		}
		s.Sound()
	})
}

// The files of a badge are lists enough for its conditions of type csv.
func TestFilesOfABadgeAreListsEnough(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		bare := object{"conditions": []object{{"type": "csv"}}}
		s.Post(apptest.BadgesPath, apptest.BadgeBody(bare)).Refused(400, "conditions.0.csvUrl must be a valid url")
		badge := s.CreateBadgeWith(apptest.Over(bare, object{
			"rewards": []object{s.PointsReward(7)}, "csvFiles": []object{{"src": s.Upload("a.csv", apptest.Alice+"\n")}},
		}))
		s.ReadLists()
		s.RunBadgeJobs()
		paid(s, badge, apptest.Alice)
		s.Post(apptest.BadgesPath+"/"+badge, object{"csvFiles": []object{}}).
			Refused(400, "csvFiles must have at least 1 item where a condition of type csv has no csvUrl")
		s.Post(apptest.BadgesPath+"/"+badge, object{"csvFiles": []object{{"src": s.Upload("b.csv", apptest.Bob+"\n")}}}).OK()
		s.ReadLists()
		s.RunBadgeJobs()
		paid(s, badge, apptest.Bob)
	})
}

func TestAListThatCannotBeReadFailsItsJob(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		list := s.Upload("a.csv", ",1\n,2\n")
		badge := earned(s, apptest.CSV(list))
		waiting := s.BadgeJobs(badge)
		s.Post(apptest.BadgesPath+"/"+badge, object{"csvFiles": []object{}}).OK()
		s.ReadLists()
		s.RunBadgeJobs()
		want := "failed The list " + list + " failed (File has no good row: row 1: walletAddress is required; row 2: walletAddress is required)"
		if got := s.BadgeJobs(badge); len(got) != 2 || got[0] != want || got[1] != "cancelled" || waiting[0] != "pending" {
			t.Errorf("completionjobs: %q", got)
		}
		for _, key := range []string{s.ClientAPIKey, s.ReadOnlyAPIKey} { // which see no addresses of lists
			listedBadges := s.Call(key, "GET", apptest.BadgesPath, nil)
			if jobs := listedBadges.Data()[0]["dataJobs"].([]any); len(jobs) != 2 || strings.Contains(listedBadges.Body, list) {
				t.Errorf("other keys see %v", jobs)
			}
		}
	})
}

// PostgreSQL may have other orders of text than that of bytes.
func TestListsInAnotherOrderAreWalkedWhole(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		if db.Engine() == store.Postgres {
			db.Exec(`ALTER TABLE allotments ALTER COLUMN wallet_address TYPE TEXT COLLATE "en-x-icu"`)
		}
		var upper, lower strings.Builder
		for i := range 1200 { // more than a job judges at once
			fmt.Fprintf(&upper, "Z%04d\n", i)
			fmt.Fprintf(&lower, "a%04d\n", i)
		}
		badge := s.CreateBadgeWith(object{
			"conditions": []object{apptest.CSV(s.Upload("z.csv", upper.String()))},
			"csvFiles":   []object{{"src": s.Upload("a.csv", lower.String()+"Z0000\n")}},
		})
		s.ReadLists()
		s.RunBadgeJobs()
		if got := s.BadgeJobs(badge)[0]; got != "complete 2,400 wallets judged, 2,400 granted" {
			t.Error(got)
		}
	})
}
