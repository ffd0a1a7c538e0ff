package payouts_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// driverFile tells the service of the treasury.
func driverFile(t *testing.T, y *apptest.Treasury) string {
	t.Helper()
	return apptest.WriteConfig(t, `{"url":"`+y.URL+`/pay","headers":{"Authorization":"Bearer s3cret"}}`)
}

// eachWithTreasury runs the test on a server that knows the treasury.
func eachWithTreasury(t *testing.T, f func(t *testing.T, s *apptest.Server, y *apptest.Treasury)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		y := apptest.NewTreasury(t)
		f(t, apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Payouts: driverFile(t, y)}), y)
	})
}

// entriesOf returns the entries of a rule, newest first.
func entriesOf(s *apptest.Server, rule string) []object {
	s.T.Helper()
	return s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data()
}

func TestATokenRewardIsBookedAndPaidOutOnce(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		rule := s.CreateTokenRule("external_rule", object{"amount": "2.5", "interval": "daily"})
		data := s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()["data"].(object)
		reward := data["rewards"].([]any)[0].(object)
		if reward["rewardType"] != "token" || reward["amount"] != json.Number("2.5") {
			t.Errorf("rewarded %v", reward)
		}
		p := s.Payouts("")[0]
		for field, want := range (object{"status": "waiting", "walletAddress": apptest.Alice, "amount": json.Number("2.5"), "loyaltyRuleId": rule, "relayerId": apptest.UnknownID, "contractId": nil,
			"isNative": true, "network": "polygon", "txHash": nil, "message": nil, "attempts": json.Number("0"), "loyaltyCurrencyId": reward["loyaltyCurrencyId"]}) {
			if p[field] != want {
				t.Errorf("%s is %v, not %v", field, p[field], want)
			}
		}
		e := entriesOf(s, rule)[0]
		if m := e["metadata"].(object); m["payoutStatus"] != "waiting" || m["txHash"] != nil ||
			e["updatedAt"] != e["createdAt"] ||
			e["id"] != p["loyaltyTransactionEntryId"] {
			t.Errorf("the entry before: %v", e)
		}
		s.Clock.Advance(time.Minute)
		s.RunPayouts()
		y.CheckPaid(t, apptest.Alice, "2.5;")
		paid := s.Payouts("")[0]
		if paid["status"] != "done" || paid["txHash"] == nil || paid["attempts"] != json.Number("1") ||
			paid["nextAttemptAt"] != nil {
			t.Errorf("paid: %v", paid)
		}
		after := entriesOf(s, rule)[0]
		if m := after["metadata"].(object); m["payoutStatus"] != "done" || m["txHash"] != paid["txHash"] ||
			after["updatedAt"] != paid["updatedAt"] ||
			after["updatedAt"] == e["updatedAt"] ||
			after["createdAt"] != e["createdAt"] {
			t.Errorf("the entry after: %v", after)
		}
		order := y.Calls[0]
		for field, want := range (object{"idempotencyKey": p["id"], "organizationId": s.OrganizationID.String(), "websiteId": s.WebsiteID.String(), "relayerId": apptest.UnknownID, "contractId": nil,
			"isNative": true, "network": "polygon", "chainId": 137.0, "walletAddress": apptest.Alice, "amount": "2.5"}) {
			if order[field] != want {
				t.Errorf("the driver got %s %v, not %v", field, order[field], want)
			}
		}
		if y.LastHeader.Get("Authorization") != "Bearer s3cret" || y.LastHeader.Get("Idempotency-Key") != p["id"] {
			t.Errorf("headers %v", y.LastHeader)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		s.Clock.Advance(24 * time.Hour)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.RunPayouts()
		s.RunPayouts()
		y.CheckPaid(t, apptest.Alice, "2.5;2.5;")
		if len(s.Payouts("")) != 2 || y.CountCalls() != 2 {
			t.Errorf("%d payouts, %d calls", len(s.Payouts("")), y.CountCalls())
		}
		s.Sound()
	})
}

func TestTokenRewardsAreRaisedTieredAndCapped(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		capped := s.CreateTokenRule(
			"external_rule",
			object{"interval": "unlimited", "maxAmountInterval": "lifetime", "maxAmountPerInterval": 25},
		)
		tiers := s.CreateTokenRule(
			"external_rule",
			object{
				"interval": "unlimited",
				"metadata": object{
					"range": []object{
						{"startRange": 1, "endRange": 9, "amount": 3},
						{"startRange": 10, "endRange": 99, "amount": "7.25"},
					},
				},
			},
		)
		for range 2 {
			s.Complete(capped, object{"walletAddress": apptest.Alice}).OK()
		}
		s.Complete(capped, object{"walletAddress": apptest.Alice}).OK() // 5 are left
		s.Complete(capped, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		s.Complete(tiers, object{"walletAddress": apptest.Bob, "rangeValue": 50}).OK()
		s.Complete(tiers, object{"walletAddress": apptest.Bob, "rangeValue": "0.5"}).
			Refused(400, "Quest not achieved, please try again.")
		s.Complete(tiers, object{"walletAddress": apptest.Bob, "rangeValue": 1, "amount": "0.000001"}).OK()
		s.Post("/api/loyalty/multipliers", object{"walletAddress": apptest.Carol, "multiplier": 3}).OK()
		s.Complete(capped, object{"walletAddress": apptest.Carol, "amount": 4}).OK()
		s.RunPayouts()
		s.Complete(s.CreateTokenRule("external_rule", object{"metadata": object{"skipMultiplier": true}}), object{"walletAddress": apptest.Carol, "amount": 4}).
			OK()
		s.Complete(
			s.CreateTokenRule("external_rule", object{"amount": 0}),
			object{"walletAddress": apptest.Carol},
		).OK() // nothing is owed
		if e := entriesOf(s, tiers)[1]["metadata"].(object); e["rangeStart"] != json.Number("10") ||
			e["payoutStatus"] != "done" ||
			e["txHash"] == nil {
			t.Errorf("metadata %v", e)
		}
		for range 7 {
			s.RunPayouts()
		}
		y.CheckPaid(t, apptest.Alice, "10;10;5;")
		y.CheckPaid(t, apptest.Carol, "12;4;")
		y.CheckPaid(t, apptest.Bob, "7.25;0.000001;")
		if n := len(s.Payouts("?walletAddress=" + apptest.Carol)); n != 2 {
			t.Errorf("%d payouts of carol", n)
		}
		s.Sound()
	})
}

func TestStreaksInTokensOweEachEntry(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		rule := s.CreateTokenRule(
			"check_in",
			object{
				"amount":   1,
				"interval": "daily",
				"metadata": object{"enableStreaks": true, "streakArray": []object{{"streakMilestone": 2, "streakAmount": 5}}},
			},
		)
		for range 2 {
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
			s.RunPayouts()
			s.Clock.Advance(24 * time.Hour)
		}
		if n := len(s.Payouts("?loyaltyRuleId=" + rule)); n != 3 {
			t.Errorf("%d payouts", n)
		}
		s.Sound()
	})
}

func TestATokenHasOneHiddenCurrencyPerWebsite(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		contract := object{"relayerId": apptest.UnknownID, "contractId": s.RegisterContract()}
		rules := []string{
			s.CreateTokenRule("external_rule", object{"interval": "unlimited"}),
			s.CreateTokenRule("check_in", nil),
			s.CreateTokenRule("external_rule", object{"tokenReward": contract}),
			s.CreateTokenRule("external_rule", object{"tokenReward": contract, "network": "base"}),
		}
		currency := func(rule string) string {
			return s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()["data"].(object)["rewards"].([]any)[0].(object)["loyaltyCurrencyId"].(string)
		}
		native, again, polygon, base := currency(rules[0]), currency(rules[1]), currency(rules[2]), currency(rules[3])
		if native != again || polygon == native || base == polygon {
			t.Errorf("currencies %s %s %s %s", native, again, polygon, base)
		}
		if shown := s.Get("/api/loyalty/currencies").Data(); len(shown) != 1 {
			t.Errorf("shown: %v", shown)
		}
		all := s.Get("/api/loyalty/currencies?excludeTokenRewardCurrencies=false").Data()
		if len(all) != 4 {
			t.Fatalf("all: %v", all)
		}
		for _, c := range all[1:] {
			if c["isTokenRewardCurrency"] != true || c["decimals"] != json.Number("18") {
				t.Errorf("%v", c)
			}
		}
		const kept = "Currencies of token rewards cannot be changed"
		s.Post("/api/loyalty/currencies/"+native, object{"name": "Mine", "pointsExpireAfterDays": 1}).Refused(400, kept)
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/currencies/"+native, nil).Refused(400, kept)
		s.Post("/api/loyalty/reset", object{"loyaltyCurrencyId": native, "type": "loyalty_reset_balances"}).Refused(400, kept)
		s.Post(
			"/api/loyalty/transactions",
			apptest.CreditBody(native, apptest.Alice, 5, nil),
		).Refused(400, "Loyalty currency not found")
		s.Post("/api/loyalty/rules", object{"name": "N", "type": "external_rule", "loyaltyCurrencyId": native}).
			Refused(400, "Loyalty currency not found")
		// What a rule pays can change; what it has paid stays what it was.
		s.Post("/api/loyalty/rules/"+rules[0], object{"rewardType": "points", "loyaltyCurrencyId": s.LoyaltyCurrencyID.String()}).
			OK()
		s.Complete(rules[0], object{"walletAddress": apptest.Alice}).OK()
		s.Post("/api/loyalty/rules/"+rules[0], object{"rewardType": "token", "network": "base"}).OK()
		if got := currency(rules[0]); got == native {
			t.Error("another network's token has the same currency")
		}
		if got := s.Balance(apptest.Alice); got != "10" {
			t.Errorf("alice has %s points", got)
		}
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rules[1]+"?debitLoyaltyPoints=true", nil).OK()
		if got := s.Get("/api/loyalty/accounts?walletAddress=" + apptest.Alice + "&loyaltyCurrencyId=" + native).
			Data(); got[0]["amount"] != json.Number(
			"20",
		) {
			t.Errorf("tokens were taken back: %v", got)
		}
		s.Sound()
	})
}

func TestRulesThatDoNotSayWhichTokenAreNotSetUp(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for name, reward := range map[string]any{"neither": object{"relayerId": apptest.UnknownID}, "not native": object{"relayerId": apptest.UnknownID, "isNative": false},
			"both": object{"relayerId": apptest.UnknownID, "isNative": true, "contractId": s.RegisterContract()}, "none": nil} {
			rule := s.CreateTokenRule("external_rule", object{"tokenReward": reward})
			if got := s.Complete(rule, object{"walletAddress": apptest.Alice}); got.JSON()["message"] != "Rule is not setup" {
				t.Errorf("%s: %s", name, got.Body)
			}
		}
		nowhere := s.CreateTokenRule("external_rule", object{"network": nil}) // a network's own token, of no network
		s.Complete(nowhere, object{"walletAddress": apptest.Alice}).Refused(400, "Rule is not setup")
		if n := len(s.Payouts("")); n != 0 {
			t.Errorf("%d payouts are owed", n)
		}
		s.Post("/api/loyalty/rules", object{"name": "N", "type": "external_rule", "rewardType": "token", "tokenReward": object{"isNative": true}}).
			Refused(400, "tokenReward.relayerId is required")
	})
}

func TestNobodyIsOwedTokensWithoutAWallet(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		// the key's own user
		user := s.Post("/api/loyalty/currencies", object{"name": "Miles", "symbol": "M", "decimals": 0}).OK()["createdById"].(string)
		rule := s.CreateTokenRule("external_rule", nil)
		s.Complete(rule, object{"userId": user}).Refused(400, "User has no wallet address")
		s.Complete(rule, object{"userId": user, "verifyOnly": true}).Refused(400, "User has no wallet address")
		if got := s.Post("/api/loyalty/rules/"+rule+"/simulate", object{"userId": user}).
			OK(); got["wouldComplete"] != false ||
			got["message"] != "User has no wallet address" {
			t.Errorf("simulated: %v", got)
		}
		if n := len(s.Payouts("")); n != 0 {
			t.Errorf("%d payouts", n)
		}
	})
}

func TestWithoutADriverWhatIsOwedWaits(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateTokenRule("external_rule", nil)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Clock.Advance(1000 * time.Hour)
		s.RunPayouts()
		p := s.Payouts("?status=waiting")[0]
		if p["attempts"] != json.Number("0") || p["message"] != nil {
			t.Errorf("%v", p)
		}
		s.Post("/api/loyalty/payouts/"+p["id"].(string)+"/retry", nil).Refused(400, "Payout has not failed")
		s.Post("/api/loyalty/payouts/"+apptest.UnknownID+"/retry", nil).Refused(404, "Payout not found")
		s.Get("/api/loyalty/payouts?status=open").Refused(400, "status must be one of: waiting, sent, done, failed")
		s.Sound()
	})
}

func TestACallWhoseAnswerIsLostPaysOnce(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		rule := s.CreateTokenRule("external_rule", nil)
		y.Set(func(y *apptest.Treasury) { y.After = apptest.Always(-1, "") })
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.RunPayouts()
		p := s.Payouts("")[0]
		if p["status"] != "waiting" || p["message"] == nil || p["attempts"] != json.Number("1") {
			t.Errorf("after the cut: %v", p)
		}
		before := entriesOf(s, rule)[0]
		n := y.CountCalls()
		s.RunPayouts() // it is not due
		if y.CountCalls() != n {
			t.Error("asked before its pause was over")
		}
		y.Set(func(y *apptest.Treasury) { y.After = nil })
		s.Clock.Advance(10 * time.Second)
		s.RunPayouts()
		y.CheckPaid(t, apptest.Alice, "10;")
		if p = s.Payouts("")[0]; p["status"] != "done" || p["message"] != nil {
			t.Errorf("in the end: %v", p)
		}
		if after := entriesOf(s, rule)[0]; before["updatedAt"] != before["createdAt"] ||
			after["updatedAt"] == before["updatedAt"] {
			t.Errorf("updatedAt went from %v to %v", before["updatedAt"], after["updatedAt"])
		}
		s.Sound()
	})
}

// A node that dies between the call and its commit leaves a lease behind; another node asks again, under the same key.
func TestANodeThatDiesWithAPayoutPaysOnce(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		rule := s.CreateTokenRule("external_rule", nil)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		id, err := laurel.ParseID(s.Payouts("")[0]["id"].(string))
		if err != nil {
			t.Fatal(err)
		}
		held, stop := make(chan struct{}), make(chan struct{})
		y.Set(func(y *apptest.Treasury) {
			y.After = func(call int) (int, string) {
				if call == 1 {
					close(held)
					<-stop
				}
				return 0, ""
			}
		})
		first := make(chan struct{})
		go func() { defer close(first); s.RunPayouts() }()
		<-held
		s.RunPayouts() // another node finds it leased
		s.Clock.Advance(time.Minute)
		second := make(chan struct{})
		go func() { defer close(second); s.RunPayouts() }() // and takes it over when the lease is over
		close(stop)
		<-first
		<-second
		y.CheckPaid(t, apptest.Alice, "10;")
		if len(y.Done) != 1 || y.Done[id.String()] == "" {
			t.Errorf("paid under %v", y.Done)
		}
		if p := s.Payouts("")[0]; p["status"] != "done" {
			t.Errorf("%v", p)
		}
		s.Sound()
	})
}

func TestPendingPayoutsAreAskedForUntilTheyEnd(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		rule := s.CreateTokenRule("external_rule", nil)
		y.Set(func(y *apptest.Treasury) { y.After = apptest.Always(http.StatusAccepted, `{"status":"pending"}`) })
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		for range 12 { // more often than an outage may last
			s.RunPayouts()
			s.Clock.Advance(2 * time.Hour)
		}
		p := s.Payouts("?status=sent")[0]
		if p["attempts"] != json.Number("12") || p["txHash"] != nil ||
			entriesOf(s, rule)[0]["metadata"].(object)["payoutStatus"] != "sent" {
			t.Errorf("%v", p)
		}
		y.Set(func(y *apptest.Treasury) {
			y.After = apptest.Always(http.StatusOK, `{"status":"pending","txHash":"0xabc"}`)
		})
		s.RunPayouts()
		if m := entriesOf(s, rule)[0]["metadata"].(object); m["payoutStatus"] != "sent" || m["txHash"] != "0xabc" {
			t.Errorf("metadata %v", m)
		}
		y.Set(func(y *apptest.Treasury) { y.After = apptest.Always(http.StatusOK, `{"txHash":"0xabc"}`) })
		s.Clock.Advance(2 * time.Hour)
		s.RunPayouts()
		if p = s.Payouts("")[0]; p["status"] != "done" || p["txHash"] != "0xabc" {
			t.Errorf("%v", p)
		}
		y.CheckPaid(t, apptest.Alice, "10;")
	})
}

func TestARefusedPayoutFailsAndCanBeRetried(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		y.Set(func(y *apptest.Treasury) {
			y.Before = apptest.Always(http.StatusUnprocessableEntity, `{"message":"Out of funds"}`)
		})
		s.Complete(s.CreateTokenRule("external_rule", nil), object{"walletAddress": apptest.Alice}).OK()
		s.RunPayouts()
		p := s.Payouts("?status=failed")[0]
		if p["message"] != "Out of funds" || p["attempts"] != json.Number("1") || p["nextAttemptAt"] != nil {
			t.Errorf("%v", p)
		}
		s.Clock.Advance(1000 * time.Hour)
		s.RunPayouts()
		if y.CountCalls() != 1 {
			t.Error("a payout that failed was handed over by itself")
		}
		y.Set(func(y *apptest.Treasury) { y.Before = nil })
		retry := "/api/loyalty/payouts/" + p["id"].(string) + "/retry"
		if got := s.Post(retry, object{}).
			OK(); got["status"] != "waiting" || got["attempts"] != json.Number("0") ||
			got["message"] != nil {
			t.Errorf("retried: %v", got)
		}
		s.Post(retry, object{}).Refused(400, "Payout has not failed")
		s.RunPayouts()
		y.CheckPaid(t, apptest.Alice, "10;")
		s.Post(retry, object{}).Refused(400, "Payout has not failed")
		s.Sound()
	})
}

func TestAnOutageFailsAPayoutAfterTwoHoursAndARetryPaysOnce(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		s.Complete(s.CreateTokenRule("external_rule", nil), object{"walletAddress": apptest.Alice}).OK()
		for i, broken := range []string{`{"status":"done"}`, `{"status":"maybe"}`, `no json`, `{}`, `{"status":"done","txHash":"` + string(make([]byte, 10)) + `"}`} {
			y.Set(func(y *apptest.Treasury) { y.After = apptest.Always(http.StatusOK, broken) }) // it pays, and tells it badly
			s.RunPayouts()
			if p := s.Payouts("")[0]; p["status"] != "waiting" || p["message"] == nil {
				t.Errorf("answer %d: %v", i, p)
			}
			s.Clock.Advance(2 * time.Hour)
		}
		y.Set(func(y *apptest.Treasury) { y.After = apptest.Always(http.StatusUnauthorized, "") })
		for range 3 {
			if p := s.Payouts("")[0]; p["status"] != "waiting" {
				t.Fatalf("failed too early: %v", p)
			}
			s.RunPayouts()
			s.Clock.Advance(2 * time.Hour)
		}
		p := s.Payouts("?status=failed")[0]
		if p["message"] != "answered with status 401" || p["attempts"] != json.Number("8") {
			t.Errorf("%v", p)
		}
		y.Set(func(y *apptest.Treasury) { y.After = nil })
		s.Post("/api/loyalty/payouts/"+p["id"].(string)+"/retry", object{}).OK()
		s.RunPayouts()
		y.CheckPaid(t, apptest.Alice, "10;")
		s.Sound()
	})
}

// A host that is left alone for a while was not asked: that is no attempt.
func TestADriverThatRestsCostsNoAttempt(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		y.Set(func(y *apptest.Treasury) { y.Before = apptest.Always(http.StatusBadGateway, "") })
		rule := s.CreateTokenRule("external_rule", object{"interval": "unlimited"})
		for range 3 { // with two tries each, the breaker opens in the last
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
			s.RunPayouts()
		}
		n := y.CountCalls()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.RunPayouts()
		p := s.Payouts("?walletAddress=" + apptest.Bob)[0]
		if y.CountCalls() != n || p["attempts"] != json.Number("0") || p["status"] != "waiting" {
			t.Errorf("%d calls more, %v", y.CountCalls()-n, p)
		}
	})
}

func TestPayoutsAreFilteredAndBelongToOneTenant(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		one, two := s.CreateTokenRule("external_rule", object{"interval": "unlimited"}), s.CreateTokenRule("external_rule", nil)
		s.Complete(one, object{"walletAddress": apptest.Alice}).OK()
		y.Set(func(y *apptest.Treasury) { y.Before = apptest.Always(http.StatusBadRequest, "") })
		s.RunPayouts()
		s.Complete(one, object{"walletAddress": apptest.Bob}).OK()
		s.Complete(two, object{"walletAddress": apptest.Bob}).OK()
		bobs := s.Payouts("?walletAddress=" + apptest.Bob)
		for query, want := range map[string]int{"": 3, "?status=failed": 1, "?status=waiting": 2, "?status=failed&status=waiting": 3, "?loyaltyRuleId=" + one: 2, "?loyaltyRuleId=" + two: 1,
			"?userId=" + bobs[0]["userId"].(string): 2, "?status=failed&walletAddress=" + apptest.Bob: 0, "?limit=2": 2, "?startingAfter=" + bobs[1]["id"].(string): 1} {
			if got := s.Payouts(query); len(got) != want {
				t.Errorf("%q finds %d, not %d", query, len(got), want)
			}
		}
		if p := s.Payouts("?status=failed")[0]; p["message"] != "Refused by the payout driver" {
			t.Errorf("%v", p)
		}
		stranger := *s
		stranger.Program = s.NewProgram("Rival")
		if got := stranger.Payouts(""); len(got) != 0 {
			t.Errorf("a stranger sees %v", got)
		}
		failed := s.Payouts("?status=failed")[0]["id"].(string)
		stranger.Post("/api/loyalty/payouts/"+failed+"/retry", nil).Refused(404, "Payout not found")
		stranger.Get("/api/loyalty/payouts?startingAfter="+failed).Refused(400, "startingAfter not found")
		s.Call(s.ClientAPIKey, "GET", "/api/loyalty/payouts", nil).
			Refused(403, "API key is not allowed to perform this operation")
		// The same token of another website is another currency.
		stranger.Complete(stranger.CreateTokenRule("external_rule", nil), object{"walletAddress": apptest.Alice}).OK()
		if a, b := s.Payouts("?limit=1")[0], stranger.Payouts("")[0]; a["loyaltyCurrencyId"] == b["loyaltyCurrencyId"] {
			t.Error("two websites share a token's currency")
		}
	})
}

// Two nodes, or two callers, that make the first rules of a token at once.
func TestRulesThatAreMadeAtOnceShareTheirTokensCurrency(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				s.Post("/api/loyalty/rules", object{"name": "N", "type": "external_rule", "rewardType": "token", "network": "polygon", "tokenReward": object{"relayerId": apptest.UnknownID, "isNative": true}}).
					OK()
			})
		}
		all.Wait()
		if n := len(s.Get("/api/loyalty/currencies?excludeTokenRewardCurrencies=false").Data()); n != 2 {
			t.Errorf("%d currencies", n)
		}
	})
}

func TestAListThatPaysTokensOwesWhatItSays(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		out := apptest.NewSite(t)
		rule := s.CreateTokenRule(
			"points_airdrop",
			object{"loyaltyUserAllotmentCsvUrl": out.Set("/list.csv", apptest.Alice+",4.5\n"+apptest.Bob+"\n")},
		)
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Carol}).Refused(
			400,
			"Access restricted. Your account is not on the list.",
		)
		s.RunPayouts()
		y.CheckPaid(t, apptest.Alice, "4.5;")
		y.CheckPaid(t, apptest.Bob, "10;")
		s.Sound()
	})
}

func TestRunsAndReferralsPayTokensToo(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury) {
		out := apptest.NewSite(t)
		airdrop := s.CreateTokenRule(
			"points_airdrop",
			object{
				"frequency":                  "once",
				"startTime":                  apptest.Noon.Add(time.Hour),
				"loyaltyUserAllotmentCsvUrl": out.Set("/list.csv", apptest.Alice+",4.5\n"+apptest.Bob+"\n"),
			},
		)
		s.ReadLists()
		s.Clock.Advance(2 * time.Hour)
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(airdrop)[0]); got != "complete 2/2/0/0 " {
			t.Errorf("the run: %s", got)
		}
		brings := s.CreateTokenRule(
			"referred_user",
			object{
				"amount":   3,
				"metadata": object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": s.LoyaltyCurrencyID.String()},
			},
		)
		s.Refer(s.ReferralCode(brings, apptest.Bob), s.UserOf(apptest.Carol)).OK()
		s.RunPayouts()
		y.CheckPaid(t, apptest.Alice, "4.5;")
		y.CheckPaid(t, apptest.Bob, "10;")
		y.CheckPaid(t, apptest.Carol, "3;")
		if got := s.Balance(apptest.Bob); got != "7" { // a lump sum is points
			t.Errorf("bob has %q points", got)
		}
		if e := entriesOf(s, brings)[0]["metadata"].(object); e["referral"] == nil {
			t.Errorf("metadata %v", e)
		}
		s.Sound()
	})
}

func TestWhatIfAndDryRunsKnowTokens(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateTokenRule("external_rule", object{"interval": "daily"})
		got := s.Post("/api/loyalty/rules/"+rule+"/simulate", object{"walletAddress": apptest.Alice}).OK()
		if r := got["rewards"].([]any)[0].(object); got["wouldComplete"] != true || r["rewardType"] != "token" ||
			r["amount"] != json.Number("10") ||
			len(s.Payouts("")) != 0 {
			t.Errorf("simulated: %v", got)
		}
		for range 3 {
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
			s.Clock.Advance(24 * time.Hour)
		}
		if r := s.Replay(rule, nil); apptest.ReplaySums(r.Total) != [5]string{"3", "0", "30", "30", "0"} {
			t.Errorf("unchanged: %v", apptest.ReplaySums(r.Total))
		}
		if r := s.Replay(rule, object{"amount": 20}); apptest.ReplaySums(r.Total) != [5]string{"3", "0", "30", "60", "30"} {
			t.Errorf("doubled: %v", apptest.ReplaySums(r.Total))
		}
	})
}

func TestADriverThatCannotBeCalledIsToldAtTheStart(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "payouts.json")
	for content, want := range map[string]string{
		`{"url":"https://payouts.example/pay","headers":{"Authorization":"Bearer s"}}`: "",
		`{"url":"http://payouts.example/pay"}`:                                         "",
		`{"url":"https://10.0.0.1/pay"}`:                                               "",
		`{"url":"https://me:secret@10.0.0.1/pay"}`:                                     "--payouts: url must not contain credentials",
		`{"url":"ftp://payouts.example/pay"}`:                                          "--payouts: url must be a valid url",
		`{"url":"https://payouts.example/pay","headers":{"A: b":"c"}}`:                 "--payouts has a header that cannot be sent",
		`{"uri":"https://payouts.example/pay"}`:                                        `--payouts must be a file such as {"url":"https://driver.example.com","headers":{"Authorization":"Bearer secret"}}: json: unknown field "uri"`,
		``:                                                                             `--payouts must be a file such as {"url":"https://driver.example.com","headers":{"Authorization":"Bearer secret"}}: EOF`,
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := app.Open(
			context.Background(),
			app.Config{Database: "sqlite:" + filepath.Join(t.TempDir(), "test.db"), DataDir: t.TempDir(), Payouts: file},
		)
		got := ""
		if err != nil {
			got = err.Error()
		} else if err := a.Close(); err != nil {
			t.Error(err)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", content, got, want)
		}
	}
	if _, err := app.Open(
		context.Background(),
		app.Config{
			Database: "sqlite:" + filepath.Join(t.TempDir(), "test.db"),
			DataDir:  t.TempDir(),
			Payouts:  file + ".none",
		},
	); err == nil ||
		!errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
