package app_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel"
	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// state tells the newest post in a few words.
func (s *server) state(currency string) string {
	s.t.Helper()
	post := s.posts(currency)[0]
	return fmt.Sprint(post["status"], " in doubt: ", post["inDoubt"])
}

// asked returns how often the bank was asked to write.
func (b *bank) asked() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls
}

func TestATryThatMayHaveArrivedIsNotForgotten(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		for i, status := range []int{401, 403, 404, 405, 410} {
			wallet := fmt.Sprintf("0x%040x", 0xfade00+i)
			// it writes at the first try and returns badly, and at the second one it does not know what is asked
			b.set(func(b *bank) {
				first := b.calls + 1
				b.after = func(int) int { return 502 }
				b.before = func(call int) int {
					if call > first {
						return status
					}
					return 0
				}
			})
			s.complete(rule, object{"walletAddress": wallet}).refused(503, "Service unavailable")
			if got := s.state(currency); got != "open in doubt: true" {
				t.Errorf("%d: %s", status, got)
			}
			b.set(func(b *bank) { b.before, b.after = nil, nil })
			s.complete(rule, object{"walletAddress": wallet}).refused(400, "You have already been rewarded")
			b.has(t, wallet, "10")
		}

		gone := newBank(t)
		s.post("/api/loyalty/currencies/"+currency, object{"apiPostUrl": gone.URL + "/post"}).ok()
		gone.set(func(b *bank) {
			b.after = func(int) int { // nobody listens any more
				_ = b.Listener.Close()
				return -1
			}
		})
		s.complete(rule, object{"walletAddress": alice}).refused(503, "Service unavailable")
		if got := s.state(currency); got != "open in doubt: true" || gone.asked() != 1 {
			t.Errorf("nobody listens: %s after %d calls", got, gone.asked())
		}
		moved := httptest.NewServer(gone.Config.Handler) // the same system at another address
		t.Cleanup(moved.Close)
		gone.set(func(b *bank) { b.after = nil })
		s.post("/api/loyalty/currencies/"+currency, object{"apiPostUrl": moved.URL + "/post"}).ok()
		s.complete(rule, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		gone.has(t, alice, "10")
		if got := s.mirror(currency, alice); got != "10" {
			t.Errorf("the mirror has %s", got)
		}
		s.sound()
	})
}

func TestWhatWasAcceptedIsInDoubtUntilItIsWritten(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		const large = "8000000000000"
		during := ""
		b.set(func(b *bank) {
			b.after = func(int) int {
				during = s.state(currency)
				return 0
			}
		})
		s.post("/api/loyalty/transactions", gift(currency, bob, 1, nil)).ok()
		if during != "open in doubt: true" {
			t.Errorf("while it is asked for: %s", during)
		}

		b.set(func(b *bank) { // while the answer is on its way, something else takes the room that it needs
			first := b.calls + 1
			b.after = func(call int) int {
				if call == first {
					b.set(func(b *bank) { b.balances[alice] = 0 })
					s.post("/api/loyalty/transactions", gift(currency, alice, large, nil)).ok()
				}
				return 0
			}
		})
		keyed := gift(currency, alice, large, object{"idempotencyKey": "large"})
		s.post("/api/loyalty/transactions", keyed).refused(503, "Service unavailable")
		post, next := s.posts(currency)[1], laurel.Timestamp{Time: s.clock.Now().Add(4 * time.Second)}.String()
		if post["status"] != "open" || post["inDoubt"] != true ||
			!strings.HasPrefix(fmt.Sprint(post["message"]), "accepted, and not yet written here: amount ") ||
			fmt.Sprint(post["nextAttemptAt"]) < next {
			t.Errorf("%v", post)
		}
		calls := b.asked()
		s.carryOn()
		if b.asked() != calls {
			t.Error("it was tried again at once")
		}
		b.set(func(b *bank) { b.before, b.after = func(int) int { return 404 }, nil })
		s.clock.advance(10 * time.Second)
		s.carryOn()
		if post := s.posts(currency)[1]; post["status"] != "open" || post["inDoubt"] != true || b.asked() == calls {
			t.Errorf("though it was accepted: %v", post)
		}
		b.set(func(b *bank) { b.before = nil })
		s.post("/api/loyalty/transactions", gift(currency, alice, large, object{"direction": "debit"})).ok()
		s.post("/api/loyalty/transactions", keyed).ok()
		if got := s.mirror(currency, alice); got != large {
			t.Errorf("the mirror has %s", got)
		}

		calls = b.asked()
		s.post("/api/loyalty/transactions", gift(currency, alice, large, nil)).
			refused(400, "amount would take a balance to 9000000000000 units or more")
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		if got := s.complete(
			rule,
			object{"walletAddress": alice, "amount": large},
		); got.status != 400 ||
			!strings.Contains(
				got.body,
				`"path":"amount","message":"amount would take a balance to 9000000000000 units or more"`,
			) {
			t.Errorf("%d %s", got.status, got.body)
		}
		// of all that the currency owes
		s.post("/api/loyalty/transactions", gift(currency, carol, large, nil)).
			refused(400, "amount would take the sum of the currency to 9000000000000 units or more")
		if b.asked() != calls {
			t.Error("the outside was asked for what could not be written here")
		}
		s.sound()
	})
}

func TestAKeyIsAskedForOnceHoweverTheCallsMeet(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		const keys = 60
		for i := range keys {
			sends := []func() answer{
				func() answer {
					return s.post("/api/loyalty/transactions", gift(currency, alice, 1, object{"idempotencyKey": fmt.Sprint("t-", i)}))
				},
				func() answer {
					return s.complete(rule, object{"walletAddress": bob, "amount": 1, "idempotencyKey": fmt.Sprint("c-", i)})
				},
			}
			var all sync.WaitGroup
			for j := range 6 {
				all.Go(func() {
					time.Sleep(time.Duration(j/2*(i%7)) * 400 * time.Microsecond)
					if got := sends[j%2](); got.status != 200 {
						t.Errorf("%d %s", got.status, got.body)
					}
				})
			}
			all.Wait()
		}
		if b.applied != 2*keys {
			t.Errorf("%d keys were written %d times", 2*keys, b.applied)
		}
		b.has(t, alice, fmt.Sprint(keys))
		b.has(t, bob, fmt.Sprint(keys))
		s.sound()
	})
}

func TestAPostOfAnotherKindIsLeftToItsOwnPayer(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		b.set(func(b *bank) { b.after = func(int) int { return -1 } }) // it writes, and nobody hears of it
		s.post("/api/loyalty/transactions", gift(currency, alice, 5, object{"idempotencyKey": "k"})).
			refused(503, "Service unavailable")
		b.set(func(b *bank) { b.after = nil })
		calls := b.asked()
		var waiting sync.WaitGroup
		waiting.Go(func() {
			s.complete(rule, object{"walletAddress": alice, "idempotencyKey": "k"}).refused(400, "Idempotency key already used")
		})
		time.Sleep(200 * time.Millisecond)
		if post := s.posts(currency)[0]; b.asked() != calls || post["status"] != "open" {
			t.Errorf("the completion carried the transaction on: %v", post)
		}
		s.clock.advance(10 * time.Second)
		s.carryOn()
		waiting.Wait()
		b.has(t, alice, "5")
		s.sound()
	})
}

func TestAClickThatIsOverIsStillPaidWhatWasAccepted(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		click := s.rule("link_click", object{"loyaltyCurrencyId": currency, "metadata": object{"link": "https://a.example"}})
		s.complete(click, object{"walletAddress": bob}).ok()
		b.set(func(b *bank) { b.after = func(int) int { return -1 } })
		for range 6 {
			s.clock.advance(10 * time.Minute)
			if _, err := s.app.Completions.RunJobs(context.Background()); err != nil {
				t.Fatal(err)
			}
			b.set(func(b *bank) { b.before = func(int) int { return http.StatusNotFound } })
		}
		if got := s.state(currency); got != "open in doubt: true" {
			t.Fatal(got)
		}
		b.set(func(b *bank) { b.before, b.after = nil, nil })
		s.clock.advance(time.Hour)
		s.carryOn()
		if post := s.posts(currency)[0]; post["status"] != "done" {
			t.Errorf("%v", post)
		}
		b.has(t, bob, "10")
		if got := s.mirror(currency, bob); got != "10" {
			t.Errorf("the mirror has %s", got)
		}
		s.sound()
	})
}

// TestARequestIsAskedForOnceOnTwoNodes: the same Idempotency-Key at two servers of one database. SQLite has one server,
// where the second call waits.
func TestARequestIsAskedForOnceOnTwoNodes(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		config := app.Config{NoRateLimits: true, Dev: true}
		one := open(t, address, config)
		two := one
		if strings.HasPrefix(address, "postgres") {
			two = open(t, address, config)
		}
		b := newBank(t)
		currency := one.post("/api/loyalty/currencies", object{"name": "Miles", "symbol": "M", "decimals": 0, "apiPostUrl": b.URL + "/post"}).ok()["id"].(string)
		rule := one.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		const keys = 60
		for i := range keys {
			var all sync.WaitGroup
			for j, s := range []*server{one, two, one, two} {
				all.Go(func() {
					time.Sleep(time.Duration(j/2*(i%7)) * 400 * time.Microsecond)
					path, body := "/api/loyalty/transactions", gift(currency, alice, 1, nil)
					if i%2 == 1 {
						path, body = "/api/loyalty/rules/"+rule+"/complete", object{"walletAddress": alice, "amount": 1}
					}
					if got := s.call(
						one.WebsiteAPIKey,
						"POST",
						path,
						body,
						"Idempotency-Key",
						fmt.Sprint("request-", i),
					); got.status != 200 &&
						got.status != 429 {
						t.Errorf("%d %s", got.status, got.body)
					}
				})
			}
			all.Wait()
		}
		b.has(t, alice, fmt.Sprint(keys))
		if got := one.mirror(currency, alice); got != fmt.Sprint(keys) {
			t.Errorf("the mirror has %s", got)
		}
		one.sound()
	})
}
