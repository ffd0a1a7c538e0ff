package completion_test

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

	"laurel.example/laurel/internal/dev/apptest"
)

func TestExternalRulePaysOncePerWindow(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"interval": "once"})
		done := s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		data := done["data"].(object)
		if done["message"] != "Completion request added to queue" || data["status"] != "completed" {
			t.Fatalf("answer: %v", done)
		}
		again := s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		if again["rewarded"] != true {
			t.Fatalf("rewarded is missing: %v", again)
		}
		if got := s.Balance(apptest.Alice); got != "10" {
			t.Fatalf("balance %s, want 10", got)
		}
	})
}

func TestConcurrentCompletionsOfOneWindowPayOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"interval": "daily"})
		var paid atomic.Int64
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				if s.Complete(rule, object{"walletAddress": apptest.Alice}).Status == 200 {
					paid.Add(1)
				}
			})
		}
		wg.Wait()
		if paid.Load() != 1 || s.Balance(apptest.Alice) != "10" {
			t.Fatalf("paid %d times, balance %s", paid.Load(), s.Balance(apptest.Alice))
		}
	})
}

func TestACompletionIsAnsweredAndWrittenWhole(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("check_in", object{"interval": "daily", "description": "Say hello"})
		s.Complete(
			rule,
			object{"walletAddress": strings.ToUpper(apptest.Alice[:2]) + apptest.Alice[2:], "amount": nil, "rangeValue": nil},
		).
			OK()
		if got := s.Balance(apptest.Alice); got != "" {
			t.Errorf("0X… is no EVM address, yet it paid %s to one", got)
		}
		done := s.Complete(rule, object{"walletAddress": "0x" + strings.ToUpper(apptest.Alice[2:]), "contentUrl": "https://example.test/a?b=1&c=<2>"}).
			OK()
		data := done["data"].(object)
		rewards := []any{
			object{"rewardType": "points", "amount": json.Number("10"), "loyaltyCurrencyId": s.LoyaltyCurrencyID.String()},
		}
		if data["status"] != "completed" || !reflect.DeepEqual(data["rewards"], rewards) {
			t.Errorf("data: %v", data)
		}
		entries := s.Get("/api/loyalty/transaction_entries?walletAddress=" + apptest.Alice).Data()
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
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		user := s.Post("/api/users/metadatas", object{"walletAddress": apptest.Alice}).OK()["user"].(object)["id"]
		s.Complete(s.Rule("check_in", nil), object{"userId": user, "walletAddress": apptest.Bob}).OK()
		if s.Balance(apptest.Alice) != "10" || s.Balance(apptest.Bob) != "" {
			t.Errorf("alice has %s, bob has %s", s.Balance(apptest.Alice), s.Balance(apptest.Bob))
		}
	})
}

func TestVerifyOnlyChecksAndWritesNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", nil)
		for _, yes := range []any{true, "true"} {
			done := s.Complete(
				rule,
				object{"walletAddress": apptest.Alice, "verifyOnly": yes, "idempotencyKey": "v", "amount": 3},
			).OK()
			data := done["data"].(object)
			if data["status"] != "completed" || !reflect.DeepEqual(data["rewards"], []any{}) ||
				data["loyaltyTransactionId"] != nil {
				t.Errorf("verifyOnly %v: %v", yes, done)
			}
		}
		if users, accounts := s.Get("/api/users").
			Data(),
			s.Get("/api/loyalty/accounts").
				Data(); len(users)+len(accounts) != 0 {
			t.Errorf("verifyOnly wrote %v %v", users, accounts)
		}
		for i, no := range []any{false, "false", nil} {
			wallet := fmt.Sprint("w", i)
			s.Complete(rule, object{"walletAddress": wallet, "verifyOnly": no}).OK()
			if got := s.Balance(wallet); got != "10" {
				t.Errorf("verifyOnly %v paid %q", no, got)
			}
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice, "idempotencyKey": "v"}).OK() // the key was not used up
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(
			rule,
			object{"walletAddress": apptest.Alice, "verifyOnly": true},
		).Refused(400, "You have already been rewarded")
	})
}

// TestAUsedKeyAnswersBeforeEveryLaterCheck replays a key after everything that could refuse the completion has come to
// pass.
func TestAUsedKeyAnswersBeforeEveryLaterCheck(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		currency := s.Post("/api/loyalty/currencies", object{"name": "Coins", "symbol": "C", "decimals": 0}).OK()["id"].(string)
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency})
		body := object{
			"walletAddress":  apptest.Alice,
			"idempotencyKey": strings.Repeat("é", 70),
			"amount":         "2.50",
			"rangeValue":     7,
			"contentUrl":     "https://example.test/",
		}
		first := s.Complete(rule, body)
		first.OK()
		if first.Header.Get("Idempotent-Replayed") != "" {
			t.Error("the first answer says that it is a replay")
		}
		replays := func(when string) {
			t.Helper()
			again := s.Complete(rule, body)
			if again.Body != first.Body || again.Status != 200 || again.Header.Get("Idempotent-Replayed") != "true" {
				t.Errorf(
					"%s: %d %s %q, want %s",
					when,
					again.Status,
					again.Body,
					again.Header.Get("Idempotent-Replayed"),
					first.Body,
				)
			}
		}
		replays("at once")
		body["amount"] = json.Number("2.5")
		replays("with the same amount written otherwise")
		s.Post("/api/users/metadatas", object{"walletAddress": apptest.Alice, "isBlocked": true}).OK()
		replays("of a blocked user")
		s.Post("/api/loyalty/rules/"+rule, object{"trackProgress": true, "endTime": apptest.Noon.Add(time.Minute)}).OK()
		s.Clock.Advance(time.Hour)
		replays("after the end")
		s.Call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/currencies/"+currency, nil).OK()
		replays("after the currency's end")
		s.Call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/rules/"+rule, nil).OK()
		replays("after the rule's end")
		s.Clock.Advance(366 * 24 * time.Hour)
		replays("after a year")
		if entries := s.Get("/api/loyalty/transaction_entries?walletAddress=" + apptest.Alice).Data(); len(entries) != 1 {
			t.Errorf("%d entries, want 1", len(entries))
		}
	})
}

func TestAKeyIsOneInputOfOneRuleAndUser(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other := s.Rule("external_rule", nil), s.Rule("external_rule", nil)
		first := object{"walletAddress": apptest.Alice, "idempotencyKey": "k", "amount": 5}
		s.Complete(rule, first).OK()
		for name, change := range map[string]object{
			"amount": {"amount": 6}, "no amount": {"amount": nil}, "user": {"walletAddress": apptest.Bob}, "range value": {"rangeValue": 1},
			"content": {"contentUrl": "https://example.test/"}, "code": {"verificationCode": "x"}, "skip": {"skipChainOrRequiredCheck": true},
		} {
			body := object{}
			for _, o := range []object{first, change} {
				for k, v := range o {
					body[k] = v
				}
			}
			if got := s.Complete(rule, body); got.Status != 400 || got.JSON()["message"] != "Idempotency key already used" {
				t.Errorf("other %s: %d %s", name, got.Status, got.Body)
			}
		}
		s.Complete(other, first).Refused(400, "Idempotency key already used")
		s.Complete(apptest.UnknownID, first).Refused(400, "Idempotency key already used")
		s.Complete(apptest.UnknownID, object{"walletAddress": apptest.Alice, "idempotencyKey": "unused"}).
			Refused(404, "Loyalty rule not found")
		s.Complete(apptest.UnknownID, object{"walletAddress": apptest.Alice}).Refused(404, "Loyalty rule not found")
		s.Post("/api/loyalty/transactions", object{"description": "", "entries": []object{
			{
				"walletAddress":     apptest.Alice,
				"amount":            5,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"idempotencyKey":    "k",
			},
		}}).Refused(400, "Idempotency key already used")

		rival := *s
		rival.Program = s.NewProgram("Rival")
		rival.Complete(apptest.UnknownID, first).Refused(404, "Loyalty rule not found")
		rival.Complete(rival.Rule("external_rule", nil), first).OK() // keys are a website's own

		// interval once, and another key pays again
		s.Complete(rule, object{"walletAddress": apptest.Alice, "idempotencyKey": "k2"}).OK()
		// as does the window, which no key has closed
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice, "idempotencyKey": "k3"}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		if got := s.Balance(apptest.Alice); got != "35" {
			t.Errorf("balance %s, want 35", got)
		}
	})
}

func TestConcurrentCallsOfOneKeyPayOnceAndAnswerAlike(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule(
			"external_rule",
			object{"interval": "unlimited", "maxAmountInterval": "lifetime", "maxAmountPerInterval": 10},
		)
		for _, wallet := range []string{"new", "known", "new2", "known2", "new3", "known3"} {
			if strings.HasPrefix(wallet, "known") {
				s.Post("/api/users/metadatas", object{"walletAddress": wallet}).OK()
			}
			answers := make([]apptest.Response, 64)
			var wg sync.WaitGroup
			for i := range answers {
				wg.Go(func() {
					answers[i] = s.Complete(rule, object{"walletAddress": wallet, "idempotencyKey": "k-" + wallet})
				})
			}
			wg.Wait()
			first := 0
			for _, a := range answers {
				if a.Status != 200 || a.Body != answers[0].Body {
					t.Fatalf("%d %s, another got %s", a.Status, a.Body, answers[0].Body)
				}
				if a.Header.Get("Idempotent-Replayed") == "" {
					first++
				}
			}
			if first != 1 || s.Balance(wallet) != "10" {
				t.Errorf("%s: %d answers are no replays, balance %s", wallet, first, s.Balance(wallet))
			}
		}
	})
}

func TestTheIdempotencyHeaderHoldsForCompletions(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("check_in", object{"interval": "unlimited"})
		send := func(wallet, key string) apptest.Response {
			return s.Call(
				s.WebsiteAPIKey,
				http.MethodPost,
				"/api/loyalty/rules/"+rule+"/complete",
				object{"walletAddress": wallet},
				"Idempotency-Key",
				key,
			)
		}
		answers := make([]apptest.Response, 16)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() { answers[i] = send(apptest.Alice, "h") })
		}
		wg.Wait()
		replayed := 0
		for _, a := range answers {
			if a.Status != 200 || a.Body != answers[0].Body {
				t.Fatalf("%d %s, another got %s", a.Status, a.Body, answers[0].Body)
			}
			if a.Header.Get("Idempotent-Replayed") == "true" {
				replayed++
			}
		}
		if replayed != 15 || s.Balance(apptest.Alice) != "10" {
			t.Errorf("%d replays, balance %s", replayed, s.Balance(apptest.Alice))
		}
		send(apptest.Bob, "h").Refused(400, "Idempotency-Key was already used with a different request")
		send(apptest.Alice, "h2").OK()
		if got := s.Balance(apptest.Alice); got != "20" {
			t.Errorf("balance %s, want 20", got)
		}
		s.Call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/rules/"+rule, nil).OK()
		send(apptest.Alice, "r").Refused(404, "Loyalty rule not found")
		s.Post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).OK()
		if got := send(apptest.Alice, "r"); got.Status != 200 || got.Header.Get("Idempotent-Replayed") != "" {
			t.Errorf("a refusal was kept: %d %s", got.Status, got.Body)
		}
	})
}

func TestOverridesAreExact(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"amount": "0.1", "interval": "unlimited"})
		for i, c := range []struct{ amount, want string }{
			{`0.000001`, "0.000001"}, {`"2.50"`, "2.5"}, {`1e2`, "100"}, {`1.5e-5`, "0.000015"}, {`0`, "0"}, {`-0`, "0"}, {`1.1000000000`, "1.1"},
			{`999999999999.999999`, "999999999999.999999"}, {`"999999999999.999999"`, "999999999999.999999"}, {`0.1`, "0.1"}, {`null`, "0.1"},
			{`12345678901.234567`, "12345678901.234567"},
		} {
			wallet := fmt.Sprint("w", i)
			done := s.Post("/api/loyalty/rules/"+rule+"/complete", `{"walletAddress":"`+wallet+`","amount":`+c.amount+`}`).OK()
			paid := done["data"].(object)["rewards"].([]any)[0].(object)["amount"]
			if got := s.Balance(wallet); got != c.want || paid != json.Number(c.want) {
				t.Errorf("amount %s: balance %s, reward %v, want %s", c.amount, got, paid, c.want)
			}
		}
		for range 30 { // a tenth is no binary fraction
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		}
		if got := s.Balance(apptest.Alice); got != "3" {
			t.Errorf("thirty tenths are %s", got)
		}
	})
}

func TestRangesPayTheTierOfTheValue(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"amount": 1, "interval": "unlimited", "metadata": object{"range": []object{
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
			done := s.Post("/api/loyalty/rules/"+rule+"/complete", `{"walletAddress":"w","rangeValue":`+c.value+`}`).OK()
			if got := done["data"].(object)["rewards"].([]any)[0].(object)["amount"]; got != json.Number(c.want) {
				t.Errorf("value %s paid %v, want %s", c.value, got, c.want)
			}
		}
		s.Complete(rule, object{"walletAddress": "w", "rangeValue": 9.999999}).
			Refused(400, "Quest not achieved, please try again.")
		s.Complete(rule, object{"walletAddress": "w", "rangeValue": 9, "amount": 4}).OK()
		if got := s.Balance("w"); got != "14" {
			t.Errorf("balance %s, want 14", got)
		}
	})
}

func TestAnUnknownUserIsToldBeforeAnUnknownRuleWhateverTheKeyIsOf(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		known := s.Post("/api/users/metadatas", object{"walletAddress": apptest.Alice}).OK()["userId"]
		rival := s.NewProgram("Rival")
		for _, key := range []string{s.WebsiteAPIKey, s.OrganizationAPIKey} {
			complete := func(body object) apptest.Response {
				return s.Call(key, http.MethodPost, "/api/loyalty/rules/"+apptest.UnknownID+"/complete", body)
			}
			complete(object{"userId": apptest.UnknownID}).Refused(404, "User not found")
			complete(object{"userId": known}).Refused(404, "Loyalty rule not found")
			complete(object{"walletAddress": "never seen"}).Refused(404, "Loyalty rule not found") // to be judged as a new user
		}
		for _, key := range []string{rival.WebsiteAPIKey, rival.OrganizationAPIKey} {
			s.Call(key, http.MethodPost, "/api/loyalty/rules/"+apptest.UnknownID+"/complete", object{"userId": known}).
				Refused(404, "User not found")
		}
	})
}

// TestAnEmptyKeyIsNoKey: a caller whose order number is missing must not pay twice.
func TestAnEmptyKeyIsNoKey(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"interval": "unlimited"})
		a := s.Complete(rule, object{"walletAddress": "w", "idempotencyKey": ""})
		a.Refused(400, "Invalid request")
		if !strings.Contains(a.Body, "idempotencyKey must be at least 1 character") {
			t.Errorf("refused with %s", a.Body)
		}
		if got := s.Balance("w"); got != "" {
			t.Errorf("paid %s", got)
		}
	})
}
