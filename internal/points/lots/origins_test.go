package lots_test

import (
	"fmt"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestLotsNameTheRuleAndTransactionTheyCameFrom(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 3)).OK() // before points expire
		s.Clock.Advance(apptest.Day)
		s.SetPointLifetime(30, 0)
		rule := s.Rule("external_rule", nil)
		earned := s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()["data"].(object)["loyaltyTransactionId"]
		posted := s.Transact(apptest.Points(apptest.Alice, 5)).OK()["id"]
		s.SetPointLifetime(30, 48)
		granted := s.Complete(s.Rule("external_rule", nil), object{"walletAddress": apptest.Alice}).OK()["data"].(object)["loyaltyTransactionId"]
		list := s.Get("/api/loyalty/accounts/" + s.Account(apptest.Alice) + "/lots").Data()
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
		s.AdvanceAndExpire(31 * apptest.Day)
		for _, lot := range s.Get("/api/loyalty/accounts/" + s.Account(apptest.Alice) + "/lots?state=expired").Data() {
			if lot["loyaltyTransactionEntryId"] != nil && lot["loyaltyTransactionId"] == nil {
				t.Errorf("expired, and of nobody: %v", lot)
			}
		}
		s.Sound()
	})
}

func TestAnswersTellThatPointsWait(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		waiting := func(a apptest.Response, path ...string) string {
			t.Helper()
			o := a.OK()
			for _, name := range path {
				o = o[name].(object)
			}
			return fmt.Sprint(o["rewards"])
		}
		rule, unpaidRule := s.Rule(
			"external_rule",
			object{"interval": "unlimited"},
		), s.Rule(
			"external_rule",
			object{"amount": 0},
		)
		body := object{"walletAddress": apptest.Alice, "idempotencyKey": "k1", "amount": 5}
		for _, hours := range []int{0, 24} {
			s.SetPointLifetime(0, hours)
			want := fmt.Sprintf("[map[amount:10 loyaltyCurrencyId:%s rewardType:points]]", s.LoyaltyCurrencyID)
			if hours > 0 {
				want = fmt.Sprintf("[map[amount:10 loyaltyCurrencyId:%s rewardType:points waiting:true]]", s.LoyaltyCurrencyID)
			}
			simulated := s.Simulate(rule, object{"walletAddress": apptest.Alice})
			if got := waiting(simulated); got != want {
				t.Errorf("%d hours, a dry run: %s", hours, got)
			}
			if got := waiting(s.Complete(rule, object{"walletAddress": apptest.Alice}), "data"); got != want {
				t.Errorf("%d hours: %s", hours, got)
			}
			if got := waiting(
				s.Complete(unpaidRule, object{"walletAddress": fmt.Sprint("w", hours)}),
				"data",
			); got != fmt.Sprintf(
				"[map[amount:0 loyaltyCurrencyId:%s rewardType:points]]",
				s.LoyaltyCurrencyID,
			) {
				t.Errorf("%d hours, of nothing: %s", hours, got)
			}
		}
		first := waiting(s.Complete(rule, body), "data")
		s.SetPointLifetime(0, 0)
		if again, dry := waiting(
			s.Complete(rule, body),
			"data",
		), waiting(
			s.Simulate(rule, body),
		); again != first ||
			dry != first {
			t.Errorf("first %s, again %s, tried %s", first, again, dry)
		}
	})
}
