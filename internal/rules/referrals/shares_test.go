package referrals_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// sharingRule makes a rule that gives a referrer 10 % of the earnings of its referees alone, with a referral of b
// by a.
func sharingRule(s *apptest.Server, properties object) string {
	s.T.Helper()
	rule := s.Rule(
		"referred_user",
		apptest.Over(
			object{
				"amount":            0,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"frequency":         "daily",
				"startTime":         apptest.Noon.Format(time.RFC3339),
				"metadata":          object{"firstReferralReward": 10},
			},
			properties,
		),
	)
	s.Refer(s.ReferralCode(rule, "a"), s.UserOf("b")).OK()
	return rule
}

// runDays carries out the runs up to some days after the beginning.
func runDays(s *apptest.Server, days int) {
	s.T.Helper()
	s.Clock.Set(apptest.Noon.Add(time.Duration(days)*apptest.Day + apptest.Settling))
	s.RunSchedule()
}

// TestAShareThatWaitedIsNobodysEarning checks that a released share keeps its metadata, so that no share of a share is
// paid.
func TestAShareThatWaitedIsNobodysEarning(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := sharingRule(s, nil)
		s.Refer(s.ReferralCode(rule, "b"), s.UserOf("c")).OK()
		s.SetPointLifetime(0, 1)
		s.EarnPoints("c", 100)
		s.AdvanceAndExpire(2 * time.Hour)
		runDays(s, 1)
		s.AdvanceAndExpire(2 * time.Hour)
		if b := s.Balance("b"); b != "10" {
			t.Fatalf("b has %s", b)
		}
		runDays(s, 2)
		s.AdvanceAndExpire(2 * time.Hour)
		if a := s.Balance("a"); a != "" {
			t.Errorf("a got %s for what b earned by c", a)
		}
		entries := s.Get("/api/loyalty/transaction_entries?walletAddress=b&loyaltyRuleId=" + rule).Data()
		var kinds []string
		for _, e := range entries {
			m := e["metadata"].(object)
			if m["referral"] == "tier1" {
				kinds = append(
					kinds,
					fmt.Sprint(
						e["amount"],
						" ",
						m["reason"],
						" ",
						m["waitsUntil"] != nil,
						" ",
						m["waitingAmount"],
						" ",
						m["refereeUserId"] == s.UserOf("c"),
					),
				)
			}
		}
		if !slices.Equal(kinds, []string{"10 released false <nil> true", "0 waiting true 10 true"}) {
			t.Errorf("entries tell %q", kinds)
		}
		s.Sound()
	})
}

func TestWhatWasEarnedInTheTimeOfARunThatFailedIsSharedByTheNext(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := sharingRule(s, nil)
		s.RunSchedule()
		s.Clock.Advance(time.Hour)
		s.EarnPoints("b", 100)
		s.Update(rule, object{"endTime": apptest.Noon.Add(48 * time.Hour).Format(time.RFC3339)})
		s.Clock.Set(apptest.Noon.Add(apptest.Day + time.Second))
		s.RunSchedule() // waits until the moment is settled
		s.Update(rule, object{"endTime": apptest.Noon.Add(20 * time.Hour).Format(time.RFC3339)})
		runDays(s, 1)
		if runs := s.Runs(rule); runs[1]["status"] != "failed" || s.Balance("a") != "" {
			t.Fatalf("the run did not fail: %v, a has %q", runs, s.Balance("a"))
		}
		s.Update(rule, object{"endTime": nil})
		s.Clock.Advance(time.Hour)
		s.EarnPoints("b", 50)
		runDays(s, 2)
		if a := s.Balance("a"); a != "15" {
			t.Errorf("after the next run a has %q", a)
		}
		runDays(s, 3)
		if a := s.Balance("a"); a != "15" {
			t.Errorf("a day later: %s", a)
		}
	})
}

// TestARunThatBrokeOffPaysNobodyTwice: who had got shares by it gets those of the time afterwards by the next.
func TestARunThatBrokeOffPaysNobodyTwice(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		rule := sharingRule(s, nil)
		s.RunSchedule()
		s.Clock.Advance(time.Hour)
		s.EarnPoints("b", 100)
		runDays(s, 1)
		if a := s.Balance("a"); a != "10" {
			t.Fatalf("a has %q", a)
		}
		// it had come as far as b
		db.Exec(
			"UPDATE rule_runs SET status = 'failed' WHERE loyalty_rule_id = (SELECT id FROM loyalty_rules WHERE type = 'referred_user') AND position <> ''",
		)
		s.EarnPoints("b", 20)
		s.Refer(s.ReferralCode(rule, "a"), s.UserOf("c")).OK()
		s.EarnPoints("c", 30)
		runDays(s, 2)
		if a := s.Balance("a"); a != "15" {
			t.Errorf("after the next run a has %q, want 10 and 2 and 3", a)
		}
	})
}

func TestWhatWasEarnedWithoutACadenceIsNeverShared(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := sharingRule(s, object{"frequency": "none"})
		s.EarnPoints("b", 1000)
		runDays(s, 3)
		s.Update(rule, object{"name": "Still none"})
		s.Update(rule, object{"frequency": "daily"})
		s.RunSchedule()
		runDays(s, 4)
		if a := s.Balance("a"); a != "" {
			t.Fatalf("the first run paid the history: a has %s", a)
		}
		s.EarnPoints("b", 10)
		runDays(s, 5)
		if a := s.Balance("a"); a != "1" {
			t.Errorf("for earnings since then: %q", a)
		}
		s.Update(rule, object{"frequency": "none"})
		s.EarnPoints("b", 100)
		runDays(s, 7)
		s.Update(rule, object{"frequency": "hourly"})
		s.EarnPoints("b", 20)
		runDays(s, 8)
		if a := s.Balance("a"); a != "3" {
			t.Errorf("after a pause: %q", a)
		}
	})
}

func TestALoopMayNotHideBehindTheWalletsOfOnePerson(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("referred_user", nil)
		users := map[string]string{}
		for _, pair := range []string{"a", "b", "c"} {
			for _, wallet := range []string{pair, pair + "2"} {
				s.Post("/api/users/metadatas", object{"walletAddress": wallet, "userGroupExternalIdentifier": pair}).OK()
				users[wallet] = s.UserOf(wallet)
			}
		}
		users["x"] = s.UserOf("x")
		s.Refer(s.ReferralCode(rule, "a2"), users["b"]).OK()
		for _, by := range []string{"b", "b2"} {
			s.Refer(s.ReferralCode(rule, by), users["a"]).Refused(400, "Referral loop is not allowed")
		}
		s.Refer(s.ReferralCode(rule, "b2"), users["c"]).OK()
		s.Refer(s.ReferralCode(rule, "c2"), users["x"]).OK()
		// two persons further down, from wallets that nobody was brought by
		for _, wallet := range []string{"a", "a2", "b2"} {
			s.Refer(s.ReferralCode(rule, "x"), users[wallet]).Refused(400, "Referral loop is not allowed")
		}
		s.Refer(s.ReferralCode(rule, "x"), s.UserOf("y")).OK()
	})
}

func TestWhatWasEarnedBeforeAPauseIsSharedAfterIt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := sharingRule(s, nil)
		runDays(s, 1)
		s.Clock.Advance(time.Hour)
		s.EarnPoints("b", 100)
		for i, earned := range []int{1000, 3000} { // two pauses, with something earned between them
			s.Clock.Advance(time.Minute)
			s.Update(rule, object{"frequency": "none"})
			s.Clock.Advance(time.Hour)
			s.EarnPoints("b", earned)
			runDays(s, 3+i)
			s.Update(rule, object{"frequency": "monthly"})
			s.Clock.Advance(time.Minute)
			s.EarnPoints("b", 10)
		}
		s.Clock.Advance(time.Minute)
		s.Update(rule, object{"frequency": "daily"})
		runDays(s, 5)
		if a := s.Balance("a"); a != "12" {
			t.Errorf("of 100 before the pauses and 10 after each a has %q", a)
		}
		s.Refer(s.ReferralCode(rule, "a"), s.UserOf("c")).OK()
		s.EarnPoints("c", 50)
		s.Update(rule, object{"frequency": "none"})
		runDays(s, 6)
		if a := s.Balance("a"); a != "12" {
			t.Errorf("while there are no runs a got %q", a)
		}
		s.Update(rule, object{"frequency": "daily"})
		runDays(s, 7)
		runDays(s, 8)
		if a := s.Balance("a"); a != "17" {
			t.Errorf("of 50 before the last pause: %q", a)
		}
	})
}
