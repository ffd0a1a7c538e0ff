package app_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// shares makes a rule that gives a referrer 10 % of what its referees earn, and nothing else, with a referral of b by
// a.
func (s *server) shares(properties object) string {
	s.t.Helper()
	rule := s.rule(
		"referred_user",
		over(
			object{
				"amount":            0,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"frequency":         "daily",
				"startTime":         noon.Format(time.RFC3339),
				"metadata":          object{"firstReferralReward": 10},
			},
			properties,
		),
	)
	s.refer(s.code(rule, "a"), s.userOf("b")).ok()
	return rule
}

// runDays carries out the runs up to some days after the beginning.
func (s *server) runDays(days int) {
	s.t.Helper()
	s.clock.set(noon.Add(time.Duration(days)*day + settling))
	s.run()
}

// TestAShareThatWaitedIsNobodysEarning: what is released tells what it is for, so shares of shares do not arise.
func TestAShareThatWaitedIsNobodysEarning(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.shares(nil)
		s.refer(s.code(rule, "b"), s.userOf("c")).ok()
		s.living(0, 1)
		s.earn("c", 100)
		s.pass(2 * time.Hour)
		s.runDays(1)
		s.pass(2 * time.Hour)
		if b := s.balance("b"); b != "10" {
			t.Fatalf("b has %s", b)
		}
		s.runDays(2)
		s.pass(2 * time.Hour)
		if a := s.balance("a"); a != "" {
			t.Errorf("a got %s of what b got for c", a)
		}
		entries := s.get("/api/loyalty/transaction_entries?walletAddress=b&loyaltyRuleId=" + rule).data()
		var told []string
		for _, e := range entries {
			m := e["metadata"].(object)
			if m["referral"] == "tier1" {
				told = append(
					told,
					fmt.Sprint(
						e["amount"],
						" ",
						m["reason"],
						" ",
						m["waitsUntil"] != nil,
						" ",
						m["waitingAmount"],
						" ",
						m["refereeUserId"] == s.userOf("c"),
					),
				)
			}
		}
		if !slices.Equal(told, []string{"10 released false <nil> true", "0 waiting true 10 true"}) {
			t.Errorf("entries tell %q", told)
		}
		s.sound()
	})
}

func TestWhatWasEarnedInTheTimeOfARunThatFailedIsSharedByTheNext(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.shares(nil)
		s.run()
		s.clock.advance(time.Hour)
		s.earn("b", 100)
		s.update(rule, object{"endTime": noon.Add(48 * time.Hour).Format(time.RFC3339)})
		s.clock.set(noon.Add(day + time.Second))
		s.run() // waits until the moment is settled
		s.update(rule, object{"endTime": noon.Add(20 * time.Hour).Format(time.RFC3339)})
		s.runDays(1)
		if runs := s.runs(rule); runs[1]["status"] != "failed" || s.balance("a") != "" {
			t.Fatalf("the run did not fail: %v, a has %q", runs, s.balance("a"))
		}
		s.update(rule, object{"endTime": nil})
		s.clock.advance(time.Hour)
		s.earn("b", 50)
		s.runDays(2)
		if a := s.balance("a"); a != "15" {
			t.Errorf("after the next run a has %q", a)
		}
		s.runDays(3)
		if a := s.balance("a"); a != "15" {
			t.Errorf("a day later: %s", a)
		}
	})
}

// TestARunThatBrokeOffPaysNobodyTwice: who had got shares by it gets those of the time afterwards by the next.
func TestARunThatBrokeOffPaysNobodyTwice(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		rule := s.shares(nil)
		s.run()
		s.clock.advance(time.Hour)
		s.earn("b", 100)
		s.runDays(1)
		if a := s.balance("a"); a != "10" {
			t.Fatalf("a has %q", a)
		}
		// it had come as far as b
		db.exec(
			"UPDATE rule_runs SET status = 'failed' WHERE loyalty_rule_id = (SELECT id FROM loyalty_rules WHERE type = 'referred_user') AND position <> ''",
		)
		s.earn("b", 20)
		s.refer(s.code(rule, "a"), s.userOf("c")).ok()
		s.earn("c", 30)
		s.runDays(2)
		if a := s.balance("a"); a != "15" {
			t.Errorf("after the next run a has %q, want 10 and 2 and 3", a)
		}
	})
}

func TestWhatWasEarnedWithoutACadenceIsNeverShared(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.shares(object{"frequency": "none"})
		s.earn("b", 1000)
		s.runDays(3)
		s.update(rule, object{"name": "Still none"})
		s.update(rule, object{"frequency": "daily"})
		s.run()
		s.runDays(4)
		if a := s.balance("a"); a != "" {
			t.Fatalf("the first run paid the history: a has %s", a)
		}
		s.earn("b", 10)
		s.runDays(5)
		if a := s.balance("a"); a != "1" {
			t.Errorf("of what was earned since: %q", a)
		}
		s.update(rule, object{"frequency": "none"})
		s.earn("b", 100)
		s.runDays(7)
		s.update(rule, object{"frequency": "hourly"})
		s.earn("b", 20)
		s.runDays(8)
		if a := s.balance("a"); a != "3" {
			t.Errorf("after a pause: %q", a)
		}
	})
}

func TestALoopMayNotHideBehindTheWalletsOfOnePerson(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("referred_user", nil)
		users := map[string]string{}
		for _, pair := range []string{"a", "b", "c"} {
			for _, wallet := range []string{pair, pair + "2"} {
				s.post("/api/users/metadatas", object{"walletAddress": wallet, "userGroupExternalIdentifier": pair}).ok()
				users[wallet] = s.userOf(wallet)
			}
		}
		users["x"] = s.userOf("x")
		s.refer(s.code(rule, "a2"), users["b"]).ok()
		for _, by := range []string{"b", "b2"} {
			s.refer(s.code(rule, by), users["a"]).refused(400, "Referral loop is not allowed")
		}
		s.refer(s.code(rule, "b2"), users["c"]).ok()
		s.refer(s.code(rule, "c2"), users["x"]).ok()
		// two persons further down, from wallets that nobody was brought by
		for _, wallet := range []string{"a", "a2", "b2"} {
			s.refer(s.code(rule, "x"), users[wallet]).refused(400, "Referral loop is not allowed")
		}
		s.refer(s.code(rule, "x"), s.userOf("y")).ok()
	})
}

func TestWhatWasEarnedBeforeAPauseIsSharedAfterIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.shares(nil)
		s.runDays(1)
		s.clock.advance(time.Hour)
		s.earn("b", 100)
		for i, earned := range []int{1000, 3000} { // two pauses, with something earned between them
			s.clock.advance(time.Minute)
			s.update(rule, object{"frequency": "none"})
			s.clock.advance(time.Hour)
			s.earn("b", earned)
			s.runDays(3 + i)
			s.update(rule, object{"frequency": "monthly"})
			s.clock.advance(time.Minute)
			s.earn("b", 10)
		}
		s.clock.advance(time.Minute)
		s.update(rule, object{"frequency": "daily"})
		s.runDays(5)
		if a := s.balance("a"); a != "12" {
			t.Errorf("of 100 before the pauses and 10 after each a has %q", a)
		}
		s.refer(s.code(rule, "a"), s.userOf("c")).ok()
		s.earn("c", 50)
		s.update(rule, object{"frequency": "none"})
		s.runDays(6)
		if a := s.balance("a"); a != "12" {
			t.Errorf("while there are no runs a got %q", a)
		}
		s.update(rule, object{"frequency": "daily"})
		s.runDays(7)
		s.runDays(8)
		if a := s.balance("a"); a != "17" {
			t.Errorf("of 50 before the last pause: %q", a)
		}
	})
}
