package awards_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/store"
)

// workers are those of badges of one node.
func workers(s *apptest.Server) []func(context.Context) {
	return []func(context.Context){
		s.App.Awards.Run, func(ctx context.Context) { _ = s.App.Feed.Run(ctx, s.App.Awards.Consumer()) },
	}
}

func TestTwoNodesJudgeAndGrantABadgeOnce(t *testing.T) {
	t.Parallel()
	nodes := apptest.Nodes(t)
	one, two := nodes[0], nodes[1]
	rule := one.Free(nil)
	for i := range 40 { // members who are there already
		one.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).OK()
	}
	defer apptest.RunWorkers(append(workers(one), workers(two)...)...)()
	badges := []string{
		earned(one, on("loyaltyRuleIds", "rule", nil, rule)), earned(two, on("loyaltyRuleIds", "rule", nil, rule)),
	}
	apptest.CallConcurrently(40, func(i int) apptest.Response {
		return nodes[i%2].Complete(rule, object{"walletAddress": apptest.Wallet(20 + i)})
	})
	for i := range 60 {
		for _, badge := range badges {
			one.WaitUntil(func() bool { return one.BadgeStatus(badge, apptest.Wallet(i)) == "active" })
			paid(two, badge, apptest.Wallet(i))
		}
	}
	one.Sound()
}

func TestAChangeIsJudgedWithinASecond(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(nil)
		badge := earned(s, on("loyaltyRuleIds", "rule", nil, rule))
		defer apptest.RunWorkers(workers(s)...)()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.WaitUntil(func() bool { return s.BadgeStatus(badge, apptest.Alice) == "active" })
		begun := time.Now()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.WaitUntil(func() bool { return s.BadgeStatus(badge, apptest.Bob) == "active" })
		if took := time.Since(begun); took > 3*time.Second { // the machine may have other things to do
			t.Errorf("it took %s", took)
		}
	})
}

// withManyMembers is a server with members who have earned a badge that is not judged yet.
func withManyMembers(s *apptest.Server, members int) (badge string) {
	rule := s.Free(nil)
	for i := range members {
		s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).OK()
	}
	return earned(s, on("loyaltyRuleIds", "rule", nil, rule))
}

// A node that dies in the middle of a job leaves a lease and a cursor behind.
//
//racetests:plain
func TestAJobGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		const wallets = 6000
		var list strings.Builder
		for i := range wallets {
			list.WriteString(apptest.Wallet(i) + "\n")
		}
		badge := earned(s, apptest.CSV(s.Upload("a.csv", list.String())))
		s.ReadLists()
		granted := func() int { return db.Count("loyalty_badge_users WHERE status = 'active'") }
		stop := apptest.RunWorkers(s.App.Awards.Run)
		s.WaitUntil(func() bool { return granted() > 0 })
		stop()
		before := granted()
		if before == wallets {
			t.Fatal("the job was over before it could be stopped")
		}
		db.Exec(fmt.Sprint( // as a node leaves it that was killed
			"UPDATE badge_jobs SET attempts = 1, due_at = ", s.Clock.Now().Add(15*time.Second).UnixMicro(), " WHERE finished_at IS NULL",
		))
		s.RunBadgeJobs()
		if got := granted(); got != before {
			t.Errorf("another node takes a job that is leased: %d, then %d", before, got)
		}
		s.Clock.Advance(16 * time.Second)
		s.RunBadgeJobs()
		if got := s.BadgeJobs(badge)[0]; got != "complete 6,000 wallets judged, 6,000 granted" {
			t.Errorf("after the lease: %s", got)
		}
		if got := granted(); got != wallets {
			t.Errorf("%d have the badge", got)
		}
		if got := db.Count("loyalty_accounts WHERE user_id IS NOT NULL AND amount = 7000000"); got != wallets {
			t.Errorf("%d were paid once", got)
		}
		s.Sound()
	})
}

func TestABadgeIsDeletedWhileMembersAreJudged(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := withManyMembers(s, 60)
		rule := s.Free(nil)
		due := earned(s, on("loyaltyRuleIds", "rule", nil, rule))
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.ReadFeedForBadges(func() bool { return s.BadgeStatus(due, apptest.Alice) == "inactive" }) // it is due, and not granted yet
		s.Remove(apptest.BadgesPath + "/" + due)
		stop := apptest.RunWorkers(s.App.Awards.Run)
		s.Remove(apptest.BadgesPath + "/" + badge)
		stop()
		s.RunBadgeRevocations()
		s.RunBadgeJobs()
		for _, gone := range []string{badge, due} {
			if got := s.BadgeJobs(gone); got[0] != "cancelled" && !strings.HasPrefix(got[0], "complete ") &&
				!strings.HasPrefix(got[0], "cancelled ") {
				t.Errorf("completionjobs: %v", got)
			}
		}
		s.Post(apptest.BadgesPath+"/"+badge+"/reward", object{"walletAddress": apptest.Alice}).Refused(404, "Badge not found")
		for _, b := range s.Get(apptest.BadgesPath + "?includeDeleted=true").Data() {
			for _, u := range b["loyaltyBadgeUsers"].([]any) {
				if u.(object)["status"] == "active" {
					t.Errorf("a deleted badge is active: %v", u)
				}
			}
		}
		s.Sound()
	})
}

func TestAGroupEarnsABadgeTogether(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(object{"amount": 15})
		completed := earned(s, on("loyaltyRuleIds", "rule", nil, rule))
		rich := earned(s, on("loyaltyCurrencyIds", "points", object{"amount": 25}, s.LoyaltyCurrencyID.String()))
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.GrantEarnedBadges()
		paid(s, completed, apptest.Alice)
		paid(s, completed, apptest.Bob) // what one completes counts for all
		// 15 and twice the badge's 7
		s.GrantEarnedBadges()
		paid(s, rich, apptest.Alice)
		paid(s, rich, apptest.Bob)
		stands(s, "a stranger", completed, apptest.Carol, "")
		s.In(apptest.Carol, "family")
		s.GrantEarnedBadges()
		paid(s, completed, apptest.Carol)
		paid(s, rich, apptest.Carol)
		s.Sound()
	})
}

func TestABlockedMemberIsNotJudged(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(nil)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.User(apptest.Alice, object{"isBlocked": true})
		badge := earned(s, on("loyaltyRuleIds", "rule", nil, rule))
		listed := earned(s, apptest.CSV(s.Upload("a.csv", apptest.Alice+"\n")))
		first := s.CreateBadge()
		second := earned(s, on("loyaltyBadgeIds", "badge", nil, first))
		s.GrantBadge(first, apptest.Alice)
		s.ReadLists()
		s.RunBadgeJobs()
		s.GrantEarnedBadges()
		stands(s, "blocked with a badge", second, apptest.Alice, "")
		stands(s, "blocked", badge, apptest.Alice, "")
		stands(s, "blocked and listed", listed, apptest.Alice, "")
		s.User(apptest.Alice, object{"isBlocked": false})
		s.GrantEarnedBadges()
		paid(s, badge, apptest.Alice)
		paid(s, listed, apptest.Alice)
		paid(s, second, apptest.Alice)
	})
}

func TestAResetTakesBackWhatItsRulesGave(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		rule := s.Free(nil)
		given, kept := s.CreateBadge(object{"rewardType": "multiplier", "multiplier": 2}), s.CreateBadge()
		for _, badge := range []string{given, kept} {
			s.GrantBadge(badge, apptest.Alice)
		}
		db.Exec("UPDATE loyalty_badge_users SET loyalty_rule_id = '" + rule + "' WHERE loyalty_badge_id = '" + given + "'")
		s.Clock.Advance(time.Minute)
		s.Reset("balances_data_not_rules").OK()
		if got := s.BadgeStatus(given, apptest.Alice); got != "" {
			t.Errorf("what a rule gave is %s", got)
		}
		if held := s.MultiplierValues(apptest.Alice); len(held) != 0 {
			t.Errorf("its multipliers: %v", held)
		}
		if got := s.BadgeStatus(kept, apptest.Alice); got != "active" {
			t.Errorf("what a caller gave is %s", got)
		}
	})
}

// A website with very many badges judges a completion by those alone that name its rule.
func TestManyBadgesCostACompletionNothing(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		const many = 10_000
		rule, other := s.Free(nil), s.Free(nil)
		badge := earned(s, on("loyaltyRuleIds", "rule", nil, rule))
		s.RunBadgeJobs()
		model := object{"type": "rule", "id": s.WebsiteID, "amount": 0, "repeatCount": 1, "association": []object{{"loyaltyRuleId": other}}}
		var badges, watches [][]any
		for range many {
			made := db.NewID()
			badges = append(badges, []any{
				made, s.OrganizationID, s.WebsiteID, "B", "", "https://files.example/b.png", false,
				string(store.JSON([]object{model})), "[]", "[]", 1, 1, 1,
			})
			watches = append(watches, []any{id(t, other), made, s.OrganizationID, s.WebsiteID})
		}
		err := db.InTx(t.Context(), func(tx *store.Tx) error {
			if _, err := tx.InsertRows(t.Context(), store.Insert{Table: "loyalty_badges", Columns: store.Columns(
				"id uuid, organization_id uuid, website_id uuid, name text, description text, image_url text, hide_in_ui boolean, conditions text, " +
					"rewards text, csv_files text, version bigint, created_at bigint, updated_at bigint",
			)}, badges); err != nil {
				return err
			}
			_, err := tx.InsertRows(t.Context(), store.Insert{Table: "badge_watches", Columns: store.Columns(
				"target_id uuid, badge_id uuid, organization_id uuid, website_id uuid",
			)}, watches)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.GrantEarnedBadges()
		paid(s, badge, apptest.Alice)
		if n := db.Count("loyalty_badge_users WHERE status <> 'active'"); n > 2 { // those of the marker
			t.Errorf("%d other badges were judged", n)
		}
	})
}

func TestAJobIsCancelled(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := withManyMembers(s, 3)
		job := s.Get(apptest.BadgesPath + "?badgeIds=" + badge).Data()[0]["dataJobs"].([]any)[0].(object)["id"].(string)
		for range 2 {
			if err := s.App.Awards.Cancel(t.Context(), s.WebsiteScope(), id(t, job)); err != nil {
				t.Fatal(err)
			}
		}
		s.RunBadgeJobs()
		if got := s.BadgeJobs(badge); got[0] != "cancelled" {
			t.Errorf("completionjobs: %v", got)
		}
		stands(s, "not judged", badge, apptest.Wallet(0), "")
		if err := s.App.Awards.Cancel(t.Context(), s.WebsiteScope(), id(t, badge)); err == nil || err.Error() != "Data job not found" {
			t.Errorf("cancelling what is no job: %v", err)
		}
	})
}
