package external_test

import (
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

const runsOutside = "frequency cannot be set where runs would pay balances that are kept outside"

func TestRunsPayNothingThatIsKeptOutside(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, _ *apptest.Bank, currency string) {
		for _, kind := range []string{"manual_upload", "microblog_like", "referred_user", "token_hold"} {
			scheduled := object{"name": "N", "type": kind, "loyaltyCurrencyId": currency, "frequency": "daily", "amount": 1}
			faulty := s.Post("/api/loyalty/rules", scheduled).Refused(400, runsOutside)
			if errors := faulty["errors"].([]any); len(errors) != 1 || errors[0].(object)["path"] != "frequency" {
				t.Errorf("%v", faulty)
			}
			kept := s.Rule(kind, object{"loyaltyCurrencyId": currency})
			s.Post("/api/loyalty/rules/"+kept, object{"frequency": "daily"}).Refused(400, runsOutside)
			here := s.Rule(kind, object{"loyaltyCurrencyId": s.LoyaltyCurrencyID, "frequency": "daily"})
			s.Post("/api/loyalty/rules/"+here, object{"loyaltyCurrencyId": currency}).Refused(400, runsOutside)
			s.Post("/api/loyalty/rules/"+here, object{"loyaltyCurrencyId": currency, "frequency": "none"}).OK()
			edit := s.Get("/api/loyalty/rule_edits?loyaltyRuleId=" + here).Data()[0]["id"].(string)
			s.Post("/api/loyalty/rule_edits/"+edit+"/restore", object{}).OK() // back to runs that pay here
		}
		s.Post("/api/loyalty/rules", object{"name": "N", "type": "referred_user", "loyaltyCurrencyId": currency, "frequency": "daily", "claimType": "manual"}).
			Refused(400, runsOutside)
		gift := s.Rule(
			"manual_upload",
			object{
				"loyaltyCurrencyId": currency,
				"frequency":         "daily",
				"rewardType":        "multiplier",
				"amount":            2,
				apptest.OnList:      s.Upload("l.csv", apptest.Bob+"\n"),
			},
		)
		s.ReadLists()
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(gift)[0]); got != "complete 1/1/0/0 " { // it pays no points
			t.Errorf("a run that gives multipliers: %s", got)
		}
	})
}

func TestACurrencyDoesNotGoOutsideUnderRunsThatPayIt(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, _ string) {
		own := s.Post("/api/loyalty/currencies", object{"name": "Own", "symbol": "O", "decimals": 0}).OK()["id"].(string)
		s.Rule("external_rule", object{"loyaltyCurrencyId": own})
		rule := s.Rule("microblog_like", object{"loyaltyCurrencyId": own, "frequency": "daily"})
		move := object{"apiPostUrl": b.URL + "/post"}
		s.Post("/api/loyalty/currencies/"+own, move).
			Refused(400, "apiPostUrl cannot be set while runs of rule "+rule+" pay in this currency")
		s.Update(rule, object{"claimType": "manual"})
		s.Post("/api/loyalty/currencies/"+own, move).OK()
		s.Post("/api/loyalty/rules/"+rule, object{"claimType": "auto"}).Refused(400, runsOutside)
	})
}

func TestMembersClaimOutsideWhatARunFound(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule(
			"manual_upload",
			object{
				"loyaltyCurrencyId": currency,
				"frequency":         "daily",
				"claimType":         "manual",
				apptest.OnList:      s.Upload("l.csv", apptest.Bob+",7\n"),
			},
		)
		s.ReadLists()
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(rule)[0]); got != "complete 1/1/0/0 " {
			t.Errorf("the run: %s", got)
		}
		if b.Calls != 0 {
			t.Errorf("the run asked %d times", b.Calls)
		}
		set(b, func(b *apptest.Bank) { b.Before = func(int) int { return 500 } })
		s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(503, "Service unavailable")
		set(b, func(b *apptest.Bank) { b.Before = nil })
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(
			400,
			"Access restricted. Your account is not on the list.",
		)
		s.Complete(
			rule,
			object{"walletAddress": apptest.Bob},
		).Refused(400, apptest.Undone) // what was in doubt is settled first: it is paid
		b.CheckBalance(t, apptest.Bob, "7")
		if got := mirror(s, currency, apptest.Bob); got != "7" {
			t.Errorf("the mirror has %s", got)
		}
		s.Sound()
	})
}

// TestWhatARunFindsWhileAClaimIsOutsideIsClaimedToo: what the outside has accepted uses up what was claimed, and
// nothing that was found later.
func TestWhatARunFindsWhileAClaimIsOutsideIsClaimedToo(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		for i, reset := range []bool{false, true} {
			rule := s.Rule(
				"manual_upload",
				object{
					"loyaltyCurrencyId": currency,
					"frequency":         "daily",
					"claimType":         "manual",
					"metadata":          object{"resetProgressOnClaim": reset},
					apptest.OnList:      s.Upload("l.csv", apptest.Bob+",7\n"),
				},
			)
			s.ReadLists()
			s.RunSchedule()
			silent(b)
			s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(503, "Service unavailable")
			s.Clock.Advance(apptest.Day)
			s.RunSchedule()
			well(b)
			carryOn(s)
			b.CheckBalance(t, apptest.Bob, []string{"7", "21"}[i])
			s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
			s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(400, apptest.Undone)
			b.CheckBalance(t, apptest.Bob, []string{"14", "28"}[i])
		}
		s.Sound()
	})
}

// TestAFindThatAGroupClaimsOutsideIsNotTakenAlong: its member leaves while the outside is asked.
func TestAFindThatAGroupClaimsOutsideIsNotTakenAlong(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.CreateShopRule(object{"type": "microblog_like", "loyaltyCurrencyId": currency})
		bobs, alices := object{"walletAddress": apptest.Bob}, object{"walletAddress": apptest.Alice}
		s.User(apptest.Bob, object{"microblogUserId": "bob"})
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		s.In(apptest.Alice, "g")
		s.In(apptest.Bob, "g")
		silent(b)
		s.Complete(rule, alices).Refused(503, "Service unavailable")
		s.In(apptest.Bob, nil)
		well(b)
		carryOn(s)
		b.CheckBalance(t, apptest.Alice, "5")
		s.Complete(rule, bobs).Refused(400, apptest.Undone)
		s.Complete(rule, alices).Refused(400, apptest.Undone)
		s.Sound()
	})
}
