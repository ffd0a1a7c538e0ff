package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel"
	"laurel/internal/app"
)

// bank is a system outside that keeps balances (contract 5.15). It remembers keys, as such a system must, and can be
// told to fail.
type bank struct {
	*httptest.Server
	mu       sync.Mutex
	balances map[string]laurel.Amount
	done     map[string]bool // by idempotencyKey
	calls    int
	reads    int
	applied  int
	seen     http.Header
	// before is asked of every post, while others are served: an answer other than 0 is given in place of work.
	before func(call int) int
	// after is asked when the work is done: an answer other than 0 is given in place of the truth. -1 cuts the connection.
	after func(call int) int
	down  bool // for reads
	busy  bool // for reads: they are refused with 429
	// reading is asked before a read, and told after it, while others are served.
	reading, told func()
}

func newBank(t *testing.T) *bank {
	t.Helper()
	b := &bank{balances: map[string]laurel.Amount{}, done: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /post", b.post)
	mux.HandleFunc("GET /get", b.get)
	b.Server = httptest.NewServer(mux)
	t.Cleanup(b.Close)
	return b
}

func (b *bank) post(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.calls++
	b.seen = r.Header.Clone()
	call, before, after := b.calls, b.before, b.after
	b.mu.Unlock()
	if before != nil {
		if status := before(call); status > 0 {
			w.WriteHeader(status)
			return
		}
	}
	if status := b.write(r.Body); status > 0 {
		w.WriteHeader(status)
		if status == http.StatusBadRequest {
			_, _ = io.WriteString(w, `{"message":"Insufficient balance"}`)
		}
		return
	}
	if after != nil {
		if status := after(call); status != 0 {
			tell(w, status, "")
		}
	}
}

// write does what a post asks for, once, and returns the status of what it does not do.
func (b *bank) write(body io.Reader) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	var in struct {
		IdempotencyKey string
		Entries        []struct {
			WalletAddress, Direction string
			Amount                   json.RawMessage
		}
	}
	if json.NewDecoder(body).Decode(&in) != nil || in.IdempotencyKey == "" {
		return http.StatusTeapot
	}
	if b.done[in.IdempotencyKey] {
		return 0
	}
	after := map[string]laurel.Amount{}
	for _, e := range in.Entries {
		var amount laurel.Amount
		if e.Amount[0] != '"' || json.Unmarshal(e.Amount, &amount) != nil {
			return http.StatusTeapot
		}
		if e.Direction == "debit" {
			amount = -amount
		}
		if _, ok := after[e.WalletAddress]; !ok {
			after[e.WalletAddress] = b.balances[e.WalletAddress]
		}
		if after[e.WalletAddress] += amount; after[e.WalletAddress] < 0 {
			return http.StatusBadRequest
		}
	}
	for wallet, amount := range after {
		b.balances[wallet] = amount
	}
	b.done[in.IdempotencyKey] = true
	b.applied++
	return 0
}

func (b *bank) get(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	reading, told := b.reading, b.told
	b.mu.Unlock()
	if reading != nil {
		reading()
	}
	status, page := b.page(r)
	if told != nil {
		told()
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, page)
}

// page returns the balances that a read asks for.
func (b *bank) page(r *http.Request) (status int, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reads++
	switch {
	case b.busy:
		return http.StatusTooManyRequests, ""
	case b.down:
		return http.StatusBadGateway, ""
	}
	wallets := r.URL.Query()["walletAddress"]
	const size = 60
	from := 0
	if after := r.URL.Query().Get("startingAfter"); after != "" {
		_, _ = fmt.Sscanf(after, "id-%d", &from)
		from++
	}
	var items []string
	for i, wallet := range wallets[from:min(from+size, len(wallets))] {
		items = append(
			items,
			fmt.Sprintf(
				`{"id":"id-%d","walletAddress":%q,"amount":%q,"loyaltyCurrencyId":%q}`,
				from+i,
				wallet,
				b.balances[wallet],
				r.URL.Query().Get("currency"),
			),
		)
	}
	return http.StatusOK, fmt.Sprintf(`{"data":[%s],"hasNextPage":%t}`, strings.Join(items, ","), from+size < len(wallets))
}

// set changes the bank while nobody is served.
func (b *bank) set(f func(b *bank)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(b)
}

func (b *bank) has(t *testing.T, wallet, amount string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if got := b.balances[wallet].String(); got != amount {
		t.Errorf("outside, %s has %s, not %s", wallet, got, amount)
	}
}

// currency is one whose balances the bank keeps.
func (b *bank) currency() object {
	return object{
		"name":         "Miles",
		"symbol":       "M",
		"decimals":     0,
		"apiAuthType":  "bearer",
		"apiAuthValue": "s3cret",
		"apiPostUrl":   b.URL + "/post",
		"apiGetUrl":    b.URL + "/get",
	}
}

// eachWithBank runs the test with a currency that a bank keeps.
func eachWithBank(t *testing.T, f func(t *testing.T, s *server, b *bank, currency string)) {
	t.Helper()
	eachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, s *server) {
		b := newBank(t)
		made := s.post("/api/loyalty/currencies", b.currency()).ok()
		f(t, s, b, made["id"].(string))
	})
}

// mirror returns what this ledger has of a wallet: the last entry's end.
func (s *server) mirror(currency, wallet string) string {
	s.t.Helper()
	list := s.get("/api/loyalty/transaction_entries?sortBy=loyaltyAccountLockVersion&limit=1&loyaltyCurrencyId=" + currency + "&walletAddress=" + wallet).
		data()
	if len(list) == 0 {
		return ""
	}
	return list[0]["loyaltyAccountEndAmount"].(json.Number).String()
}

// posts returns what the bank was asked for, newest first.
func (s *server) posts(currency string) []object {
	s.t.Helper()
	return s.get("/api/loyalty/currencies/" + currency + "/external_posts").data()
}

// carryOn carries on the posts that are due.
func (s *server) carryOn() {
	s.t.Helper()
	if err := s.app.Carrier.RunDue(context.Background()); err != nil {
		s.t.Fatal(err)
	}
}

func gift(currency, wallet string, amount any, more object) object {
	entry := object{"walletAddress": wallet, "amount": amount}
	for k, v := range more {
		entry[k] = v
	}
	return object{"description": "A gift", "loyaltyCurrencyId": currency, "entries": []any{entry}}
}

func TestWhatIsKeptOutsideIsWrittenThereFirst(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		made := s.post("/api/loyalty/transactions", gift(currency, alice, "12.5", nil)).ok()
		if made["type"] != "api_key" || len(made["entries"].([]any)) != 1 {
			t.Errorf("%v", made)
		}
		b.has(t, alice, "12.5")
		if got := s.mirror(currency, alice); got != "12.5" {
			t.Errorf("the mirror has %s", got)
		}
		if got := b.seen.Get("Authorization"); got != "Bearer s3cret" {
			t.Errorf("shown %q", got)
		}
		post := s.posts(currency)[0]
		if post["status"] != "done" || post["kind"] != "transaction" || post["loyaltyTransactionId"] != made["id"] ||
			post["inDoubt"] != false ||
			fmt.Sprint(post["entries"]) != fmt.Sprintf("[map[amount:12.5 direction:credit walletAddress:%s]]", alice) {
			t.Errorf("%v", post)
		}
		s.post("/api/loyalty/transactions", gift(currency, alice, 100, object{"direction": "debit"})).
			refused(400, "Insufficient balance")
		if post := s.posts(currency)[0]; post["status"] != "refused" || post["message"] != "Insufficient balance" ||
			post["loyaltyTransactionId"] != nil {
			t.Errorf("%v", post)
		}
		b.set(func(b *bank) { b.balances[bob] = 50 * laurel.One }) // given there, of which nobody tells
		s.post("/api/loyalty/transactions", gift(currency, bob, 20, object{"direction": "debit"})).ok()
		b.has(t, bob, "30")
		entries := s.get("/api/loyalty/transaction_entries?sortBy=loyaltyAccountLockVersion&loyaltyCurrencyId=" + currency + "&walletAddress=" + bob).
			data()
		if len(entries) != 2 ||
			spelt(
				entries[0]["direction"],
				entries[0]["amount"],
				entries[1]["direction"],
				entries[1]["amount"],
			) != "debit 20 credit 20" ||
			fmt.Sprint(entries[1]["metadata"]) != "map[outside:adjustment]" {
			t.Errorf("%v", entries)
		}
		s.post("/api/loyalty/transactions", object{"description": "Mixed", "entries": []any{
			object{"walletAddress": alice, "amount": 1, "loyaltyCurrencyId": currency},
			object{
				"walletAddress":     alice,
				"amount":            1,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
			},
		}}).
			refused(400, "A currency that is kept outside cannot share a transaction with another one")
		many := s.post("/api/loyalty/transactions", object{"description": "Many", "loyaltyCurrencyId": currency, "entries": []any{
			object{"walletAddress": alice, "amount": 1},
			object{
				"walletAddress": carol,
				"amount":        2,
			},
			object{"walletAddress": alice, "amount": 3, "direction": "debit"},
		}}).
			ok()
		if len(many["entries"].([]any)) != 3 {
			t.Errorf("%v", many)
		}
		b.has(t, alice, "10.5")
		b.has(t, carol, "2")
		if b.applied != 3 {
			t.Errorf("the bank wrote %d times", b.applied)
		}
	})
}

func TestCompletionsPayWhatIsKeptOutside(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "daily"})
		done := s.complete(rule, object{"walletAddress": alice}).ok()
		data := done["data"].(object)
		if done["message"] != "Completion request added to queue" || data["status"] != "completed" ||
			fmt.Sprint(data["rewards"]) != fmt.Sprintf("[map[amount:10 loyaltyCurrencyId:%s rewardType:points]]", currency) {
			t.Errorf("%v", done)
		}
		entry := s.get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).data()[0]
		if entry["loyaltyTransactionId"] != data["loyaltyTransactionId"] || entry["type"] != "loyalty_rule" {
			t.Errorf("%v", entry)
		}
		b.has(t, alice, "10")
		s.complete(rule, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		s.complete(rule, object{"walletAddress": alice, "idempotencyKey": "k1", "amount": 5}).ok()
		if again := s.complete(
			rule,
			object{"walletAddress": alice, "idempotencyKey": "k1", "amount": 5},
		); again.status != 200 ||
			again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%d %s", again.status, again.body)
		}
		s.complete(rule, object{"walletAddress": alice, "idempotencyKey": "k1", "amount": 6}).
			refused(400, "Idempotency key already used")
		b.has(t, alice, "15")
		s.complete(rule, object{"walletAddress": bob, "verifyOnly": true}).ok()
		s.complete(rule, object{"walletAddress": bob, "amount": 0}).ok() // nothing to ask for
		b.has(t, bob, "0")
		if b.calls != 2 || b.applied != 2 {
			t.Errorf("%d calls, %d written", b.calls, b.applied)
		}
		code := s.rule(
			"code_entry",
			object{
				"loyaltyCurrencyId": currency,
				"interval":          "unlimited",
				"metadata":          object{"promoCodeType": "csv", "promoCodeCsvUrl": s.upload("codes.csv", "A\nB\n")},
			},
		)
		s.readLists()
		b.set(func(b *bank) { b.before = func(int) int { return 400 } })
		s.complete(code, object{"walletAddress": bob, "verificationCode": "A"}).
			refused(400, "Refused by the system that keeps the balances")
		b.set(func(b *bank) { b.before = nil })
		s.complete(code, object{"walletAddress": carol, "verificationCode": "A"}).ok() // nobody has used it up
		s.complete(code, object{"walletAddress": bob, "verificationCode": "A"}).
			refused(400, "The code you entered could not be verified")
		b.has(t, carol, "10")
		click := s.rule("link_click", object{"loyaltyCurrencyId": currency, "metadata": object{"link": "https://a.example"}})
		s.complete(click, object{"walletAddress": bob}).ok()
		s.clock.advance(time.Minute)
		if _, err := s.app.Completions.RunJobs(context.Background()); err != nil {
			t.Fatal(err)
		}
		b.has(t, bob, "10")
		if got := s.mirror(currency, bob); got != "10" {
			t.Errorf("the mirror has %s", got)
		}
	})
}

func TestAnOutageOfTheOutsideIsClearAndLeavesNothing(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("check_in", object{"loyaltyCurrencyId": currency})
		for name, status := range map[string]int{"who are you": 401, "not here": 404} {
			b.set(func(b *bank) { b.before = func(int) int { return status } })
			got := s.complete(rule, object{"walletAddress": alice})
			got.refused(503, "Service unavailable")
			if got.header.Get("Retry-After") == "" || got.json()["success"] != false {
				t.Errorf("%s: %v %s", name, got.header, got.body)
			}
			if post := s.posts(currency)[0]; post["status"] != "cancelled" ||
				post["message"] != fmt.Sprintf("answered with status %d", status) {
				t.Errorf("%s: %v", name, post)
			}
		}
		gone := httptest.NewServer(http.NotFoundHandler())
		gone.Close() // nobody listens
		s.post("/api/loyalty/currencies/"+currency, object{"apiPostUrl": gone.URL + "/post"}).ok()
		s.complete(rule, object{"walletAddress": alice}).refused(503, "Service unavailable")
		s.post("/api/loyalty/transactions", gift(currency, alice, 5, nil)).refused(503, "Service unavailable")
		for _, post := range s.posts(currency) {
			if post["status"] != "cancelled" {
				t.Errorf("%v", post)
			}
		}
		if got := s.get("/api/loyalty/transaction_entries?loyaltyCurrencyId=" + currency).data(); len(got) != 0 {
			t.Errorf("%v", got)
		}
		if got := s.get("/api/users?walletAddress=" + alice).data(); len(got) != 0 {
			t.Errorf("a user was left behind: %v", got)
		}
		well := newBank(t)
		s.post("/api/loyalty/currencies/"+currency, object{"apiPostUrl": well.URL + "/post", "apiGetUrl": nil}).ok()
		s.complete(rule, object{"walletAddress": alice}).ok()
		well.has(t, alice, "10")
	})
}

func TestACallWithoutAnswerIsAskedAgainUntilItIsKnown(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		silent := func(b *bank) { b.after = func(int) int { return -1 } } // it writes, and nobody hears of it
		b.set(silent)
		s.complete(rule, object{"walletAddress": alice}).refused(503, "Service unavailable")
		b.has(t, alice, "10")
		post := s.posts(currency)[0]
		if post["status"] != "open" || post["inDoubt"] != true || post["message"] == nil || post["nextAttemptAt"] == nil {
			t.Errorf("%v", post)
		}
		if got := s.mirror(currency, alice); got != "" {
			t.Errorf("mirrored before it is known: %s", got)
		}
		b.set(func(b *bank) { b.after = nil })
		s.clock.advance(10 * time.Second)
		s.carryOn()
		if post := s.posts(currency)[0]; post["status"] != "done" || post["inDoubt"] != false {
			t.Errorf("%v", post)
		}
		if got := s.mirror(currency, alice); got != "10" {
			t.Errorf("mirrored %s", got)
		}
		s.complete(rule, object{"walletAddress": alice}).refused(400, "You have already been rewarded")

		// Who asks again need not wait, and is not paid twice.
		b.set(silent)
		s.complete(rule, object{"walletAddress": bob}).refused(503, "Service unavailable")
		b.set(func(b *bank) { b.after = nil })
		s.complete(rule, object{"walletAddress": bob}).refused(400, "You have already been rewarded")
		b.has(t, bob, "10")

		// A key tells that it is the same.
		b.set(silent)
		keyed := object{"walletAddress": bob, "idempotencyKey": "order-1", "amount": 7}
		s.complete(rule, keyed).refused(503, "Service unavailable")
		b.set(func(b *bank) { b.after = nil })
		if again := s.complete(rule, keyed); again.status != 200 || again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%d %s", again.status, again.body)
		}
		b.has(t, bob, "17")

		// A wallet that was nobody's is the same wallet when it asks again, though it has no id yet.
		b.set(silent)
		unlimited := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		s.complete(unlimited, object{"walletAddress": carol}).refused(503, "Service unavailable")
		b.set(func(b *bank) { b.before = func(int) int { return 500 } })
		s.complete(unlimited, object{"walletAddress": carol}).refused(503, "Service unavailable")
		b.set(func(b *bank) { b.before, b.after = nil, nil })
		s.clock.advance(time.Hour)
		s.carryOn()
		b.has(t, carol, "10")
		s.complete(unlimited, object{"walletAddress": carol}).refused(400, "You have already been rewarded")
		if b.applied != 4 {
			t.Errorf("the bank wrote %d times", b.applied)
		}
		s.sound()
	})
}

func TestATransactionWithoutAnswerIsNotWrittenTwice(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		silent := func(b *bank) { b.after = func(int) int { return -1 } }
		well := func(b *bank) { b.after = nil }
		keyed := gift(currency, alice, 5, object{"idempotencyKey": "A-1"})
		b.set(silent)
		s.post("/api/loyalty/transactions", keyed).refused(503, "Service unavailable")
		b.set(well)
		first := s.post("/api/loyalty/transactions", keyed).ok()
		if second := s.post("/api/loyalty/transactions", keyed).ok(); second["id"] != first["id"] {
			t.Errorf("%v, then %v", first, second)
		}
		s.post("/api/loyalty/transactions", gift(currency, alice, 6, object{"idempotencyKey": "A-1"})).
			refused(400, "Idempotency key already used")
		b.has(t, alice, "5")

		send := func() answer {
			return s.call(
				s.WebsiteAPIKey,
				"POST",
				"/api/loyalty/transactions",
				gift(currency, bob, 9, nil),
				"Idempotency-Key",
				"request-1",
			)
		}
		b.set(silent)
		send().refused(503, "Service unavailable")
		b.set(well)
		sent := send().ok()
		if again := send(); again.status != 200 || again.header.Get("Idempotent-Replayed") != "true" ||
			again.json()["id"] != sent["id"] {
			t.Errorf("%d %s", again.status, again.body)
		}
		b.has(t, bob, "9")

		b.set(silent) // carried on by the service itself: the request finds that it is over
		other := func() answer {
			return s.call(
				s.WebsiteAPIKey,
				"POST",
				"/api/loyalty/transactions",
				gift(currency, carol, 3, nil),
				"Idempotency-Key",
				"request-2",
			)
		}
		other().refused(503, "Service unavailable")
		b.set(well)
		s.clock.advance(time.Minute)
		s.carryOn()
		if got := other(); got.status != 200 || got.json()["message"] != "Already carried out" {
			t.Errorf("%d %s", got.status, got.body)
		}
		b.has(t, carol, "3")
		if b.applied != 3 {
			t.Errorf("the bank wrote %d times", b.applied)
		}
		s.sound()
	})
}

func TestManyCallsAtOncePayOnceOutside(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		code := s.rule(
			"code_entry",
			object{
				"loyaltyCurrencyId": currency,
				"interval":          "unlimited",
				"metadata":          object{"promoCodeType": "csv", "promoCodeCsvUrl": s.upload("c.csv", "ONE\n")},
			},
		)
		s.readLists()
		b.set(func(b *bank) {
			b.after = func(call int) int { // now and then the answer is lost
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
			for name, send := range map[string]func() answer{
				"once": func() answer { return s.complete(rule, object{"walletAddress": alice}) },
				"key": func() answer {
					return s.post("/api/loyalty/transactions", gift(currency, bob, 4, object{"idempotencyKey": "K"}))
				},
				"code": func() answer {
					return s.complete(code, object{"walletAddress": fmt.Sprintf("0x%040x", 0xc0de00+i), "verificationCode": "ONE"})
				},
			} {
				all.Go(func() {
					if got := send(); got.status == 200 {
						mu.Lock()
						good[name]++
						mu.Unlock()
					} else if got.status != 400 && got.status != 503 {
						t.Errorf("%s: %d %s", name, got.status, got.body)
					}
				})
			}
		}
		all.Wait()
		b.set(func(b *bank) { b.after = nil })
		for range 3 {
			s.clock.advance(time.Hour)
			s.carryOn()
		}
		b.has(t, alice, "10")
		b.has(t, bob, "4")
		var codes laurel.Amount
		b.set(func(b *bank) {
			for i := range 12 {
				codes += b.balances[fmt.Sprintf("0x%040x", 0xc0de00+i)]
			}
		})
		if codes != 10*laurel.One || good["once"] > 1 || good["code"] > 1 || b.applied != 3 {
			t.Errorf("codes paid %s, answered well %v, written %d times", codes, good, b.applied)
		}
		for wallet, amount := range map[string]string{alice: "10", bob: "4"} {
			if got := s.mirror(currency, wallet); got != amount {
				t.Errorf("the mirror of %s has %s", wallet, got)
			}
		}
		for _, post := range s.posts(currency) {
			if post["status"] == "open" {
				t.Errorf("%v", post)
			}
		}
		s.sound()
	})
}

func TestWhatPaysManyAtOnceRefusesWhatIsKeptOutside(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		const refusal = "Balances of this currency are kept outside"
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency})
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.post("/api/loyalty/reset", object{"loyaltyCurrencyId": currency, "type": "loyalty_reset_balances"}).
			refused(400, refusal)
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule+"?debitLoyaltyPoints=true", nil).refused(400, refusal)
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).ok()
		for _, field := range []string{"pointsExpireAfterDays", "pointsWaitHours"} {
			s.post("/api/loyalty/currencies/"+currency, object{field: 30}).
				refused(400, "apiPostUrl cannot be set where points expire or wait")
		}
		b.has(t, alice, "10")
		s.sound()
	})
}

func TestAccountsTellTheBalanceOutside(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		for i := range 2 {
			var entries []any
			for j := range 60 {
				entries = append(entries, object{"walletAddress": fmt.Sprintf("0x%040x", 0xba00+i*60+j), "amount": 1})
			}
			s.post("/api/loyalty/transactions", object{"description": "x", "loyaltyCurrencyId": currency, "entries": entries}).
				ok()
		}
		s.complete(s.rule("external_rule", object{"loyaltyCurrencyId": s.LoyaltyCurrencyID}), object{"walletAddress": alice}).
			ok()
		b.set(func(b *bank) {
			for wallet := range b.balances {
				b.balances[wallet] = 7500000
			}
		})
		tell := func(query string) map[string]int {
			found := map[string]int{}
			for _, a := range s.get("/api/loyalty/accounts?limit=200" + query).data() {
				found[a["amount"].(json.Number).String()]++
			}
			return found
		}
		if got := fmt.Sprint(tell("&loyaltyCurrencyId=" + currency)); got != "map[1:20 7.5:100]" {
			t.Errorf("of a full page: %s", got)
		}
		if b.reads != 2 {
			t.Errorf("%d pages were read", b.reads)
		}
		if got := fmt.Sprint(tell("&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String())); got != "map[10:1]" || b.reads != 2 {
			t.Errorf("of the other currency: %s after %d reads", got, b.reads)
		}
		if got := fmt.Sprint(
			tell(fmt.Sprintf("&loyaltyCurrencyId=%s&walletAddress=0x%040x", currency, 0xba05)),
		); got != "map[7.5:1]" {
			t.Errorf("of one wallet: %s", got)
		}
		b.set(func(b *bank) { b.down = true })
		s.clock.advance(outsideKnown)
		if got := fmt.Sprint(tell("&loyaltyCurrencyId=" + currency)); got != "map[1:120]" {
			t.Errorf("while it is down: %s", got)
		}
	})
}

func TestTheOutsideIsShownTheCredentialsThatTheCurrencyNames(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		for _, c := range []struct {
			set          object
			header, want string
		}{
			{object{"apiAuthType": "basic", "apiAuthKey": "me", "apiAuthValue": "pw"}, "Authorization", "Basic bWU6cHc="},
			{object{"apiAuthType": "apiKey", "apiAuthKey": nil, "apiAuthValue": "v1"}, "X-Api-Key", "v1"},
			{object{"apiAuthType": "apiKey", "apiAuthKey": "x-partner", "apiAuthValue": "v2"}, "X-Partner", "v2"},
			{object{"apiAuthType": "none"}, "Authorization", ""},
		} {
			s.post("/api/loyalty/currencies/"+currency, c.set).ok()
			s.post("/api/loyalty/transactions", gift(currency, alice, 1, nil)).ok()
			if got := b.seen.Get(c.header); got != c.want {
				t.Errorf("%v: %q", c.set, got)
			}
		}
	})
}
