package external_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

// set changes the bank while nobody is served.
func set(b *apptest.Bank, f func(b *apptest.Bank)) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	f(b)
}

// mirror returns what this ledger has of a wallet: the last entry's end.
func mirror(s *apptest.Server, currency, wallet string) string {
	s.T.Helper()
	list := s.Get("/api/loyalty/transaction_entries?sortBy=loyaltyAccountLockVersion&limit=1&loyaltyCurrencyId=" + currency + "&walletAddress=" + wallet).
		Data()
	if len(list) == 0 {
		return ""
	}
	return list[0]["loyaltyAccountEndAmount"].(json.Number).String()
}

// carryOn carries on the posts that are due.
func carryOn(s *apptest.Server) {
	s.T.Helper()
	if err := s.App.PostResolver.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

func TestWhatIsKeptOutsideIsWrittenThereFirst(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		made := s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, "12.5", nil)).OK()
		if made["type"] != "api_key" || len(made["entries"].([]any)) != 1 {
			t.Errorf("%v", made)
		}
		b.CheckBalance(t, apptest.Alice, "12.5")
		if got := mirror(s, currency, apptest.Alice); got != "12.5" {
			t.Errorf("the mirror has %s", got)
		}
		if got := b.LastHeader.Get("Authorization"); got != "Bearer s3cret" {
			t.Errorf("shown %q", got)
		}
		post := s.ExternalPosts(currency)[0]
		if post["status"] != "done" || post["kind"] != "transaction" || post["loyaltyTransactionId"] != made["id"] ||
			post["inDoubt"] != false ||
			fmt.Sprint(post["entries"]) != fmt.Sprintf("[map[amount:12.5 direction:credit walletAddress:%s]]", apptest.Alice) {
			t.Errorf("%v", post)
		}
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 100, object{"direction": "debit"})).
			Refused(400, "Insufficient balance")
		if post := s.ExternalPosts(currency)[0]; post["status"] != "refused" || post["message"] != "Insufficient balance" ||
			post["loyaltyTransactionId"] != nil {
			t.Errorf("%v", post)
		}
		set(b, func(b *apptest.Bank) { b.Balances[apptest.Bob] = 50 * laurel.One }) // given there, of which nobody tells
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Bob, 20, object{"direction": "debit"})).OK()
		b.CheckBalance(t, apptest.Bob, "30")
		entries := s.Get("/api/loyalty/transaction_entries?sortBy=loyaltyAccountLockVersion&loyaltyCurrencyId=" + currency + "&walletAddress=" + apptest.Bob).
			Data()
		if len(entries) != 2 ||
			apptest.Spaced(
				entries[0]["direction"],
				entries[0]["amount"],
				entries[1]["direction"],
				entries[1]["amount"],
			) != "debit 20 credit 20" ||
			fmt.Sprint(entries[1]["metadata"]) != "map[outside:adjustment]" {
			t.Errorf("%v", entries)
		}
		s.Post("/api/loyalty/transactions", object{"description": "Mixed", "entries": []any{
			object{"walletAddress": apptest.Alice, "amount": 1, "loyaltyCurrencyId": currency},
			object{
				"walletAddress":     apptest.Alice,
				"amount":            1,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
			},
		}}).
			Refused(400, "A currency that is kept outside cannot share a transaction with another one")
		many := s.Post("/api/loyalty/transactions", object{"description": "Many", "loyaltyCurrencyId": currency, "entries": []any{
			object{"walletAddress": apptest.Alice, "amount": 1},
			object{
				"walletAddress": apptest.Carol,
				"amount":        2,
			},
			object{"walletAddress": apptest.Alice, "amount": 3, "direction": "debit"},
		}}).
			OK()
		if len(many["entries"].([]any)) != 3 {
			t.Errorf("%v", many)
		}
		b.CheckBalance(t, apptest.Alice, "10.5")
		b.CheckBalance(t, apptest.Carol, "2")
		if b.Applied != 3 {
			t.Errorf("the bank wrote %d times", b.Applied)
		}
	})
}

func TestCompletionsPayWhatIsKeptOutside(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "daily"})
		done := s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		data := done["data"].(object)
		if done["message"] != "Completion request added to queue" || data["status"] != "completed" ||
			fmt.Sprint(data["rewards"]) != fmt.Sprintf("[map[amount:10 loyaltyCurrencyId:%s rewardType:points]]", currency) {
			t.Errorf("%v", done)
		}
		entry := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data()[0]
		if entry["loyaltyTransactionId"] != data["loyaltyTransactionId"] || entry["type"] != "loyalty_rule" {
			t.Errorf("%v", entry)
		}
		b.CheckBalance(t, apptest.Alice, "10")
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		s.Complete(rule, object{"walletAddress": apptest.Alice, "idempotencyKey": "k1", "amount": 5}).OK()
		if again := s.Complete(
			rule,
			object{"walletAddress": apptest.Alice, "idempotencyKey": "k1", "amount": 5},
		); again.Status != 200 ||
			again.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%d %s", again.Status, again.Body)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice, "idempotencyKey": "k1", "amount": 6}).
			Refused(400, "Idempotency key already used")
		b.CheckBalance(t, apptest.Alice, "15")
		s.Complete(rule, object{"walletAddress": apptest.Bob, "verifyOnly": true}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob, "amount": 0}).OK() // nothing to ask for
		b.CheckBalance(t, apptest.Bob, "0")
		if b.Calls != 2 || b.Applied != 2 {
			t.Errorf("%d calls, %d written", b.Calls, b.Applied)
		}
		code := s.Rule(
			"code_entry",
			object{
				"loyaltyCurrencyId": currency,
				"interval":          "unlimited",
				"metadata":          object{"promoCodeType": "csv", "promoCodeCsvUrl": s.Upload("codes.csv", "A\nB\n")},
			},
		)
		s.ReadLists()
		set(b, func(b *apptest.Bank) { b.Before = func(int) int { return 400 } })
		s.Complete(code, object{"walletAddress": apptest.Bob, "verificationCode": "A"}).
			Refused(400, "Refused by the system that keeps the balances")
		set(b, func(b *apptest.Bank) { b.Before = nil })
		s.Complete(code, object{"walletAddress": apptest.Carol, "verificationCode": "A"}).OK() // nobody has used it up
		s.Complete(code, object{"walletAddress": apptest.Bob, "verificationCode": "A"}).
			Refused(400, "The code you entered could not be verified")
		b.CheckBalance(t, apptest.Carol, "10")
		click := s.Rule("link_click", object{"loyaltyCurrencyId": currency, "metadata": object{"link": "https://a.example"}})
		s.Complete(click, object{"walletAddress": apptest.Bob}).OK()
		s.Clock.Advance(time.Minute)
		if _, err := s.App.Completions.RunJobs(context.Background()); err != nil {
			t.Fatal(err)
		}
		b.CheckBalance(t, apptest.Bob, "10")
		if got := mirror(s, currency, apptest.Bob); got != "10" {
			t.Errorf("the mirror has %s", got)
		}
	})
}

func TestAnOutageOfTheOutsideIsClearAndLeavesNothing(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("check_in", object{"loyaltyCurrencyId": currency})
		for name, status := range map[string]int{"who are you": 401, "not here": 404} {
			set(b, func(b *apptest.Bank) { b.Before = func(int) int { return status } })
			got := s.Complete(rule, object{"walletAddress": apptest.Alice})
			got.Refused(503, "Service unavailable")
			if got.Header.Get("Retry-After") == "" || got.JSON()["success"] != false {
				t.Errorf("%s: %v %s", name, got.Header, got.Body)
			}
			if post := s.ExternalPosts(currency)[0]; post["status"] != "cancelled" ||
				post["message"] != fmt.Sprintf("answered with status %d", status) {
				t.Errorf("%s: %v", name, post)
			}
		}
		gone := httptest.NewServer(http.NotFoundHandler())
		gone.Close() // nobody listens
		s.Post("/api/loyalty/currencies/"+currency, object{"apiPostUrl": gone.URL + "/post"}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(503, "Service unavailable")
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 5, nil)).Refused(503, "Service unavailable")
		for _, post := range s.ExternalPosts(currency) {
			if post["status"] != "cancelled" {
				t.Errorf("%v", post)
			}
		}
		if got := s.Get("/api/loyalty/transaction_entries?loyaltyCurrencyId=" + currency).Data(); len(got) != 0 {
			t.Errorf("%v", got)
		}
		if got := s.Get("/api/users?walletAddress=" + apptest.Alice).Data(); len(got) != 0 {
			t.Errorf("a user was left behind: %v", got)
		}
		well := apptest.NewBank(t)
		s.Post("/api/loyalty/currencies/"+currency, object{"apiPostUrl": well.URL + "/post", "apiGetUrl": nil}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		well.CheckBalance(t, apptest.Alice, "10")
	})
}

func TestACallWithoutAnswerIsAskedAgainUntilItIsKnown(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		silent := func(b *apptest.Bank) { b.After = func(int) int { return -1 } } // it writes, and nobody hears of it
		set(b, silent)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(503, "Service unavailable")
		b.CheckBalance(t, apptest.Alice, "10")
		post := s.ExternalPosts(currency)[0]
		if post["status"] != "open" || post["inDoubt"] != true || post["message"] == nil || post["nextAttemptAt"] == nil {
			t.Errorf("%v", post)
		}
		if got := mirror(s, currency, apptest.Alice); got != "" {
			t.Errorf("mirrored before it is known: %s", got)
		}
		set(b, func(b *apptest.Bank) { b.After = nil })
		s.Clock.Advance(10 * time.Second)
		carryOn(s)
		if post := s.ExternalPosts(currency)[0]; post["status"] != "done" || post["inDoubt"] != false {
			t.Errorf("%v", post)
		}
		if got := mirror(s, currency, apptest.Alice); got != "10" {
			t.Errorf("mirrored %s", got)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")

		// Who asks again need not wait, and is not paid twice.
		set(b, silent)
		s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(503, "Service unavailable")
		set(b, func(b *apptest.Bank) { b.After = nil })
		s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(400, "You have already been rewarded")
		b.CheckBalance(t, apptest.Bob, "10")

		// A key tells that it is the same.
		set(b, silent)
		keyed := object{"walletAddress": apptest.Bob, "idempotencyKey": "order-1", "amount": 7}
		s.Complete(rule, keyed).Refused(503, "Service unavailable")
		set(b, func(b *apptest.Bank) { b.After = nil })
		if again := s.Complete(rule, keyed); again.Status != 200 || again.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%d %s", again.Status, again.Body)
		}
		b.CheckBalance(t, apptest.Bob, "17")

		// A wallet that was nobody's is the same wallet when it asks again, though it has no id yet.
		set(b, silent)
		unlimited := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		s.Complete(unlimited, object{"walletAddress": apptest.Carol}).Refused(503, "Service unavailable")
		set(b, func(b *apptest.Bank) { b.Before = func(int) int { return 500 } })
		s.Complete(unlimited, object{"walletAddress": apptest.Carol}).Refused(503, "Service unavailable")
		set(b, func(b *apptest.Bank) { b.Before, b.After = nil, nil })
		s.Clock.Advance(time.Hour)
		carryOn(s)
		b.CheckBalance(t, apptest.Carol, "10")
		s.Complete(unlimited, object{"walletAddress": apptest.Carol}).Refused(400, "You have already been rewarded")
		if b.Applied != 4 {
			t.Errorf("the bank wrote %d times", b.Applied)
		}
		s.Sound()
	})
}

func TestATransactionWithoutAnswerIsNotWrittenTwice(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		silent := func(b *apptest.Bank) { b.After = func(int) int { return -1 } }
		well := func(b *apptest.Bank) { b.After = nil }
		keyed := apptest.CreditBody(currency, apptest.Alice, 5, object{"idempotencyKey": "A-1"})
		set(b, silent)
		s.Post("/api/loyalty/transactions", keyed).Refused(503, "Service unavailable")
		set(b, well)
		first := s.Post("/api/loyalty/transactions", keyed).OK()
		if second := s.Post("/api/loyalty/transactions", keyed).OK(); second["id"] != first["id"] {
			t.Errorf("%v, then %v", first, second)
		}
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 6, object{"idempotencyKey": "A-1"})).
			Refused(400, "Idempotency key already used")
		b.CheckBalance(t, apptest.Alice, "5")

		send := func() apptest.Response {
			return s.Call(
				s.WebsiteAPIKey,
				"POST",
				"/api/loyalty/transactions",
				apptest.CreditBody(currency, apptest.Bob, 9, nil),
				"Idempotency-Key",
				"request-1",
			)
		}
		set(b, silent)
		send().Refused(503, "Service unavailable")
		set(b, well)
		sent := send().OK()
		if again := send(); again.Status != 200 || again.Header.Get("Idempotent-Replayed") != "true" ||
			again.JSON()["id"] != sent["id"] {
			t.Errorf("%d %s", again.Status, again.Body)
		}
		b.CheckBalance(t, apptest.Bob, "9")

		set(b, silent) // carried on by the service itself: the request finds that it is over
		other := func() apptest.Response {
			return s.Call(
				s.WebsiteAPIKey,
				"POST",
				"/api/loyalty/transactions",
				apptest.CreditBody(currency, apptest.Carol, 3, nil),
				"Idempotency-Key",
				"request-2",
			)
		}
		other().Refused(503, "Service unavailable")
		set(b, well)
		s.Clock.Advance(time.Minute)
		carryOn(s)
		if got := other(); got.Status != 200 || got.JSON()["message"] != "Already carried out" {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		b.CheckBalance(t, apptest.Carol, "3")
		if b.Applied != 3 {
			t.Errorf("the bank wrote %d times", b.Applied)
		}
		s.Sound()
	})
}

func TestManyCallsAtOncePayOnceOutside(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		code := s.Rule(
			"code_entry",
			object{
				"loyaltyCurrencyId": currency,
				"interval":          "unlimited",
				"metadata":          object{"promoCodeType": "csv", "promoCodeCsvUrl": s.Upload("c.csv", "ONE\n")},
			},
		)
		s.ReadLists()
		set(b, func(b *apptest.Bank) {
			b.After = func(call int) int { // now and then the answer is lost
				if call%4 == 1 {
					return -1
				}
				return 0
			}
		})
		var all sync.WaitGroup
		var mu sync.Mutex
		good := map[string]int{}
		for i := range 12 {
			for name, send := range map[string]func() apptest.Response{
				"once": func() apptest.Response { return s.Complete(rule, object{"walletAddress": apptest.Alice}) },
				"key": func() apptest.Response {
					return s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Bob, 4, object{"idempotencyKey": "K"}))
				},
				"code": func() apptest.Response {
					return s.Complete(code, object{"walletAddress": fmt.Sprintf("0x%040x", 0xc0de00+i), "verificationCode": "ONE"})
				},
			} {
				all.Go(func() {
					if got := send(); got.Status == 200 {
						mu.Lock()
						good[name]++
						mu.Unlock()
					} else if got.Status != 400 && got.Status != 503 {
						t.Errorf("%s: %d %s", name, got.Status, got.Body)
					}
				})
			}
		}
		all.Wait()
		set(b, func(b *apptest.Bank) { b.After = nil })
		for range 3 {
			s.Clock.Advance(time.Hour)
			carryOn(s)
		}
		b.CheckBalance(t, apptest.Alice, "10")
		b.CheckBalance(t, apptest.Bob, "4")
		var codes laurel.Amount
		set(b, func(b *apptest.Bank) {
			for i := range 12 {
				codes += b.Balances[fmt.Sprintf("0x%040x", 0xc0de00+i)]
			}
		})
		if codes != 10*laurel.One || good["once"] > 1 || good["code"] > 1 || b.Applied != 3 {
			t.Errorf("codes paid %s, answered well %v, written %d times", codes, good, b.Applied)
		}
		for wallet, amount := range map[string]string{apptest.Alice: "10", apptest.Bob: "4"} {
			if got := mirror(s, currency, wallet); got != amount {
				t.Errorf("the mirror of %s has %s", wallet, got)
			}
		}
		for _, post := range s.ExternalPosts(currency) {
			if post["status"] == "open" {
				t.Errorf("%v", post)
			}
		}
		s.Sound()
	})
}

func TestWhatPaysManyAtOnceRefusesWhatIsKeptOutside(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		const refusal = "Balances of this currency are kept outside"
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Post("/api/loyalty/reset", object{"loyaltyCurrencyId": currency, "type": "loyalty_reset_balances"}).
			Refused(400, refusal)
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule+"?debitLoyaltyPoints=true", nil).Refused(400, refusal)
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).OK()
		for _, field := range []string{"pointsExpireAfterDays", "pointsWaitHours"} {
			s.Post("/api/loyalty/currencies/"+currency, object{field: 30}).
				Refused(400, "apiPostUrl cannot be set where points expire or wait")
		}
		b.CheckBalance(t, apptest.Alice, "10")
		s.Sound()
	})
}

func TestAccountsTellTheBalanceOutside(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		for i := range 2 {
			var entries []any
			for j := range 60 {
				entries = append(entries, object{"walletAddress": fmt.Sprintf("0x%040x", 0xba00+i*60+j), "amount": 1})
			}
			s.Post("/api/loyalty/transactions", object{"description": "x", "loyaltyCurrencyId": currency, "entries": entries}).
				OK()
		}
		s.Complete(
			s.Rule("external_rule", object{"loyaltyCurrencyId": s.LoyaltyCurrencyID}),
			object{"walletAddress": apptest.Alice},
		).
			OK()
		set(b, func(b *apptest.Bank) {
			for wallet := range b.Balances {
				b.Balances[wallet] = 7500000
			}
		})
		amountCounts := func(query string) map[string]int {
			found := map[string]int{}
			for _, a := range s.Get("/api/loyalty/accounts?limit=200" + query).Data() {
				found[a["amount"].(json.Number).String()]++
			}
			return found
		}
		if got := fmt.Sprint(amountCounts("&loyaltyCurrencyId=" + currency)); got != "map[1:20 7.5:100]" {
			t.Errorf("of a full page: %s", got)
		}
		if b.Reads != 2 {
			t.Errorf("%d pages were read", b.Reads)
		}
		if got := fmt.Sprint(amountCounts("&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String())); got != "map[10:1]" || b.Reads != 2 {
			t.Errorf("of the other currency: %s after %d reads", got, b.Reads)
		}
		if got := fmt.Sprint(
			amountCounts(fmt.Sprintf("&loyaltyCurrencyId=%s&walletAddress=0x%040x", currency, 0xba05)),
		); got != "map[7.5:1]" {
			t.Errorf("of one wallet: %s", got)
		}
		set(b, func(b *apptest.Bank) { b.Down = true })
		s.Clock.Advance(outsideKnown)
		if got := fmt.Sprint(amountCounts("&loyaltyCurrencyId=" + currency)); got != "map[1:120]" {
			t.Errorf("while it is down: %s", got)
		}
	})
}

func TestTheOutsideIsShownTheCredentialsThatTheCurrencyNames(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		for _, c := range []struct {
			set          object
			header, want string
		}{
			{object{"apiAuthType": "basic", "apiAuthKey": "me", "apiAuthValue": "pw"}, "Authorization", "Basic bWU6cHc="},
			{object{"apiAuthType": "apiKey", "apiAuthKey": nil, "apiAuthValue": "v1"}, "X-Api-Key", "v1"},
			{object{"apiAuthType": "apiKey", "apiAuthKey": "x-partner", "apiAuthValue": "v2"}, "X-Partner", "v2"},
			{object{"apiAuthType": "none"}, "Authorization", ""},
		} {
			s.Post("/api/loyalty/currencies/"+currency, c.set).OK()
			s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 1, nil)).OK()
			if got := b.LastHeader.Get(c.header); got != c.want {
				t.Errorf("%v: %q", c.set, got)
			}
		}
	})
}
