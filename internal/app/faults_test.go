package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// transactAtOnce posts many transactions at once and returns them in order.
func transactAtOnce(s *apptest.Server, many int, entries func(i int) []object) []apptest.Response {
	answers := make([]apptest.Response, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() { answers[i] = s.Transact(entries(i)...) })
	}
	wg.Wait()
	return answers
}

func TestAnOverdraftAmongManyFailsAlone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Wallet(1), 5)).OK()
		for i, a := range transactAtOnce(s, 96, func(i int) []object {
			if i%8 == 3 {
				return []object{apptest.Points(apptest.Wallet(100+i), 2), apptest.Points(apptest.Wallet(1), 6, apptest.Debit)}
			}
			return []object{apptest.Points(apptest.Wallet(100+i), 2)}
		}) {
			want := "2"
			if i%8 == 3 {
				a.Refused(400, "Insufficient balance")
				want = ""
			} else {
				a.OK()
			}
			if got := s.Balance(apptest.Wallet(100 + i)); got != want {
				t.Errorf("wallet %d has %q, want %q", i, got, want)
			}
		}
		if s.Balance(apptest.Wallet(1)) != "5" {
			t.Errorf("the overdrawn wallet has %s", s.Balance(apptest.Wallet(1)))
		}
		s.Sound()
	})
}

// TestAPostingThatTheDatabaseRefusesFailsAlone plants a constraint that the service knows nothing of: an amount may
// stand in one entry only.
func TestAPostingThatTheDatabaseRefusesFailsAlone(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		log := &storetest.Log{}
		s := apptest.Open(t, address, app.Config{NoRateLimits: true, Logger: slog.New(slog.NewTextHandler(log, nil))})
		apptest.ExecOnce(
			t,
			address,
			"CREATE UNIQUE INDEX planted ON loyalty_transaction_entries (amount) WHERE amount = 13000000",
		)
		poisoned := func(i int) bool { return i == 20 || i == 41 }
		for i, a := range transactAtOnce(s, 64, func(i int) []object {
			if poisoned(i) {
				return []object{apptest.Points(apptest.Wallet(100+i), 13)}
			}
			return []object{apptest.Points(apptest.Wallet(100+i), 1+i%7)}
		}) {
			if got := s.Balance(apptest.Wallet(100 + i)); poisoned(i) {
				a.Refused(500, "Internal server error")
				if got != "" {
					t.Errorf("the refused posting left %s", got)
				}
			} else {
				a.OK()
				if got != fmt.Sprint(1+i%7) {
					t.Errorf("neighbour %d has %q", i, got)
				}
			}
		}
		if output := log.String(); strings.Count(output, "set apart") != 2 ||
			!strings.Contains(output, "transaction of website "+s.WebsiteID.String()) {
			t.Errorf("the log says:\n%s", output)
		}
		s.Sound()
	})
}

// TestTheLogNamesWhatFailed: the log names the rule, website, user and key, and no value of the request.
func TestTheLogNamesWhatFailed(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		log := &storetest.Log{}
		s := apptest.Open(t, address, app.Config{NoRateLimits: true, Logger: slog.New(slog.NewTextHandler(log, nil))})
		apptest.ExecOnce(t, address, "CREATE UNIQUE INDEX planted ON loyalty_transaction_entries (amount) WHERE amount = 13000000")
		apptest.ExecOnce(t, address, "CREATE UNIQUE INDEX planted_too ON rule_subjects (progress) WHERE progress = 13000000")
		rule, counted := s.Free(nil), s.CreateCounterRule(500)
		user := s.UserOf("w")
		s.Complete(rule, object{"userId": user, "amount": 13, "idempotencyKey": "k-13", "verificationCode": "hush"}).
			Refused(500, "Internal server error")
		for _, wallet := range []string{"v", "w"} {
			s.Progress(counted, wallet, object{"progress": 1}).OK()
		}
		s.Progress(counted, "v", object{"progress": 13}).OK()
		s.Progress(counted, "w", object{"progress": 13}).Refused(500, "Internal server error")
		output := log.String()
		of := " of website " + s.WebsiteID.String() + " by user " + user
		for _, want := range []string{"completion of rule " + rule + of + ` with key \"k-13\"`, "progress of rule " + counted + of} {
			if !strings.Contains(output, want) {
				t.Errorf("the log does not say %q:\n%s", want, output)
			}
		}
		if strings.Contains(output, "hush") || len(output) > 4000 {
			t.Errorf("the log says %d bytes:\n%s", len(output), output)
		}
	})
}

// TestAFaultWhileACursorIsReadIsNoWrongCursor takes a table away that the cursor of a list of the past is read from.
func TestAFaultWhileACursorIsReadIsNoWrongCursor(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true})
		s.Transact(apptest.Points(apptest.Wallet(1), 5)).OK()
		account := (&apptest.Ranking{Server: s, Known: map[int]string{}}).Account(1)
		then := s.Clock.Now()
		s.Clock.Advance(apptest.Settling)
		list := "/api/loyalty/accounts?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String() + "&" + apptest.AsOf(then) + "&startingAfter="
		s.Get(list + account).OK()
		s.Get(list+apptest.UnknownID).Refused(400, "startingAfter not found")
		apptest.ExecOnce(t, address, "ALTER TABLE loyalty_transaction_entries RENAME TO elsewhere")
		s.Get(list+account).Refused(500, "Internal server error")
	})
}

func TestAClockThatStepsBackAnHourPaysNoWindowTwice(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		hourly, daily := s.Rule(
			"external_rule",
			object{"interval": "hourly"},
		), s.Rule(
			"check_in",
			object{"interval": "daily"},
		)
		rolling := s.Rule("external_rule", object{"interval": "custom", "metadata": object{"customIntervalSeconds": 600}})
		capped := s.Rule(
			"external_rule",
			object{"interval": "unlimited", "maxAmountInterval": "daily", "maxAmountPerInterval": 15},
		)
		rules := []string{hourly, daily, rolling, capped}
		at := func(hour, minute int) time.Time {
			return apptest.Noon.Add(time.Duration(hour-12)*time.Hour + time.Duration(minute)*time.Minute)
		}
		who := object{"walletAddress": apptest.Wallet(1)}
		s.Clock.Set(at(12, 10))
		for _, rule := range rules {
			s.Complete(rule, who).OK()
		}
		s.Clock.Set(at(11, 10))
		for _, rule := range rules[:3] {
			s.Complete(rule, who).Refused(400, "You have already been rewarded")
			s.Complete(rule, object{"walletAddress": apptest.Wallet(2)}).OK()
			s.Complete(rule, object{"walletAddress": apptest.Wallet(2)}).Refused(400, "You have already been rewarded")
		}
		s.Complete(capped, who).OK() // the rest of the day's cap, 5
		s.Complete(capped, who).Refused(400, "You have already been rewarded")
		if got := s.Balance(apptest.Wallet(1)); got != "45" {
			t.Errorf("the balance is %s, want 45", got)
		}
		s.Clock.Set(at(12, 21)) // the rolling window of 12:10 is over, the hour of 12 is not
		s.Complete(hourly, who).Refused(400, "You have already been rewarded")
		s.Complete(rolling, who).OK()
		s.Complete(hourly, object{"walletAddress": apptest.Wallet(2)}).OK()
		s.Clock.Set(at(13, 0))
		s.Complete(hourly, who).OK()
		s.Complete(daily, who).Refused(400, "You have already been rewarded")
		s.Complete(capped, who).Refused(400, "You have already been rewarded")
		inOrder(s, apptest.Wallet(1))
		s.Sound()
	})
}

// inOrder demands that the entries of a wallet have different ids and times that never run backwards.
func inOrder(s *apptest.Server, wallet string) {
	s.T.Helper()
	last, ids := "", map[any]bool{}
	for _, e := range s.Get("/api/loyalty/transaction_entries?sortBy=loyaltyAccountLockVersion&sortDir=asc&walletAddress=" + wallet).Data() {
		if at := e["createdAt"].(string); at < last {
			s.T.Errorf("an entry of %s comes after one of %s", at, last)
		} else {
			last = at
		}
		if ids[e["id"]] || ids[e["loyaltyTransactionId"]] {
			s.T.Errorf("an id came twice: %v", e)
		}
		ids[e["id"]], ids[e["loyaltyTransactionId"]] = true, true
	}
}

func TestACancelledRequestHappensOnceOrNever(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		const many, wallets = 240, 5
		body := func(i int) object {
			return object{"description": "cancelled", "loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"entries": []object{
					apptest.Points(apptest.Wallet(i%wallets), 1, object{"idempotencyKey": fmt.Sprintf("cancelled-%d", i)}),
				}}
		}
		answered := cancelled(s, many, body)
		// What is under way ends by itself: a request that is sent again waits for it, and is answered the same transaction.
		first := byKey(s)
		for i, id := range answered {
			if key := fmt.Sprintf("cancelled-%d", i); first[key] != id {
				t.Fatalf("acknowledged as %s, visible as %q", id, first[key])
			}
		}
		for i := range many {
			again := s.Post("/api/loyalty/transactions", body(i)).OK()["id"].(string)
			if was := first[fmt.Sprintf("cancelled-%d", i)]; was != "" && was != again {
				t.Fatalf("request %d was transaction %s and is %s", i, was, again)
			}
		}
		if n := len(byKey(s)); n != many {
			t.Errorf("%d entries of %d requests", n, many)
		}
		if len(answered) == 0 || len(answered) == many {
			t.Errorf("%d of %d were answered: this shows nothing", len(answered), many)
		}
		if got := s.Balance(apptest.Wallet(0)); got != fmt.Sprint(many/wallets) {
			t.Errorf("the balance is %s, want %d", got, many/wallets)
		}
		s.Sound()
	})
}

// byKey returns the transaction of each idempotency key that has an entry, which must be one.
func byKey(s *apptest.Server) map[string]string {
	s.T.Helper()
	out := map[string]string{}
	for after := ""; ; {
		page := s.Get("/api/loyalty/transaction_entries?limit=100&direction=credit" + after)
		for _, e := range page.Data() {
			key := e["idempotencyKey"].(string)
			if out[key] != "" {
				s.T.Errorf("%s stands twice", key)
			}
			out[key] = e["loyaltyTransactionId"].(string)
			after = "&startingAfter=" + e["id"].(string)
		}
		if page.OK()["hasNextPage"] != true {
			return out
		}
	}
}

// cancelled sends requests that are given up after a short while, and returns the transactions of those that were
// answered before.
func cancelled(s *apptest.Server, many int, body func(i int) object) map[int]string {
	answered := map[int]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for lane := range 12 {
		wg.Go(func() {
			chance := rand.New(rand.NewPCG(uint64(lane), 2))
			for i := lane; i < many; i += 12 {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(chance.IntN(4_000<<(i%10)))*time.Microsecond)
				if id, ok := tryTransaction(ctx, s, body(i)); ok {
					mu.Lock()
					answered[i] = id
					mu.Unlock()
				}
				cancel()
			}
		})
	}
	wg.Wait()
	return answered
}

func tryTransaction(ctx context.Context, s *apptest.Server, body object) (string, bool) {
	text, err := json.Marshal(body)
	if err != nil {
		s.T.Error(err)
	}
	r, err := http.NewRequestWithContext(
		ctx,
		http.MethodPost,
		s.HTTP.URL+"/api/loyalty/transactions",
		strings.NewReader(string(text)),
	)
	if err != nil {
		s.T.Error(err)
		return "", false
	}
	r.Header.Set("X-API-KEY", s.WebsiteAPIKey)
	r.Header.Set("Content-Type", "application/json")
	res, err := s.HTTP.Client().Do(r)
	if err != nil {
		return "", false
	}
	defer func() { _ = res.Body.Close() }()
	var made struct{ ID string }
	return made.ID, json.NewDecoder(res.Body).Decode(&made) == nil && res.StatusCode == http.StatusOK
}

// TestAReadOfHalfATransactionsKeysIsNoConflict sends transactions with many keys several times at once: a call
// that looks the keys up while they are being written must not take those for unused that it cannot see yet.
func TestAReadOfHalfATransactionsKeysIsNoConflict(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		const rounds, keys, twins = 40, 60, 6
		for round := range rounds {
			answers := transactAtOnce(s, twins, func(int) []object {
				var entries []object
				for i := range keys {
					entries = append(
						entries,
						apptest.Points(apptest.Wallet(1), 1, object{"idempotencyKey": fmt.Sprintf("%d-%d", round, i)}),
					)
				}
				return entries
			})
			for _, a := range answers {
				if a.OK()["id"] != answers[0].OK()["id"] {
					t.Fatalf("one answers %s, another %s", answers[0].Body, a.Body)
				}
			}
		}
		if got := s.Balance(apptest.Wallet(1)); got != fmt.Sprint(rounds*keys) {
			t.Errorf("the balance is %s, want %d", got, rounds*keys)
		}
	})
}
