package external_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// state tells the newest post in a few words.
func state(s *apptest.Server, currency string) string {
	s.T.Helper()
	post := s.ExternalPosts(currency)[0]
	return fmt.Sprint(post["status"], " in doubt: ", post["inDoubt"])
}

// writesAsked returns how often the bank was asked to write.
func writesAsked(b *apptest.Bank) int {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	return b.Calls
}

func TestATryThatMayHaveArrivedIsNotForgotten(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		for i, status := range []int{401, 403, 404, 405, 410} {
			wallet := fmt.Sprintf("0x%040x", 0xfade00+i)
			// the first try is written and answered with a fault; the second is answered as unknown
			set(b, func(b *apptest.Bank) {
				first := b.Calls + 1
				b.After = func(int) int { return 502 }
				b.Before = func(call int) int {
					if call > first {
						return status
					}
					return 0
				}
			})
			s.Complete(rule, object{"walletAddress": wallet}).Refused(503, "Service unavailable")
			if got := state(s, currency); got != "open in doubt: true" {
				t.Errorf("%d: %s", status, got)
			}
			set(b, func(b *apptest.Bank) { b.Before, b.After = nil, nil })
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, "You have already been rewarded")
			b.CheckBalance(t, wallet, "10")
		}

		gone := apptest.NewBank(t)
		s.Post("/api/loyalty/currencies/"+currency, object{"apiPostUrl": gone.URL + "/post"}).OK()
		set(gone, func(b *apptest.Bank) {
			b.After = func(int) int { // nobody listens any more
				_ = b.Listener.Close()
				return -1
			}
		})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(503, "Service unavailable")
		if got := state(s, currency); got != "open in doubt: true" || writesAsked(gone) != 1 {
			t.Errorf("nobody listens: %s after %d calls", got, writesAsked(gone))
		}
		moved := httptest.NewServer(gone.Config.Handler) // the same system at another address
		t.Cleanup(moved.Close)
		set(gone, func(b *apptest.Bank) { b.After = nil })
		s.Post("/api/loyalty/currencies/"+currency, object{"apiPostUrl": moved.URL + "/post"}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		gone.CheckBalance(t, apptest.Alice, "10")
		if got := mirror(s, currency, apptest.Alice); got != "10" {
			t.Errorf("the mirror has %s", got)
		}
		s.Sound()
	})
}

func TestWhatWasAcceptedIsInDoubtUntilItIsWritten(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		const large = "8000000000000"
		during := ""
		set(b, func(b *apptest.Bank) {
			b.After = func(int) int {
				during = state(s, currency)
				return 0
			}
		})
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Bob, 1, nil)).OK()
		if during != "open in doubt: true" {
			t.Errorf("while it is asked for: %s", during)
		}

		set(b, func(b *apptest.Bank) { // while the answer is on its way, something else takes the room that it needs
			first := b.Calls + 1
			b.After = func(call int) int {
				if call == first {
					set(b, func(b *apptest.Bank) { b.Balances[apptest.Alice] = 0 })
					s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, large, nil)).OK()
				}
				return 0
			}
		})
		keyed := apptest.CreditBody(currency, apptest.Alice, large, object{"idempotencyKey": "large"})
		s.Post("/api/loyalty/transactions", keyed).Refused(503, "Service unavailable")
		post, next := s.ExternalPosts(currency)[1], laurel.Timestamp{Time: s.Clock.Now().Add(4 * time.Second)}.String()
		if post["status"] != "open" || post["inDoubt"] != true ||
			!strings.HasPrefix(fmt.Sprint(post["message"]), "accepted, and not yet written here: amount ") ||
			fmt.Sprint(post["nextAttemptAt"]) < next {
			t.Errorf("%v", post)
		}
		calls := writesAsked(b)
		carryOn(s)
		if writesAsked(b) != calls {
			t.Error("it was tried again at once")
		}
		set(b, func(b *apptest.Bank) { b.Before, b.After = func(int) int { return 404 }, nil })
		s.Clock.Advance(10 * time.Second)
		carryOn(s)
		if post := s.ExternalPosts(currency)[1]; post["status"] != "open" || post["inDoubt"] != true || writesAsked(b) == calls {
			t.Errorf("though it was accepted: %v", post)
		}
		set(b, func(b *apptest.Bank) { b.Before = nil })
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, large, object{"direction": "debit"})).OK()
		s.Post("/api/loyalty/transactions", keyed).OK()
		if got := mirror(s, currency, apptest.Alice); got != large {
			t.Errorf("the mirror has %s", got)
		}

		calls = writesAsked(b)
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, large, nil)).
			Refused(400, "amount would take a balance to 9000000000000 units or more")
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		if got := s.Complete(
			rule,
			object{"walletAddress": apptest.Alice, "amount": large},
		); got.Status != 400 ||
			!strings.Contains(
				got.Body,
				`"path":"amount","code":"invalid","message":"amount would take a balance to 9000000000000 units or more"`,
			) {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		// of all that the currency owes
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Carol, large, nil)).
			Refused(400, "amount would take the sum of the currency to 9000000000000 units or more")
		if writesAsked(b) != calls {
			t.Error("the outside was asked for what could not be written here")
		}
		s.Sound()
	})
}

func TestAKeyIsAskedForOnceHoweverTheCallsMeet(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		const keys = 60
		for i := range keys {
			sends := []func() apptest.Response{
				func() apptest.Response {
					return s.Post(
						"/api/loyalty/transactions",
						apptest.CreditBody(currency, apptest.Alice, 1, object{"idempotencyKey": fmt.Sprint("t-", i)}),
					)
				},
				func() apptest.Response {
					return s.Complete(rule, object{"walletAddress": apptest.Bob, "amount": 1, "idempotencyKey": fmt.Sprint("c-", i)})
				},
			}
			var all sync.WaitGroup
			for j := range 6 {
				all.Go(func() {
					time.Sleep(time.Duration(j/2*(i%7)) * 400 * time.Microsecond)
					if got := sends[j%2](); got.Status != 200 {
						t.Errorf("%d %s", got.Status, got.Body)
					}
				})
			}
			all.Wait()
		}
		if b.Applied != 2*keys {
			t.Errorf("%d keys were written %d times", 2*keys, b.Applied)
		}
		b.CheckBalance(t, apptest.Alice, fmt.Sprint(keys))
		b.CheckBalance(t, apptest.Bob, fmt.Sprint(keys))
		s.Sound()
	})
}

func TestAPostOfAnotherKindIsLeftToItsOwnPayer(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		set(b, func(b *apptest.Bank) { b.After = func(int) int { return -1 } }) // it writes, and nobody hears of it
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 5, object{"idempotencyKey": "k"})).
			Refused(503, "Service unavailable")
		set(b, func(b *apptest.Bank) { b.After = nil })
		calls := writesAsked(b)
		var waiting sync.WaitGroup
		waiting.Go(func() {
			s.Complete(
				rule,
				object{"walletAddress": apptest.Alice, "idempotencyKey": "k"},
			).Refused(400, "Idempotency key already used")
		})
		time.Sleep(200 * time.Millisecond)
		if post := s.ExternalPosts(currency)[0]; writesAsked(b) != calls || post["status"] != "open" {
			t.Errorf("the completion carried the transaction on: %v", post)
		}
		done := make(chan struct{})
		go func() { waiting.Wait(); close(done) }()
		s.WaitUntil(func() bool { // it was put off, and a waiting request makes it due
			carryOn(s)
			select {
			case <-done:
				return true
			default:
				return false
			}
		})
		b.CheckBalance(t, apptest.Alice, "5")
		s.Sound()
	})
}

func TestAClickThatIsOverIsStillPaidWhatWasAccepted(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		click := s.Rule("link_click", object{"loyaltyCurrencyId": currency, "metadata": object{"link": "https://a.example"}})
		s.Complete(click, object{"walletAddress": apptest.Bob}).OK()
		set(b, func(b *apptest.Bank) { b.After = func(int) int { return -1 } })
		for range 6 {
			s.Clock.Advance(10 * time.Minute)
			if _, err := s.App.Completions.RunJobs(context.Background()); err != nil {
				t.Fatal(err)
			}
			set(b, func(b *apptest.Bank) { b.Before = func(int) int { return http.StatusNotFound } })
		}
		if got := state(s, currency); got != "open in doubt: true" {
			t.Fatal(got)
		}
		set(b, func(b *apptest.Bank) { b.Before, b.After = nil, nil })
		s.Clock.Advance(time.Hour)
		carryOn(s)
		if post := s.ExternalPosts(currency)[0]; post["status"] != "done" {
			t.Errorf("%v", post)
		}
		b.CheckBalance(t, apptest.Bob, "10")
		if got := mirror(s, currency, apptest.Bob); got != "10" {
			t.Errorf("the mirror has %s", got)
		}
		s.Sound()
	})
}

// TestARequestIsAskedForOnceOnTwoNodes: the same Idempotency-Key at two servers of one database. SQLite has one server,
// where the second call waits.
func TestARequestIsAskedForOnceOnTwoNodes(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		config := app.Config{NoRateLimits: true, Dev: true}
		one := apptest.Open(t, address, config)
		two := one
		if strings.HasPrefix(address, "postgres") {
			two = apptest.Open(t, address, config)
		}
		b := apptest.NewBank(t)
		currency := one.Post("/api/loyalty/currencies", object{"name": "Miles", "symbol": "M", "decimals": 0, "apiPostUrl": b.URL + "/post"}).OK()["id"].(string)
		rule := one.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		const keys = 60
		for i := range keys {
			var all sync.WaitGroup
			for j, s := range []*apptest.Server{one, two, one, two} {
				all.Go(func() {
					time.Sleep(time.Duration(j/2*(i%7)) * 400 * time.Microsecond)
					path, body := "/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 1, nil)
					if i%2 == 1 {
						path, body = "/api/loyalty/rules/"+rule+"/complete", object{"walletAddress": apptest.Alice, "amount": 1}
					}
					if got := s.Call(
						one.WebsiteAPIKey,
						"POST",
						path,
						body,
						"Idempotency-Key",
						fmt.Sprint("request-", i),
					); got.Status != 200 &&
						got.Status != 429 {
						t.Errorf("%d %s", got.Status, got.Body)
					}
				})
			}
			all.Wait()
		}
		b.CheckBalance(t, apptest.Alice, fmt.Sprint(keys))
		if got := mirror(one, currency, apptest.Alice); got != fmt.Sprint(keys) {
			t.Errorf("the mirror has %s", got)
		}
		one.Sound()
	})
}
