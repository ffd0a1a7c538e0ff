package completion_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestAReplayOfTheUnchangedRuleDiffersByNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rules := []string{
			s.Rule("external_rule", object{"interval": "daily", "maxAmountInterval": "weekly", "maxAmountPerInterval": 25}),
			s.Rule("check_in", object{"interval": "custom", "metadata": object{"customIntervalSeconds": 7200}}),
			s.Rule(
				"external_rule",
				object{
					"interval": "unlimited",
					"metadata": object{
						"range": []object{{"startRange": 1, "endRange": 5, "amount": 3}, {"startRange": 6, "endRange": 9, "amount": 8}},
					},
				},
			),
			s.Rule("text_input", object{"interval": "hourly", "metadata": object{"verificationTextMinimumLength": 3}}),
			s.Rule("code_entry", object{"interval": "daily", "metadata": object{"promoCodeType": "code", "promoCode": "SUN"}}),
		}
		for step := range 40 {
			for i, rule := range rules {
				wallet := string(rune('a' + (step+i)%3))
				// many are refused
				s.Complete(rule, object{"walletAddress": wallet, "rangeValue": step % 11, "verificationCode": "SUN"})
			}
			if step%7 == 0 {
				// beside the window, within the maximum
				s.Complete(rules[0], object{"walletAddress": "a", "amount": 2, "idempotencyKey": time.Duration(step).String()})
			}
			s.Clock.Advance(5 * time.Hour)
		}
		for _, rule := range rules {
			r := s.Replay(rule, nil)
			if r.Total.Completions < 8 || r.Total.Paid == 0 || r.Total.Difference != 0 || r.Total.Refused != 0 ||
				r.WithoutFacts != 0 {
				t.Errorf("%s: %+v, %d without facts", r.Name, r.Total, r.WithoutFacts)
			}
			if overridden := rule == rules[0]; (r.Overridden > 0) != overridden {
				t.Errorf("%s: %d completions with an amount of the caller's", r.Name, r.Overridden)
			}
			for _, m := range r.Members {
				if m.Difference != 0 {
					t.Errorf("%s: %+v", r.Name, m)
				}
			}
		}
	})
}

func TestAReplayKnowsLumpSumsAndPointsThatWait(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		is := func(what string, got app.ReplayedRecord, want [5]string) {
			t.Helper()
			if apptest.ReplaySums(got) != want {
				t.Errorf("%s: %v, want %v", what, apptest.ReplaySums(got), want)
			}
		}
		brings := s.Rule("referred_user", object{"amount": 15, "metadata": object{"referrerReward": 25}})
		s.Refer(s.ReferralCode(brings, "a"), s.UserOf("b"), s.UserOf("c")).OK()
		s.RunReferrals()
		is("lump sums, unchanged", s.Replay(brings, nil).Total, [5]string{"2", "0", "80", "80", "0"})
		is(
			"lump sums, doubled",
			s.Replay(brings, object{"amount": 30, "metadata": object{"referrerReward": 50}}).Total,
			[5]string{"2", "0", "80", "160", "80"},
		)

		slow := s.Post("/api/loyalty/currencies", object{"name": "Slow", "symbol": "S", "decimals": 0, "pointsWaitHours": 24}).OK()["id"]
		waits := s.Rule("external_rule", object{"interval": "daily", "loyaltyCurrencyId": slow})
		for _, wallet := range []string{"a", "b"} {
			s.Complete(waits, object{"walletAddress": wallet}).OK()
		}
		is("waiting, unchanged", s.Replay(waits, nil).Total, [5]string{"2", "0", "20", "20", "0"})
		is("waiting, doubled", s.Replay(waits, object{"amount": 20}).Total, [5]string{"2", "0", "20", "40", "20"})
	})
}

// TestAReplayCountsWindowsAndCapsOfTheChangedRule compares with differences worked out by hand.
func TestAReplayCountsWindowsAndCapsOfTheChangedRule(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule(
			"external_rule",
			object{"interval": "daily", "maxAmountInterval": "weekly", "maxAmountPerInterval": 45},
		)
		days := map[string]int{"a": 6, "b": 2} // from Wednesday on: four days, then a new week
		for day := range 6 {
			for wallet, n := range days {
				if day < n {
					s.Complete(rule, object{"walletAddress": wallet}).OK()
				}
			}
			s.Clock.Advance(24 * time.Hour)
		}
		user := func(wallet string) string {
			return s.Get("/api/users?walletAddress=" + wallet).Data()[0]["id"].(string)
		}
		for _, c := range []struct {
			name    string
			changes object
			a, b    [5]string
		}{
			{"unchanged", nil, [5]string{"6", "0", "60", "60", "0"}, [5]string{"2", "0", "20", "20", "0"}},
			// a: 20, 20, 5 and nothing in the first week, 20 and 20 in the second.
			{"doubled", object{"amount": 20}, [5]string{"6", "1", "60", "85", "25"}, [5]string{"2", "0", "20", "40", "20"}},
			{"doubled without maximum", object{"amount": 20, "maxAmountInterval": nil, "maxAmountPerInterval": nil},
				[5]string{"6", "0", "60", "120", "60"}, [5]string{"2", "0", "20", "40", "20"}},
			{"a lower maximum", object{"maxAmountPerInterval": 15}, [5]string{"6", "2", "60", "30", "-30"}, [5]string{"2", "0", "20", "15", "-5"}},
			{"weekly", object{"interval": "weekly"}, [5]string{"6", "4", "60", "20", "-40"}, [5]string{"2", "1", "20", "10", "-10"}},
			{"begun later", object{"startTime": "2026-01-15T12:00:00Z"}, [5]string{"6", "1", "60", "50", "-10"}, [5]string{"2", "1", "20", "10", "-10"}},
		} {
			r := s.Replay(rule, c.changes)
			got := map[string][5]string{}
			for _, m := range r.Members {
				got[m.UserID.String()] = apptest.ReplaySums(m)
			}
			if got[user("a")] != c.a || got[user("b")] != c.b {
				t.Errorf("%s: a %v, want %v; b %v, want %v", c.name, got[user("a")], c.a, got[user("b")], c.b)
			}
			if r.Total.Completions != 8 || r.Total.Difference != r.Members[0].Difference+r.Members[1].Difference {
				t.Errorf("%s: %+v", c.name, r.Total)
			}
		}
		if list := s.Get("/api/loyalty/transaction_entries?limit=100").Data(); len(list) != 8 {
			t.Errorf("a replay wrote: %d entries", len(list))
		}
	})
}
