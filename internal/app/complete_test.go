package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const alice, bob = "0x00000000000000000000000000000000000a11ce", "0x0000000000000000000000000000000000000b0b"

func TestExternalRulePaysOncePerWindow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"interval": "once"})
		done := s.complete(rule, object{"walletAddress": alice}).ok()
		data := done["data"].(object)
		if done["message"] != "Completion request added to queue" || data["status"] != "completed" {
			t.Fatalf("answer: %v", done)
		}
		again := s.complete(rule, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		if again["rewarded"] != true {
			t.Fatalf("rewarded is missing: %v", again)
		}
		if got := s.balance(alice); got != "10" {
			t.Fatalf("balance %s, want 10", got)
		}
	})
}

func TestConcurrentCompletionsOfOneWindowPayOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"interval": "daily"})
		var paid atomic.Int64
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				if s.complete(rule, object{"walletAddress": alice}).status == 200 {
					paid.Add(1)
				}
			})
		}
		wg.Wait()
		if paid.Load() != 1 || s.balance(alice) != "10" {
			t.Fatalf("paid %d times, balance %s", paid.Load(), s.balance(alice))
		}
	})
}

func TestACompletionIsAnsweredAndWrittenWhole(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("check_in", object{"interval": "daily", "description": "Say hello"})
		s.complete(rule, object{"walletAddress": strings.ToUpper(alice[:2]) + alice[2:], "amount": nil, "rangeValue": nil}).
			ok()
		if got := s.balance(alice); got != "" {
			t.Errorf("0X… is no EVM address, yet it paid %s to one", got)
		}
		done := s.complete(rule, object{"walletAddress": "0x" + strings.ToUpper(alice[2:]), "contentUrl": "https://example.test/a?b=1&c=<2>"}).
			ok()
		data := done["data"].(object)
		rewards := []any{
			object{"rewardType": "points", "amount": json.Number("10"), "loyaltyCurrencyId": s.LoyaltyCurrencyID.String()},
		}
		if data["status"] != "completed" || !reflect.DeepEqual(data["rewards"], rewards) {
			t.Errorf("data: %v", data)
		}
		entries := s.get("/api/loyalty/transaction_entries?walletAddress=" + alice).data()
		if len(entries) != 1 {
			t.Fatalf("entries: %v", entries)
		}
		e := entries[0]
		transaction := e["loyaltyTransaction"].(object)
		named := transaction["loyaltyRule"].(object)
		if e["loyaltyTransactionId"] != data["loyaltyTransactionId"] || transaction["id"] != data["loyaltyTransactionId"] || e["type"] != "loyalty_rule" ||
			e["direction"] != "credit" || e["amount"] != json.Number("10") || e["idempotencyKey"] != nil ||
			named["id"] != rule ||
			named["type"] != "check_in" {
			t.Errorf("entry: %v", e)
		}
		if m := e["metadata"].(object); m["contentUrl"] != "https://example.test/a?b=1&c=<2>" {
			t.Errorf("metadata: %v", m)
		}
	})
}

func TestUserIdWinsOverWallet(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		user := s.post("/api/users/metadatas", object{"walletAddress": alice}).ok()["user"].(object)["id"]
		s.complete(s.rule("check_in", nil), object{"userId": user, "walletAddress": bob}).ok()
		if s.balance(alice) != "10" || s.balance(bob) != "" {
			t.Errorf("alice has %s, bob has %s", s.balance(alice), s.balance(bob))
		}
	})
}

func TestVerifyOnlyChecksAndWritesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", nil)
		for _, yes := range []any{true, "true"} {
			done := s.complete(rule, object{"walletAddress": alice, "verifyOnly": yes, "idempotencyKey": "v", "amount": 3}).ok()
			data := done["data"].(object)
			if data["status"] != "completed" || !reflect.DeepEqual(data["rewards"], []any{}) ||
				data["loyaltyTransactionId"] != nil {
				t.Errorf("verifyOnly %v: %v", yes, done)
			}
		}
		if users, accounts := s.get("/api/users").
			data(),
			s.get("/api/loyalty/accounts").
				data(); len(users)+len(accounts) != 0 {
			t.Errorf("verifyOnly wrote %v %v", users, accounts)
		}
		for i, no := range []any{false, "false", nil} {
			wallet := fmt.Sprint("w", i)
			s.complete(rule, object{"walletAddress": wallet, "verifyOnly": no}).ok()
			if got := s.balance(wallet); got != "10" {
				t.Errorf("verifyOnly %v paid %q", no, got)
			}
		}
		s.complete(rule, object{"walletAddress": alice, "idempotencyKey": "v"}).ok() // the key was not used up
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.complete(rule, object{"walletAddress": alice, "verifyOnly": true}).refused(400, "You have already been rewarded")
	})
}

// TestAUsedKeyAnswersBeforeEveryLaterCheck replays a key after everything that could refuse the completion has come to
// pass.
func TestAUsedKeyAnswersBeforeEveryLaterCheck(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		currency := s.post("/api/loyalty/currencies", object{"name": "Coins", "symbol": "C", "decimals": 0}).ok()["id"].(string)
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency})
		body := object{
			"walletAddress":  alice,
			"idempotencyKey": strings.Repeat("é", 70),
			"amount":         "2.50",
			"rangeValue":     7,
			"contentUrl":     "https://example.test/",
		}
		first := s.complete(rule, body)
		first.ok()
		if first.header.Get("Idempotent-Replayed") != "" {
			t.Error("the first answer says that it is a replay")
		}
		replays := func(when string) {
			t.Helper()
			again := s.complete(rule, body)
			if again.body != first.body || again.status != 200 || again.header.Get("Idempotent-Replayed") != "true" {
				t.Errorf(
					"%s: %d %s %q, want %s",
					when,
					again.status,
					again.body,
					again.header.Get("Idempotent-Replayed"),
					first.body,
				)
			}
		}
		replays("at once")
		body["amount"] = json.Number("2.5")
		replays("with the same amount written otherwise")
		s.post("/api/users/metadatas", object{"walletAddress": alice, "isBlocked": true}).ok()
		replays("of a blocked user")
		s.post("/api/loyalty/rules/"+rule, object{"trackProgress": true, "endTime": noon.Add(time.Minute)}).ok()
		s.clock.advance(time.Hour)
		replays("after the end")
		s.call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/currencies/"+currency, nil).ok()
		replays("after the currency's end")
		s.call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/rules/"+rule, nil).ok()
		replays("after the rule's end")
		s.clock.advance(366 * 24 * time.Hour)
		replays("after a year")
		if entries := s.get("/api/loyalty/transaction_entries?walletAddress=" + alice).data(); len(entries) != 1 {
			t.Errorf("%d entries, want 1", len(entries))
		}
	})
}

func TestAKeyIsOneInputOfOneRuleAndUser(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, other := s.rule("external_rule", nil), s.rule("external_rule", nil)
		first := object{"walletAddress": alice, "idempotencyKey": "k", "amount": 5}
		s.complete(rule, first).ok()
		for name, change := range map[string]object{
			"amount": {"amount": 6}, "no amount": {"amount": nil}, "user": {"walletAddress": bob}, "range value": {"rangeValue": 1},
			"content": {"contentUrl": "https://example.test/"}, "code": {"verificationCode": "x"}, "skip": {"skipChainOrRequiredCheck": true},
		} {
			body := object{}
			for _, o := range []object{first, change} {
				for k, v := range o {
					body[k] = v
				}
			}
			if got := s.complete(rule, body); got.status != 400 || got.json()["message"] != "Idempotency key already used" {
				t.Errorf("other %s: %d %s", name, got.status, got.body)
			}
		}
		s.complete(other, first).refused(400, "Idempotency key already used")
		s.complete(unknownID, first).refused(400, "Idempotency key already used")
		s.complete(unknownID, object{"walletAddress": alice, "idempotencyKey": "unused"}).
			refused(404, "Loyalty rule not found")
		s.complete(unknownID, object{"walletAddress": alice}).refused(404, "Loyalty rule not found")
		s.post("/api/loyalty/transactions", object{"description": "", "entries": []object{
			{
				"walletAddress":     alice,
				"amount":            5,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"idempotencyKey":    "k",
			},
		}}).refused(400, "Idempotency key already used")

		rival := *s
		rival.Program = s.program("Rival")
		rival.complete(unknownID, first).refused(404, "Loyalty rule not found")
		rival.complete(rival.rule("external_rule", nil), first).ok() // keys are a website's own

		// interval once, and another key pays again
		s.complete(rule, object{"walletAddress": alice, "idempotencyKey": "k2"}).ok()
		// as does the window, which no key has closed
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.complete(rule, object{"walletAddress": alice, "idempotencyKey": "k3"}).ok()
		s.complete(rule, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		if got := s.balance(alice); got != "35" {
			t.Errorf("balance %s, want 35", got)
		}
	})
}

func TestConcurrentCallsOfOneKeyPayOnceAndAnswerAlike(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule(
			"external_rule",
			object{"interval": "unlimited", "maxAmountInterval": "lifetime", "maxAmountPerInterval": 10},
		)
		for _, wallet := range []string{"new", "known", "new2", "known2", "new3", "known3"} {
			if strings.HasPrefix(wallet, "known") {
				s.post("/api/users/metadatas", object{"walletAddress": wallet}).ok()
			}
			answers := make([]answer, 64)
			var wg sync.WaitGroup
			for i := range answers {
				wg.Go(func() {
					answers[i] = s.complete(rule, object{"walletAddress": wallet, "idempotencyKey": "k-" + wallet})
				})
			}
			wg.Wait()
			first := 0
			for _, a := range answers {
				if a.status != 200 || a.body != answers[0].body {
					t.Fatalf("%d %s, another got %s", a.status, a.body, answers[0].body)
				}
				if a.header.Get("Idempotent-Replayed") == "" {
					first++
				}
			}
			if first != 1 || s.balance(wallet) != "10" {
				t.Errorf("%s: %d answers are no replays, balance %s", wallet, first, s.balance(wallet))
			}
		}
	})
}

func TestTheIdempotencyHeaderHoldsForCompletions(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("check_in", object{"interval": "unlimited"})
		send := func(wallet, key string) answer {
			return s.call(
				s.WebsiteAPIKey,
				http.MethodPost,
				"/api/loyalty/rules/"+rule+"/complete",
				object{"walletAddress": wallet},
				"Idempotency-Key",
				key,
			)
		}
		answers := make([]answer, 16)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() { answers[i] = send(alice, "h") })
		}
		wg.Wait()
		replayed := 0
		for _, a := range answers {
			if a.status != 200 || a.body != answers[0].body {
				t.Fatalf("%d %s, another got %s", a.status, a.body, answers[0].body)
			}
			if a.header.Get("Idempotent-Replayed") == "true" {
				replayed++
			}
		}
		if replayed != 15 || s.balance(alice) != "10" {
			t.Errorf("%d replays, balance %s", replayed, s.balance(alice))
		}
		send(bob, "h").refused(400, "Idempotency-Key was already used with a different request")
		send(alice, "h2").ok()
		if got := s.balance(alice); got != "20" {
			t.Errorf("balance %s, want 20", got)
		}
		s.call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/rules/"+rule, nil).ok()
		send(alice, "r").refused(404, "Loyalty rule not found")
		s.post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).ok()
		if got := send(alice, "r"); got.status != 200 || got.header.Get("Idempotent-Replayed") != "" {
			t.Errorf("a refusal was kept: %d %s", got.status, got.body)
		}
	})
}

func TestOverridesAreExact(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"amount": "0.1", "interval": "unlimited"})
		for i, c := range []struct{ amount, want string }{
			{`0.000001`, "0.000001"}, {`"2.50"`, "2.5"}, {`1e2`, "100"}, {`1.5e-5`, "0.000015"}, {`0`, "0"}, {`-0`, "0"}, {`1.1000000000`, "1.1"},
			{`999999999999.999999`, "999999999999.999999"}, {`"999999999999.999999"`, "999999999999.999999"}, {`0.1`, "0.1"}, {`null`, "0.1"},
			{`12345678901.234567`, "12345678901.234567"},
		} {
			wallet := fmt.Sprint("w", i)
			done := s.post("/api/loyalty/rules/"+rule+"/complete", `{"walletAddress":"`+wallet+`","amount":`+c.amount+`}`).ok()
			paid := done["data"].(object)["rewards"].([]any)[0].(object)["amount"]
			if got := s.balance(wallet); got != c.want || paid != json.Number(c.want) {
				t.Errorf("amount %s: balance %s, reward %v, want %s", c.amount, got, paid, c.want)
			}
		}
		for range 30 { // a tenth is no binary fraction
			s.complete(rule, object{"walletAddress": alice}).ok()
		}
		if got := s.balance(alice); got != "3" {
			t.Errorf("thirty tenths are %s", got)
		}
	})
}

func TestRangesPayTheTierOfTheValue(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"amount": 1, "interval": "unlimited", "metadata": object{"range": []object{
			{
				"startRange": 20,
				"endRange":   29,
				"amount":     "2.5",
			},
			{"startRange": 10, "endRange": 19, "amount": 1.25},
			{"startRange": 30, "endRange": 30, "amount": 0},
		}}})
		for _, c := range []struct{ value, want string }{
			{"10", "1.25"}, {"19", "1.25"}, {"19.5", "1.25"}, {"20", "2.5"}, {"29", "2.5"}, {"1000", "0"}, {`"15"`, "1.25"},
		} {
			done := s.post("/api/loyalty/rules/"+rule+"/complete", `{"walletAddress":"w","rangeValue":`+c.value+`}`).ok()
			if got := done["data"].(object)["rewards"].([]any)[0].(object)["amount"]; got != json.Number(c.want) {
				t.Errorf("value %s paid %v, want %s", c.value, got, c.want)
			}
		}
		s.complete(rule, object{"walletAddress": "w", "rangeValue": 9.999999}).
			refused(400, "Quest not achieved, please try again.")
		s.complete(rule, object{"walletAddress": "w", "rangeValue": 9, "amount": 4}).ok()
		if got := s.balance("w"); got != "14" {
			t.Errorf("balance %s, want 14", got)
		}
	})
}

func TestAnUnknownUserIsToldBeforeAnUnknownRuleWhateverTheKeyIsOf(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		known := s.post("/api/users/metadatas", object{"walletAddress": alice}).ok()["userId"]
		rival := s.program("Rival")
		for _, key := range []string{s.WebsiteAPIKey, s.OrganizationAPIKey} {
			complete := func(body object) answer {
				return s.call(key, http.MethodPost, "/api/loyalty/rules/"+unknownID+"/complete", body)
			}
			complete(object{"userId": unknownID}).refused(404, "User not found")
			complete(object{"userId": known}).refused(404, "Loyalty rule not found")
			complete(object{"walletAddress": "never seen"}).refused(404, "Loyalty rule not found") // to be judged as a new user
		}
		for _, key := range []string{rival.WebsiteAPIKey, rival.OrganizationAPIKey} {
			s.call(key, http.MethodPost, "/api/loyalty/rules/"+unknownID+"/complete", object{"userId": known}).
				refused(404, "User not found")
		}
	})
}

// TestAnEmptyKeyIsNoKey: a caller whose order number is missing must not pay twice.
func TestAnEmptyKeyIsNoKey(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"interval": "unlimited"})
		a := s.complete(rule, object{"walletAddress": "w", "idempotencyKey": ""})
		a.refused(400, "Invalid request")
		if !strings.Contains(a.body, "idempotencyKey must be at least 1 character") {
			t.Errorf("refused with %s", a.body)
		}
		if got := s.balance("w"); got != "" {
			t.Errorf("paid %s", got)
		}
	})
}
