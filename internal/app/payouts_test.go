package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel"
	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// treasury is an operator's payout driver. It pays each key once, as such a driver must, and can be told to fail.
type treasury struct {
	*httptest.Server
	mu    sync.Mutex
	paid  map[string]string // wallet → what it got in all
	done  map[string]string // key → txHash
	calls []object
	seen  http.Header
	// before is asked of every call: an answer other than "" is given with its status in place of work.
	before func(call int) (int, string)
	// after is asked when the work is done, in place of the truth. A status of -1 cuts the connection.
	after func(call int) (int, string)
}

func newTreasury(t *testing.T) *treasury {
	t.Helper()
	y := &treasury{paid: map[string]string{}, done: map[string]string{}}
	y.Server = httptest.NewServer(http.HandlerFunc(y.pay))
	t.Cleanup(y.Close)
	return y
}

func (y *treasury) pay(w http.ResponseWriter, r *http.Request) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.seen = r.Header.Clone()
	var in object
	if json.NewDecoder(r.Body).Decode(&in) != nil {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	y.calls = append(y.calls, in)
	if y.before != nil {
		if status, body := y.before(len(y.calls)); status != 0 {
			tell(w, status, body)
			return
		}
	}
	key, wallet := in["idempotencyKey"].(string), in["walletAddress"].(string)
	if _, known := y.done[key]; !known {
		y.done[key] = "0x" + key[len(key)-12:]
		y.paid[wallet] += in["amount"].(string) + ";"
	}
	if y.after != nil {
		if status, body := y.after(len(y.calls)); status != 0 {
			tell(w, status, body)
			return
		}
	}
	tell(w, http.StatusOK, `{"status":"done","txHash":"`+y.done[key]+`"}`)
}

// file tells the service of the treasury.
func (y *treasury) file(t *testing.T) string {
	t.Helper()
	return configured(t, `{"url":"`+y.URL+`/pay","headers":{"Authorization":"Bearer s3cret"}}`)
}

// set changes the treasury while nobody is served.
func (y *treasury) set(f func(y *treasury)) {
	y.mu.Lock()
	defer y.mu.Unlock()
	f(y)
}

func always(status int, body string) func(int) (int, string) {
	return func(int) (int, string) { return status, body }
}

// has demands what a wallet was paid, in any order: each payment with a ; behind it.
func (y *treasury) has(t *testing.T, wallet, paid string) {
	t.Helper()
	y.mu.Lock()
	defer y.mu.Unlock()
	sorted := func(list string) string {
		parts := strings.SplitAfter(list, ";")
		slices.Sort(parts)
		return strings.Join(parts, "")
	}
	if got := y.paid[wallet]; sorted(got) != sorted(paid) {
		t.Errorf("%s was paid %q, not %q", wallet, got, paid)
	}
}

func (y *treasury) called() int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return len(y.calls)
}

// eachWithTreasury runs the test on a server that knows the treasury.
func eachWithTreasury(t *testing.T, f func(t *testing.T, s *server, y *treasury)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		y := newTreasury(t)
		f(t, openAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Payouts: y.file(t)}), y)
	})
}

// tokens is a rule that pays a network's own token.
func (s *server) tokens(kind string, more object) string {
	s.t.Helper()
	properties := object{
		"rewardType":  "token",
		"network":     "polygon",
		"tokenReward": object{"relayerId": unknownID, "isNative": true},
	}
	for k, v := range more {
		properties[k] = v
	}
	return s.rule(kind, properties)
}

// pay hands over what is due.
func (s *server) pay() {
	s.t.Helper()
	if err := s.app.Payouts.RunDue(context.Background()); err != nil {
		s.t.Fatal(err)
	}
}

// payouts returns what is owed, newest first.
func (s *server) payouts(query string) []object {
	s.t.Helper()
	return s.get("/api/loyalty/payouts" + query).data()
}

// entriesOf returns the entries of a rule, newest first.
func (s *server) entriesOf(rule string) []object {
	s.t.Helper()
	return s.get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).data()
}

func TestATokenRewardIsBookedAndPaidOutOnce(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		rule := s.tokens("external_rule", object{"amount": "2.5", "interval": "daily"})
		data := s.complete(rule, object{"walletAddress": alice}).ok()["data"].(object)
		reward := data["rewards"].([]any)[0].(object)
		if reward["rewardType"] != "token" || reward["amount"] != json.Number("2.5") {
			t.Errorf("rewarded %v", reward)
		}
		p := s.payouts("")[0]
		for field, want := range (object{"status": "waiting", "walletAddress": alice, "amount": json.Number("2.5"), "loyaltyRuleId": rule, "relayerId": unknownID, "contractId": nil,
			"isNative": true, "network": "polygon", "txHash": nil, "message": nil, "attempts": json.Number("0"), "loyaltyCurrencyId": reward["loyaltyCurrencyId"]}) {
			if p[field] != want {
				t.Errorf("%s is %v, not %v", field, p[field], want)
			}
		}
		e := s.entriesOf(rule)[0]
		if m := e["metadata"].(object); m["payoutStatus"] != "waiting" || m["txHash"] != nil ||
			e["updatedAt"] != e["createdAt"] ||
			e["id"] != p["loyaltyTransactionEntryId"] {
			t.Errorf("the entry before: %v", e)
		}
		s.clock.advance(time.Minute)
		s.pay()
		y.has(t, alice, "2.5;")
		paid := s.payouts("")[0]
		if paid["status"] != "done" || paid["txHash"] == nil || paid["attempts"] != json.Number("1") ||
			paid["nextAttemptAt"] != nil {
			t.Errorf("paid: %v", paid)
		}
		after := s.entriesOf(rule)[0]
		if m := after["metadata"].(object); m["payoutStatus"] != "done" || m["txHash"] != paid["txHash"] ||
			after["updatedAt"] != paid["updatedAt"] ||
			after["updatedAt"] == e["updatedAt"] ||
			after["createdAt"] != e["createdAt"] {
			t.Errorf("the entry after: %v", after)
		}
		order := y.calls[0]
		for field, want := range (object{"idempotencyKey": p["id"], "organizationId": s.OrganizationID.String(), "websiteId": s.WebsiteID.String(), "relayerId": unknownID, "contractId": nil,
			"isNative": true, "network": "polygon", "chainId": 137.0, "walletAddress": alice, "amount": "2.5"}) {
			if order[field] != want {
				t.Errorf("the driver was told %s %v, not %v", field, order[field], want)
			}
		}
		if y.seen.Get("Authorization") != "Bearer s3cret" || y.seen.Get("Idempotency-Key") != p["id"] {
			t.Errorf("headers %v", y.seen)
		}
		s.complete(rule, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		s.clock.advance(24 * time.Hour)
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.pay()
		s.pay()
		y.has(t, alice, "2.5;2.5;")
		if len(s.payouts("")) != 2 || y.called() != 2 {
			t.Errorf("%d payouts, %d calls", len(s.payouts("")), y.called())
		}
		s.sound()
	})
}

func TestTokenRewardsAreRaisedTieredAndCapped(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		capped := s.tokens(
			"external_rule",
			object{"interval": "unlimited", "maxAmountInterval": "lifetime", "maxAmountPerInterval": 25},
		)
		tiers := s.tokens(
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
			s.complete(capped, object{"walletAddress": alice}).ok()
		}
		s.complete(capped, object{"walletAddress": alice}).ok() // 5 are left
		s.complete(capped, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		s.complete(tiers, object{"walletAddress": bob, "rangeValue": 50}).ok()
		s.complete(tiers, object{"walletAddress": bob, "rangeValue": "0.5"}).
			refused(400, "Quest not achieved, please try again.")
		s.complete(tiers, object{"walletAddress": bob, "rangeValue": 1, "amount": "0.000001"}).ok()
		s.post("/api/loyalty/multipliers", object{"walletAddress": carol, "multiplier": 3}).ok()
		s.complete(capped, object{"walletAddress": carol, "amount": 4}).ok()
		s.pay()
		s.complete(s.tokens("external_rule", object{"metadata": object{"skipMultiplier": true}}), object{"walletAddress": carol, "amount": 4}).
			ok()
		s.complete(s.tokens("external_rule", object{"amount": 0}), object{"walletAddress": carol}).ok() // nothing is owed
		if e := s.entriesOf(tiers)[1]["metadata"].(object); e["rangeStart"] != json.Number("10") ||
			e["payoutStatus"] != "done" ||
			e["txHash"] == nil {
			t.Errorf("metadata %v", e)
		}
		for range 7 {
			s.pay()
		}
		y.has(t, alice, "10;10;5;")
		y.has(t, carol, "12;4;")
		y.has(t, bob, "7.25;0.000001;")
		if n := len(s.payouts("?walletAddress=" + carol)); n != 2 {
			t.Errorf("%d payouts of carol", n)
		}
		s.sound()
	})
}

func TestStreaksInTokensOweEachEntry(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		rule := s.tokens(
			"check_in",
			object{
				"amount":   1,
				"interval": "daily",
				"metadata": object{"enableStreaks": true, "streakArray": []object{{"streakMilestone": 2, "streakAmount": 5}}},
			},
		)
		for range 2 {
			s.complete(rule, object{"walletAddress": alice}).ok()
			s.pay()
			s.clock.advance(24 * time.Hour)
		}
		if n := len(s.payouts("?loyaltyRuleId=" + rule)); n != 3 {
			t.Errorf("%d payouts", n)
		}
		s.sound()
	})
}

func TestATokenHasOneHiddenCurrencyPerWebsite(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		contract := object{"relayerId": unknownID, "contractId": "0196f000-0000-7000-8000-00000000c0de"}
		rules := []string{
			s.tokens("external_rule", object{"interval": "unlimited"}),
			s.tokens("check_in", nil),
			s.tokens("external_rule", object{"tokenReward": contract}),
			s.tokens("external_rule", object{"tokenReward": contract, "network": "base"}),
		}
		currency := func(rule string) string {
			return s.complete(rule, object{"walletAddress": alice}).ok()["data"].(object)["rewards"].([]any)[0].(object)["loyaltyCurrencyId"].(string)
		}
		native, again, polygon, base := currency(rules[0]), currency(rules[1]), currency(rules[2]), currency(rules[3])
		if native != again || polygon == native || base == polygon {
			t.Errorf("currencies %s %s %s %s", native, again, polygon, base)
		}
		if shown := s.get("/api/loyalty/currencies").data(); len(shown) != 1 {
			t.Errorf("shown: %v", shown)
		}
		all := s.get("/api/loyalty/currencies?excludeTokenRewardCurrencies=false").data()
		if len(all) != 4 {
			t.Fatalf("all: %v", all)
		}
		for _, c := range all[1:] {
			if c["isTokenRewardCurrency"] != true || c["decimals"] != json.Number("18") {
				t.Errorf("%v", c)
			}
		}
		const kept = "Currencies of token rewards cannot be changed"
		s.post("/api/loyalty/currencies/"+native, object{"name": "Mine", "pointsExpireAfterDays": 1}).refused(400, kept)
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/currencies/"+native, nil).refused(400, kept)
		s.post("/api/loyalty/reset", object{"loyaltyCurrencyId": native, "type": "loyalty_reset_balances"}).refused(400, kept)
		s.post("/api/loyalty/transactions", gift(native, alice, 5, nil)).refused(400, "Loyalty currency not found")
		s.post("/api/loyalty/rules", object{"name": "N", "type": "external_rule", "loyaltyCurrencyId": native}).
			refused(400, "Loyalty currency not found")
		// What a rule pays can change; what it has paid stays what it was.
		s.post("/api/loyalty/rules/"+rules[0], object{"rewardType": "points", "loyaltyCurrencyId": s.LoyaltyCurrencyID.String()}).
			ok()
		s.complete(rules[0], object{"walletAddress": alice}).ok()
		s.post("/api/loyalty/rules/"+rules[0], object{"rewardType": "token", "network": "base"}).ok()
		if got := currency(rules[0]); got == native {
			t.Error("another network's token has the same currency")
		}
		if got := s.balance(alice); got != "10" {
			t.Errorf("alice has %s points", got)
		}
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rules[1]+"?debitLoyaltyPoints=true", nil).ok()
		if got := s.get("/api/loyalty/accounts?walletAddress=" + alice + "&loyaltyCurrencyId=" + native).
			data(); got[0]["amount"] != json.Number(
			"20",
		) {
			t.Errorf("tokens were taken back: %v", got)
		}
		s.sound()
	})
}

func TestRulesThatDoNotSayWhichTokenAreNotSetUp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for name, reward := range map[string]any{"neither": object{"relayerId": unknownID}, "not native": object{"relayerId": unknownID, "isNative": false},
			"both": object{"relayerId": unknownID, "isNative": true, "contractId": unknownID}, "none": nil} {
			rule := s.tokens("external_rule", object{"tokenReward": reward})
			if got := s.complete(rule, object{"walletAddress": alice}); got.json()["message"] != "Rule is not setup" {
				t.Errorf("%s: %s", name, got.body)
			}
		}
		nowhere := s.tokens("external_rule", object{"network": nil}) // a network's own token, of no network
		s.complete(nowhere, object{"walletAddress": alice}).refused(400, "Rule is not setup")
		if n := len(s.payouts("")); n != 0 {
			t.Errorf("%d payouts are owed", n)
		}
		s.post("/api/loyalty/rules", object{"name": "N", "type": "external_rule", "rewardType": "token", "tokenReward": object{"isNative": true}}).
			refused(400, "tokenReward.relayerId is required")
	})
}

func TestNobodyIsOwedTokensWithoutAWallet(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		// the key's own user
		user := s.post("/api/loyalty/currencies", object{"name": "Miles", "symbol": "M", "decimals": 0}).ok()["createdById"].(string)
		rule := s.tokens("external_rule", nil)
		s.complete(rule, object{"userId": user}).refused(400, "User has no wallet address")
		s.complete(rule, object{"userId": user, "verifyOnly": true}).refused(400, "User has no wallet address")
		if got := s.post("/api/loyalty/rules/"+rule+"/simulate", object{"userId": user}).
			ok(); got["wouldComplete"] != false ||
			got["message"] != "User has no wallet address" {
			t.Errorf("simulated: %v", got)
		}
		if n := len(s.payouts("")); n != 0 {
			t.Errorf("%d payouts", n)
		}
	})
}

func TestWithoutADriverWhatIsOwedWaits(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.tokens("external_rule", nil)
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.clock.advance(1000 * time.Hour)
		s.pay()
		p := s.payouts("?status=waiting")[0]
		if p["attempts"] != json.Number("0") || p["message"] != nil {
			t.Errorf("%v", p)
		}
		s.post("/api/loyalty/payouts/"+p["id"].(string)+"/retry", nil).refused(400, "Payout has not failed")
		s.post("/api/loyalty/payouts/"+unknownID+"/retry", nil).refused(404, "Payout not found")
		s.get("/api/loyalty/payouts?status=open").refused(400, "status must be one of: waiting, sent, done, failed")
		s.sound()
	})
}

func TestACallWhoseAnswerIsLostPaysOnce(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		rule := s.tokens("external_rule", nil)
		y.set(func(y *treasury) { y.after = always(-1, "") })
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.pay()
		p := s.payouts("")[0]
		if p["status"] != "waiting" || p["message"] == nil || p["attempts"] != json.Number("1") {
			t.Errorf("after the cut: %v", p)
		}
		before := s.entriesOf(rule)[0]
		n := y.called()
		s.pay() // it is not due
		if y.called() != n {
			t.Error("asked before its pause was over")
		}
		y.set(func(y *treasury) { y.after = nil })
		s.clock.advance(10 * time.Second)
		s.pay()
		y.has(t, alice, "10;")
		if p = s.payouts("")[0]; p["status"] != "done" || p["message"] != nil {
			t.Errorf("in the end: %v", p)
		}
		if after := s.entriesOf(rule)[0]; before["updatedAt"] != before["createdAt"] ||
			after["updatedAt"] == before["updatedAt"] {
			t.Errorf("updatedAt went from %v to %v", before["updatedAt"], after["updatedAt"])
		}
		s.sound()
	})
}

// A node that dies between the call and its commit leaves a lease behind; another node asks again, under the same key.
func TestANodeThatDiesWithAPayoutPaysOnce(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		rule := s.tokens("external_rule", nil)
		s.complete(rule, object{"walletAddress": alice}).ok()
		id, err := laurel.ParseID(s.payouts("")[0]["id"].(string))
		if err != nil {
			t.Fatal(err)
		}
		held, stop := make(chan struct{}), make(chan struct{})
		y.set(func(y *treasury) {
			y.after = func(call int) (int, string) {
				if call == 1 {
					close(held)
					<-stop
				}
				return 0, ""
			}
		})
		first := make(chan struct{})
		go func() { defer close(first); s.pay() }()
		<-held
		s.pay() // another node finds it leased
		s.clock.advance(time.Minute)
		second := make(chan struct{})
		go func() { defer close(second); s.pay() }() // and takes it over when the lease is over
		close(stop)
		<-first
		<-second
		y.has(t, alice, "10;")
		if len(y.done) != 1 || y.done[id.String()] == "" {
			t.Errorf("paid under %v", y.done)
		}
		if p := s.payouts("")[0]; p["status"] != "done" {
			t.Errorf("%v", p)
		}
		s.sound()
	})
}

func TestPendingPayoutsAreAskedForUntilTheyEnd(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		rule := s.tokens("external_rule", nil)
		y.set(func(y *treasury) { y.after = always(http.StatusAccepted, `{"status":"pending"}`) })
		s.complete(rule, object{"walletAddress": alice}).ok()
		for range 12 { // more often than an outage may last
			s.pay()
			s.clock.advance(2 * time.Hour)
		}
		p := s.payouts("?status=sent")[0]
		if p["attempts"] != json.Number("12") || p["txHash"] != nil ||
			s.entriesOf(rule)[0]["metadata"].(object)["payoutStatus"] != "sent" {
			t.Errorf("%v", p)
		}
		y.set(func(y *treasury) { y.after = always(http.StatusOK, `{"status":"pending","txHash":"0xabc"}`) })
		s.pay()
		if m := s.entriesOf(rule)[0]["metadata"].(object); m["payoutStatus"] != "sent" || m["txHash"] != "0xabc" {
			t.Errorf("metadata %v", m)
		}
		y.set(func(y *treasury) { y.after = always(http.StatusOK, `{"txHash":"0xabc"}`) })
		s.clock.advance(2 * time.Hour)
		s.pay()
		if p = s.payouts("")[0]; p["status"] != "done" || p["txHash"] != "0xabc" {
			t.Errorf("%v", p)
		}
		y.has(t, alice, "10;")
	})
}

func TestARefusedPayoutFailsAndCanBeRetried(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		y.set(func(y *treasury) { y.before = always(http.StatusUnprocessableEntity, `{"message":"Out of funds"}`) })
		s.complete(s.tokens("external_rule", nil), object{"walletAddress": alice}).ok()
		s.pay()
		p := s.payouts("?status=failed")[0]
		if p["message"] != "Out of funds" || p["attempts"] != json.Number("1") || p["nextAttemptAt"] != nil {
			t.Errorf("%v", p)
		}
		s.clock.advance(1000 * time.Hour)
		s.pay()
		if y.called() != 1 {
			t.Error("a payout that failed was handed over by itself")
		}
		y.set(func(y *treasury) { y.before = nil })
		retry := "/api/loyalty/payouts/" + p["id"].(string) + "/retry"
		if got := s.post(retry, object{}).
			ok(); got["status"] != "waiting" || got["attempts"] != json.Number("0") ||
			got["message"] != nil {
			t.Errorf("retried: %v", got)
		}
		s.post(retry, object{}).refused(400, "Payout has not failed")
		s.pay()
		y.has(t, alice, "10;")
		s.post(retry, object{}).refused(400, "Payout has not failed")
		s.sound()
	})
}

func TestAnOutageFailsAPayoutAfterTwoHoursAndARetryPaysOnce(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		s.complete(s.tokens("external_rule", nil), object{"walletAddress": alice}).ok()
		for i, broken := range []string{`{"status":"done"}`, `{"status":"maybe"}`, `no json`, `{}`, `{"status":"done","txHash":"` + string(make([]byte, 10)) + `"}`} {
			y.set(func(y *treasury) { y.after = always(http.StatusOK, broken) }) // it pays, and tells it badly
			s.pay()
			if p := s.payouts("")[0]; p["status"] != "waiting" || p["message"] == nil {
				t.Errorf("answer %d: %v", i, p)
			}
			s.clock.advance(2 * time.Hour)
		}
		y.set(func(y *treasury) { y.after = always(http.StatusUnauthorized, "") })
		for range 3 {
			if p := s.payouts("")[0]; p["status"] != "waiting" {
				t.Fatalf("failed too early: %v", p)
			}
			s.pay()
			s.clock.advance(2 * time.Hour)
		}
		p := s.payouts("?status=failed")[0]
		if p["message"] != "answered with status 401" || p["attempts"] != json.Number("8") {
			t.Errorf("%v", p)
		}
		y.set(func(y *treasury) { y.after = nil })
		s.post("/api/loyalty/payouts/"+p["id"].(string)+"/retry", object{}).ok()
		s.pay()
		y.has(t, alice, "10;")
		s.sound()
	})
}

// A host that is left alone for a while was not asked: that is no attempt.
func TestADriverThatRestsCostsNoAttempt(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		y.set(func(y *treasury) { y.before = always(http.StatusBadGateway, "") })
		rule := s.tokens("external_rule", object{"interval": "unlimited"})
		for range 3 { // with two tries each, the breaker opens in the last
			s.complete(rule, object{"walletAddress": alice}).ok()
			s.pay()
		}
		n := y.called()
		s.complete(rule, object{"walletAddress": bob}).ok()
		s.pay()
		p := s.payouts("?walletAddress=" + bob)[0]
		if y.called() != n || p["attempts"] != json.Number("0") || p["status"] != "waiting" {
			t.Errorf("%d calls more, %v", y.called()-n, p)
		}
	})
}

func TestPayoutsAreFilteredAndBelongToOneTenant(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		one, two := s.tokens("external_rule", object{"interval": "unlimited"}), s.tokens("external_rule", nil)
		s.complete(one, object{"walletAddress": alice}).ok()
		y.set(func(y *treasury) { y.before = always(http.StatusBadRequest, "") })
		s.pay()
		s.complete(one, object{"walletAddress": bob}).ok()
		s.complete(two, object{"walletAddress": bob}).ok()
		bobs := s.payouts("?walletAddress=" + bob)
		for query, want := range map[string]int{"": 3, "?status=failed": 1, "?status=waiting": 2, "?status=failed&status=waiting": 3, "?loyaltyRuleId=" + one: 2, "?loyaltyRuleId=" + two: 1,
			"?userId=" + bobs[0]["userId"].(string): 2, "?status=failed&walletAddress=" + bob: 0, "?limit=2": 2, "?startingAfter=" + bobs[1]["id"].(string): 1} {
			if got := s.payouts(query); len(got) != want {
				t.Errorf("%q finds %d, not %d", query, len(got), want)
			}
		}
		if p := s.payouts("?status=failed")[0]; p["message"] != "Refused by the payout driver" {
			t.Errorf("%v", p)
		}
		stranger := *s
		stranger.Program = s.program("Rival")
		if got := stranger.payouts(""); len(got) != 0 {
			t.Errorf("a stranger sees %v", got)
		}
		failed := s.payouts("?status=failed")[0]["id"].(string)
		stranger.post("/api/loyalty/payouts/"+failed+"/retry", nil).refused(404, "Payout not found")
		stranger.get("/api/loyalty/payouts?startingAfter="+failed).refused(400, "startingAfter not found")
		s.call(s.ClientAPIKey, "GET", "/api/loyalty/payouts", nil).
			refused(403, "API key is not allowed to perform this operation")
		// The same token of another website is another currency.
		stranger.complete(stranger.tokens("external_rule", nil), object{"walletAddress": alice}).ok()
		if a, b := s.payouts("?limit=1")[0], stranger.payouts("")[0]; a["loyaltyCurrencyId"] == b["loyaltyCurrencyId"] {
			t.Error("two websites share a token's currency")
		}
	})
}

// Two nodes, or two callers, that make the first rules of a token at once.
func TestRulesThatAreMadeAtOnceShareTheirTokensCurrency(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				s.post("/api/loyalty/rules", object{"name": "N", "type": "external_rule", "rewardType": "token", "network": "polygon", "tokenReward": object{"relayerId": unknownID, "isNative": true}}).
					ok()
			})
		}
		all.Wait()
		if n := len(s.get("/api/loyalty/currencies?excludeTokenRewardCurrencies=false").data()); n != 2 {
			t.Errorf("%d currencies", n)
		}
	})
}

func TestAListThatPaysTokensOwesWhatItSays(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		out := outsideSite(t)
		rule := s.tokens(
			"points_airdrop",
			object{"loyaltyUserAllotmentCsvUrl": out.set("/list.csv", alice+",4.5\n"+bob+"\n")},
		)
		s.readLists()
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.complete(rule, object{"walletAddress": bob}).ok()
		s.complete(rule, object{"walletAddress": carol}).refused(400, "Access restricted. Your account is not on the list.")
		s.pay()
		y.has(t, alice, "4.5;")
		y.has(t, bob, "10;")
		s.sound()
	})
}

func TestRunsAndReferralsPayTokensToo(t *testing.T) {
	t.Parallel()
	eachWithTreasury(t, func(t *testing.T, s *server, y *treasury) {
		out := outsideSite(t)
		airdrop := s.tokens(
			"points_airdrop",
			object{
				"frequency":                  "once",
				"startTime":                  noon.Add(time.Hour),
				"loyaltyUserAllotmentCsvUrl": out.set("/list.csv", alice+",4.5\n"+bob+"\n"),
			},
		)
		s.readLists()
		s.clock.advance(2 * time.Hour)
		s.run()
		if got := counts(s.runs(airdrop)[0]); got != "complete 2/2/0/0 " {
			t.Errorf("the run: %s", got)
		}
		brings := s.tokens(
			"referred_user",
			object{
				"amount":   3,
				"metadata": object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": s.LoyaltyCurrencyID.String()},
			},
		)
		s.refer(s.code(brings, bob), s.userOf(carol)).ok()
		s.pay()
		y.has(t, alice, "4.5;")
		y.has(t, bob, "10;")
		y.has(t, carol, "3;")
		if got := s.balance(bob); got != "7" { // a lump sum is points
			t.Errorf("bob has %q points", got)
		}
		if e := s.entriesOf(brings)[0]["metadata"].(object); e["referral"] == nil {
			t.Errorf("metadata %v", e)
		}
		s.sound()
	})
}

func TestWhatIfAndDryRunsKnowTokens(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.tokens("external_rule", object{"interval": "daily"})
		got := s.post("/api/loyalty/rules/"+rule+"/simulate", object{"walletAddress": alice}).ok()
		if r := got["rewards"].([]any)[0].(object); got["wouldComplete"] != true || r["rewardType"] != "token" ||
			r["amount"] != json.Number("10") ||
			len(s.payouts("")) != 0 {
			t.Errorf("simulated: %v", got)
		}
		for range 3 {
			s.complete(rule, object{"walletAddress": alice}).ok()
			s.clock.advance(24 * time.Hour)
		}
		if r := s.replay(rule, nil); sums(r.Total) != [5]string{"3", "0", "30", "30", "0"} {
			t.Errorf("unchanged: %v", sums(r.Total))
		}
		if r := s.replay(rule, object{"amount": 20}); sums(r.Total) != [5]string{"3", "0", "30", "60", "30"} {
			t.Errorf("doubled: %v", sums(r.Total))
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
		`{"uri":"https://payouts.example/pay"}`:                                        `--payouts must be a file such as {"url":"https://payouts.example.com","headers":{"Authorization":"Bearer secret"}}: json: unknown field "uri"`,
		``:                                                                             `--payouts must be a file such as {"url":"https://payouts.example.com","headers":{"Authorization":"Bearer secret"}}: EOF`,
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
