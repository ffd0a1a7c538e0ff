package app_test

import (
	"fmt"
	"testing"
)

func TestLotsNameTheRuleAndTransactionTheyCameFrom(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.transact(points(alice, 3)).ok() // before points expire
		s.clock.advance(day)
		s.living(30, 0)
		rule := s.rule("external_rule", nil)
		earned := s.complete(rule, object{"walletAddress": alice}).ok()["data"].(object)["loyaltyTransactionId"]
		posted := s.transact(points(alice, 5)).ok()["id"]
		s.living(30, 48)
		granted := s.complete(s.rule("external_rule", nil), object{"walletAddress": alice}).ok()["data"].(object)["loyaltyTransactionId"]
		list := s.get("/api/loyalty/accounts/" + s.account(alice) + "/lots").data()
		if len(list) != 4 {
			t.Fatalf("%v", list)
		}
		for i, want := range []string{fmt.Sprint("pending ", granted, " true"), fmt.Sprint("open ", posted, " false"), fmt.Sprint("open ", earned, " true"), "open <nil> false"} {
			if got := fmt.Sprint(
				list[i]["state"],
				" ",
				list[i]["loyaltyTransactionId"],
				" ",
				list[i]["loyaltyRuleId"] != nil,
			); got != want {
				t.Errorf("lot %d: %s, not %s", i, got, want)
			}
		}
		if list[2]["loyaltyRuleId"] != rule {
			t.Errorf("of the rule: %v", list[2])
		}
		s.pass(31 * day)
		for _, lot := range s.get("/api/loyalty/accounts/" + s.account(alice) + "/lots?state=expired").data() {
			if lot["loyaltyTransactionEntryId"] != nil && lot["loyaltyTransactionId"] == nil {
				t.Errorf("expired, and of nobody: %v", lot)
			}
		}
		s.sound()
	})
}

func TestAnswersTellThatPointsWait(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		waiting := func(a answer, path ...string) string {
			t.Helper()
			o := a.ok()
			for _, name := range path {
				o = o[name].(object)
			}
			return fmt.Sprint(o["rewards"])
		}
		rule, nothing := s.rule(
			"external_rule",
			object{"interval": "unlimited"},
		), s.rule(
			"external_rule",
			object{"amount": 0},
		)
		body := object{"walletAddress": alice, "idempotencyKey": "k1", "amount": 5}
		for _, hours := range []int{0, 24} {
			s.living(0, hours)
			want := fmt.Sprintf("[map[amount:10 loyaltyCurrencyId:%s rewardType:points]]", s.LoyaltyCurrencyID)
			if hours > 0 {
				want = fmt.Sprintf("[map[amount:10 loyaltyCurrencyId:%s rewardType:points waiting:true]]", s.LoyaltyCurrencyID)
			}
			told := s.simulate(rule, object{"walletAddress": alice})
			if got := waiting(told); got != want {
				t.Errorf("%d hours, a dry run: %s", hours, got)
			}
			if got := waiting(s.complete(rule, object{"walletAddress": alice}), "data"); got != want {
				t.Errorf("%d hours: %s", hours, got)
			}
			if got := waiting(
				s.complete(nothing, object{"walletAddress": fmt.Sprint("w", hours)}),
				"data",
			); got != fmt.Sprintf(
				"[map[amount:0 loyaltyCurrencyId:%s rewardType:points]]",
				s.LoyaltyCurrencyID,
			) {
				t.Errorf("%d hours, of nothing: %s", hours, got)
			}
		}
		first := waiting(s.complete(rule, body), "data")
		s.living(0, 0)
		if again, dry := waiting(
			s.complete(rule, body),
			"data",
		), waiting(
			s.simulate(rule, body),
		); again != first ||
			dry != first {
			t.Errorf("first %s, again %s, tried %s", first, again, dry)
		}
	})
}
