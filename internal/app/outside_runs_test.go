package app_test

import "testing"

const runsOutside = "frequency cannot be set where runs would pay balances that are kept outside"

func TestRunsPayNothingThatIsKeptOutside(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, _ *bank, currency string) {
		for _, kind := range []string{"manual_upload", "microblog_like", "referred_user", "token_hold"} {
			scheduled := object{"name": "N", "type": kind, "loyaltyCurrencyId": currency, "frequency": "daily", "amount": 1}
			faulty := s.post("/api/loyalty/rules", scheduled).refused(400, runsOutside)
			if errors := faulty["errors"].([]any); len(errors) != 1 || errors[0].(object)["path"] != "frequency" {
				t.Errorf("%v", faulty)
			}
			kept := s.rule(kind, object{"loyaltyCurrencyId": currency})
			s.post("/api/loyalty/rules/"+kept, object{"frequency": "daily"}).refused(400, runsOutside)
			here := s.rule(kind, object{"loyaltyCurrencyId": s.LoyaltyCurrencyID, "frequency": "daily"})
			s.post("/api/loyalty/rules/"+here, object{"loyaltyCurrencyId": currency}).refused(400, runsOutside)
			s.post("/api/loyalty/rules/"+here, object{"loyaltyCurrencyId": currency, "frequency": "none"}).ok()
			edit := s.get("/api/loyalty/rule_edits?loyaltyRuleId=" + here).data()[0]["id"].(string)
			s.post("/api/loyalty/rule_edits/"+edit+"/restore", object{}).ok() // back to runs that pay here
		}
		s.post("/api/loyalty/rules", object{"name": "N", "type": "referred_user", "loyaltyCurrencyId": currency, "frequency": "daily", "claimType": "manual"}).
			refused(400, runsOutside)
		gift := s.rule(
			"manual_upload",
			object{
				"loyaltyCurrencyId": currency,
				"frequency":         "daily",
				"rewardType":        "multiplier",
				"amount":            2,
				onList:              s.upload("l.csv", bob+"\n"),
			},
		)
		s.readLists()
		s.run()
		if got := counts(s.runs(gift)[0]); got != "complete 1/1/0/0 " { // it pays no points
			t.Errorf("a run that gives multipliers: %s", got)
		}
	})
}

func TestACurrencyDoesNotGoOutsideUnderRunsThatPayIt(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, _ string) {
		own := s.post("/api/loyalty/currencies", object{"name": "Own", "symbol": "O", "decimals": 0}).ok()["id"].(string)
		s.rule("external_rule", object{"loyaltyCurrencyId": own})
		rule := s.rule("microblog_like", object{"loyaltyCurrencyId": own, "frequency": "daily"})
		move := object{"apiPostUrl": b.URL + "/post"}
		s.post("/api/loyalty/currencies/"+own, move).
			refused(400, "apiPostUrl cannot be set while runs of rule "+rule+" pay in this currency")
		s.update(rule, object{"claimType": "manual"})
		s.post("/api/loyalty/currencies/"+own, move).ok()
		s.post("/api/loyalty/rules/"+rule, object{"claimType": "auto"}).refused(400, runsOutside)
	})
}

func TestMembersClaimOutsideWhatARunFound(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule(
			"manual_upload",
			object{
				"loyaltyCurrencyId": currency,
				"frequency":         "daily",
				"claimType":         "manual",
				onList:              s.upload("l.csv", bob+",7\n"),
			},
		)
		s.readLists()
		s.run()
		if got := counts(s.runs(rule)[0]); got != "complete 1/1/0/0 " {
			t.Errorf("the run: %s", got)
		}
		if b.calls != 0 {
			t.Errorf("the run asked %d times", b.calls)
		}
		b.set(func(b *bank) { b.before = func(int) int { return 500 } })
		s.complete(rule, object{"walletAddress": bob}).refused(503, "Service unavailable")
		b.set(func(b *bank) { b.before = nil })
		s.complete(rule, object{"walletAddress": alice}).refused(400, "Access restricted. Your account is not on the list.")
		s.complete(rule, object{"walletAddress": bob}).refused(400, undone) // what was in doubt is settled first: it is paid
		b.has(t, bob, "7")
		if got := s.mirror(currency, bob); got != "7" {
			t.Errorf("the mirror has %s", got)
		}
		s.sound()
	})
}

// TestWhatARunFindsWhileAClaimIsOutsideIsClaimedToo: what the outside has accepted uses up what was claimed, and
// nothing that was found later.
func TestWhatARunFindsWhileAClaimIsOutsideIsClaimedToo(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		for i, reset := range []bool{false, true} {
			rule := s.rule(
				"manual_upload",
				object{
					"loyaltyCurrencyId": currency,
					"frequency":         "daily",
					"claimType":         "manual",
					"metadata":          object{"resetProgressOnClaim": reset},
					onList:              s.upload("l.csv", bob+",7\n"),
				},
			)
			s.readLists()
			s.run()
			b.silent()
			s.complete(rule, object{"walletAddress": bob}).refused(503, "Service unavailable")
			s.clock.advance(day)
			s.run()
			b.well()
			s.carryOn()
			b.has(t, bob, []string{"7", "21"}[i])
			s.complete(rule, object{"walletAddress": bob}).ok()
			s.complete(rule, object{"walletAddress": bob}).refused(400, undone)
			b.has(t, bob, []string{"14", "28"}[i])
		}
		s.sound()
	})
}

// TestAFindThatAGroupClaimsOutsideIsNotTakenAlong: its member leaves while the outside is asked.
func TestAFindThatAGroupClaimsOutsideIsNotTakenAlong(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.found(object{"type": "microblog_like", "loyaltyCurrencyId": currency})
		bobs, alices := object{"walletAddress": bob}, object{"walletAddress": alice}
		s.user(bob, object{"microblogUserId": "bob"})
		s.clock.advance(day)
		s.run()
		s.in(alice, "g")
		s.in(bob, "g")
		b.silent()
		s.complete(rule, alices).refused(503, "Service unavailable")
		s.in(bob, nil)
		b.well()
		s.carryOn()
		b.has(t, alice, "5")
		s.complete(rule, bobs).refused(400, undone)
		s.complete(rule, alices).refused(400, undone)
		s.sound()
	})
}
