package app_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"laurel/internal/app"
)

// replay asks what the rule would have paid with changes.
func (s *server) replay(rule string, changes object) app.ReplayRecord {
	s.t.Helper()
	body := s.get("/api/loyalty/rules?loyaltyRuleId=" + rule).data()[0]
	for k, v := range changes {
		body[k] = v
	}
	text, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := s.app.Replay(context.Background(), app.ReplayInput{Rule: text, From: "2026-01-01", To: "2026-12-31"})
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

func sums(r app.ReplayedRecord) [5]string {
	n := func(v any) string { b, _ := json.Marshal(v); return string(b) }
	return [5]string{n(r.Completions), n(r.Refused), n(r.Paid), n(r.WouldPay), n(r.Difference)}
}

func TestAReplayOfTheUnchangedRuleDiffersByNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rules := []string{
			s.rule("external_rule", object{"interval": "daily", "maxAmountInterval": "weekly", "maxAmountPerInterval": 25}),
			s.rule("check_in", object{"interval": "custom", "metadata": object{"customIntervalSeconds": 7200}}),
			s.rule(
				"external_rule",
				object{
					"interval": "unlimited",
					"metadata": object{
						"range": []object{{"startRange": 1, "endRange": 5, "amount": 3}, {"startRange": 6, "endRange": 9, "amount": 8}},
					},
				},
			),
			s.rule("text_input", object{"interval": "hourly", "metadata": object{"verificationTextMinimumLength": 3}}),
			s.rule("code_entry", object{"interval": "daily", "metadata": object{"promoCodeType": "code", "promoCode": "SUN"}}),
		}
		for step := range 40 {
			for i, rule := range rules {
				wallet := string(rune('a' + (step+i)%3))
				// many are refused
				s.complete(rule, object{"walletAddress": wallet, "rangeValue": step % 11, "verificationCode": "SUN"})
			}
			if step%7 == 0 {
				// beside the window, within the maximum
				s.complete(rules[0], object{"walletAddress": "a", "amount": 2, "idempotencyKey": time.Duration(step).String()})
			}
			s.clock.advance(5 * time.Hour)
		}
		for _, rule := range rules {
			r := s.replay(rule, nil)
			if r.Total.Completions < 8 || r.Total.Paid == 0 || r.Total.Difference != 0 || r.Total.Refused != 0 ||
				r.Unknown != 0 {
				t.Errorf("%s: %+v, %d without facts", r.Name, r.Total, r.Unknown)
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
	each(t, func(t *testing.T, s *server) {
		is := func(what string, got app.ReplayedRecord, want [5]string) {
			t.Helper()
			if sums(got) != want {
				t.Errorf("%s: %v, want %v", what, sums(got), want)
			}
		}
		brings := s.rule("referred_user", object{"amount": 15, "metadata": object{"referrerReward": 25}})
		s.refer(s.code(brings, "a"), s.userOf("b"), s.userOf("c")).ok()
		s.settled()
		is("lump sums, unchanged", s.replay(brings, nil).Total, [5]string{"2", "0", "80", "80", "0"})
		is(
			"lump sums, doubled",
			s.replay(brings, object{"amount": 30, "metadata": object{"referrerReward": 50}}).Total,
			[5]string{"2", "0", "80", "160", "80"},
		)

		slow := s.post("/api/loyalty/currencies", object{"name": "Slow", "symbol": "S", "decimals": 0, "pointsWaitHours": 24}).ok()["id"]
		waits := s.rule("external_rule", object{"interval": "daily", "loyaltyCurrencyId": slow})
		for _, wallet := range []string{"a", "b"} {
			s.complete(waits, object{"walletAddress": wallet}).ok()
		}
		is("waiting, unchanged", s.replay(waits, nil).Total, [5]string{"2", "0", "20", "20", "0"})
		is("waiting, doubled", s.replay(waits, object{"amount": 20}).Total, [5]string{"2", "0", "20", "40", "20"})
	})
}

// TestAReplayCountsWindowsAndCapsOfTheChangedRule compares with differences worked out by hand.
func TestAReplayCountsWindowsAndCapsOfTheChangedRule(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule(
			"external_rule",
			object{"interval": "daily", "maxAmountInterval": "weekly", "maxAmountPerInterval": 45},
		)
		days := map[string]int{"a": 6, "b": 2} // from Wednesday on: four days, then a new week
		for day := range 6 {
			for wallet, n := range days {
				if day < n {
					s.complete(rule, object{"walletAddress": wallet}).ok()
				}
			}
			s.clock.advance(24 * time.Hour)
		}
		user := func(wallet string) string {
			return s.get("/api/users?walletAddress=" + wallet).data()[0]["id"].(string)
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
			r := s.replay(rule, c.changes)
			got := map[string][5]string{}
			for _, m := range r.Members {
				got[m.UserID.String()] = sums(m)
			}
			if got[user("a")] != c.a || got[user("b")] != c.b {
				t.Errorf("%s: a %v, want %v; b %v, want %v", c.name, got[user("a")], c.a, got[user("b")], c.b)
			}
			if r.Total.Completions != 8 || r.Total.Difference != r.Members[0].Difference+r.Members[1].Difference {
				t.Errorf("%s: %+v", c.name, r.Total)
			}
		}
		if list := s.get("/api/loyalty/transaction_entries?limit=100").data(); len(list) != 8 {
			t.Errorf("a replay wrote: %d entries", len(list))
		}
	})
}
