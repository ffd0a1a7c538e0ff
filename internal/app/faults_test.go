package app_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// crowd posts many transactions at once and returns them in order.
func (s *server) crowd(many int, entries func(i int) []object) []answer {
	answers := make([]answer, many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() { answers[i] = s.transact(entries(i)...) })
	}
	wg.Wait()
	return answers
}

func TestAnOverdraftAmongManyFailsAlone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.transact(points(wallet(1), 5)).ok()
		for i, a := range s.crowd(96, func(i int) []object {
			if i%8 == 3 {
				return []object{points(wallet(100+i), 2), points(wallet(1), 6, debit)}
			}
			return []object{points(wallet(100+i), 2)}
		}) {
			want := "2"
			if i%8 == 3 {
				a.refused(400, "Insufficient balance")
				want = ""
			} else {
				a.ok()
			}
			if got := s.balance(wallet(100 + i)); got != want {
				t.Errorf("wallet %d has %q, want %q", i, got, want)
			}
		}
		if s.balance(wallet(1)) != "5" {
			t.Errorf("the overdrawn wallet has %s", s.balance(wallet(1)))
		}
		s.sound()
	})
}

// TestAPostingThatTheDatabaseRefusesFailsAlone plants a constraint that the service knows nothing of: an amount may
// stand in one entry only.
func TestAPostingThatTheDatabaseRefusesFailsAlone(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		log := &storetest.Log{}
		s := open(t, address, app.Config{NoRateLimits: true, Logger: slog.New(slog.NewTextHandler(log, nil))})
		plant(t, address, "CREATE UNIQUE INDEX planted ON loyalty_transaction_entries (amount) WHERE amount = 13000000")
		poisoned := func(i int) bool { return i == 20 || i == 41 }
		for i, a := range s.crowd(64, func(i int) []object {
			if poisoned(i) {
				return []object{points(wallet(100+i), 13)}
			}
			return []object{points(wallet(100+i), 1+i%7)}
		}) {
			if got := s.balance(wallet(100 + i)); poisoned(i) {
				a.refused(500, "Internal server error")
				if got != "" {
					t.Errorf("the refused posting left %s", got)
				}
			} else {
				a.ok()
				if got != fmt.Sprint(1+i%7) {
					t.Errorf("neighbour %d has %q", i, got)
				}
			}
		}
		if said := log.String(); strings.Count(said, "set apart") != 2 ||
			!strings.Contains(said, "transaction of website "+s.WebsiteID.String()) {
			t.Errorf("the log says:\n%s", said)
		}
		s.sound()
	})
}

// TestTheLogNamesWhatFailed: by what it was about, and with nothing of what was in it.
func TestTheLogNamesWhatFailed(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		log := &storetest.Log{}
		s := open(t, address, app.Config{NoRateLimits: true, Logger: slog.New(slog.NewTextHandler(log, nil))})
		plant(t, address, "CREATE UNIQUE INDEX planted ON loyalty_transaction_entries (amount) WHERE amount = 13000000")
		plant(t, address, "CREATE UNIQUE INDEX planted_too ON rule_subjects (progress) WHERE progress = 13000000")
		rule, counted := s.free(nil), s.counter(500)
		user := s.userOf("w")
		s.complete(rule, object{"userId": user, "amount": 13, "idempotencyKey": "k-13", "verificationCode": "hush"}).
			refused(500, "Internal server error")
		for _, wallet := range []string{"v", "w"} {
			s.progress(counted, wallet, object{"progress": 1}).ok()
		}
		s.progress(counted, "v", object{"progress": 13}).ok()
		s.progress(counted, "w", object{"progress": 13}).refused(500, "Internal server error")
		said := log.String()
		of := " of website " + s.WebsiteID.String() + " by user " + user
		for _, want := range []string{"completion of rule " + rule + of + ` with key \"k-13\"`, "progress of rule " + counted + of} {
			if !strings.Contains(said, want) {
				t.Errorf("the log does not say %q:\n%s", want, said)
			}
		}
		if strings.Contains(said, "hush") || len(said) > 4000 {
			t.Errorf("the log says %d bytes:\n%s", len(said), said)
		}
	})
}

// TestAFaultWhileACursorIsReadIsNoWrongCursor takes a table away that the cursor of a list of the past is read from.
func TestAFaultWhileACursorIsReadIsNoWrongCursor(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := openAtNoon(t, address, app.Config{NoRateLimits: true})
		s.transact(points(wallet(1), 5)).ok()
		account := (&ranking{s, map[int]string{}}).account(1)
		then := s.clock.Now()
		s.clock.advance(settling)
		list := "/api/loyalty/accounts?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String() + "&" + asOf(then) + "&startingAfter="
		s.get(list + account).ok()
		s.get(list+unknownID).refused(400, "startingAfter not found")
		plant(t, address, "ALTER TABLE loyalty_transaction_entries RENAME TO elsewhere")
		s.get(list+account).refused(500, "Internal server error")
	})
}

// plant runs a statement beside the service.
func plant(t *testing.T, address, statement string) {
	t.Helper()
	driver, source := "pgx", address
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		driver, source = "sqlite", path
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func TestAClockThatStepsBackAnHourPaysNoWindowTwice(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		hourly, daily := s.rule(
			"external_rule",
			object{"interval": "hourly"},
		), s.rule(
			"check_in",
			object{"interval": "daily"},
		)
		rolling := s.rule("external_rule", object{"interval": "custom", "metadata": object{"customIntervalSeconds": 600}})
		capped := s.rule(
			"external_rule",
			object{"interval": "unlimited", "maxAmountInterval": "daily", "maxAmountPerInterval": 15},
		)
		rules := []string{hourly, daily, rolling, capped}
		at := func(hour, minute int) time.Time {
			return noon.Add(time.Duration(hour-12)*time.Hour + time.Duration(minute)*time.Minute)
		}
		who := object{"walletAddress": wallet(1)}
		s.clock.set(at(12, 10))
		for _, rule := range rules {
			s.complete(rule, who).ok()
		}
		s.clock.set(at(11, 10))
		for _, rule := range rules[:3] {
			s.complete(rule, who).refused(400, "You have already been rewarded")
			s.complete(rule, object{"walletAddress": wallet(2)}).ok()
			s.complete(rule, object{"walletAddress": wallet(2)}).refused(400, "You have already been rewarded")
		}
		s.complete(capped, who).ok() // the rest of the day's cap, 5
		s.complete(capped, who).refused(400, "You have already been rewarded")
		if got := s.balance(wallet(1)); got != "45" {
			t.Errorf("the balance is %s, want 45", got)
		}
		s.clock.set(at(12, 21)) // the rolling window of 12:10 is over, the hour of 12 is not
		s.complete(hourly, who).refused(400, "You have already been rewarded")
		s.complete(rolling, who).ok()
		s.complete(hourly, object{"walletAddress": wallet(2)}).ok()
		s.clock.set(at(13, 0))
		s.complete(hourly, who).ok()
		s.complete(daily, who).refused(400, "You have already been rewarded")
		s.complete(capped, who).refused(400, "You have already been rewarded")
		s.inOrder(wallet(1))
		s.sound()
	})
}

// inOrder demands that the entries of a wallet have different ids and times that never run backwards.
func (s *server) inOrder(wallet string) {
	s.t.Helper()
	last, seen := "", map[any]bool{}
	for _, e := range s.get("/api/loyalty/transaction_entries?sortBy=loyaltyAccountLockVersion&sortDir=asc&walletAddress=" + wallet).data() {
		if at := e["createdAt"].(string); at < last {
			s.t.Errorf("an entry of %s comes after one of %s", at, last)
		} else {
			last = at
		}
		if seen[e["id"]] || seen[e["loyaltyTransactionId"]] {
			s.t.Errorf("an id came twice: %v", e)
		}
		seen[e["id"]], seen[e["loyaltyTransactionId"]] = true, true
	}
}

func TestACancelledRequestHappensOnceOrNever(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		const many, wallets = 240, 5
		body := func(i int) object {
			return object{"description": "cancelled", "loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"entries": []object{points(wallet(i%wallets), 1, object{"idempotencyKey": fmt.Sprintf("cancelled-%d", i)})}}
		}
		answered := s.cancelled(many, body)
		// What is under way ends by itself: a request that is sent again waits for it, and is answered the same transaction.
		first := s.byKey()
		for i, id := range answered {
			if key := fmt.Sprintf("cancelled-%d", i); first[key] != id {
				t.Fatalf("acknowledged as %s, visible as %q", id, first[key])
			}
		}
		for i := range many {
			again := s.post("/api/loyalty/transactions", body(i)).ok()["id"].(string)
			if was := first[fmt.Sprintf("cancelled-%d", i)]; was != "" && was != again {
				t.Fatalf("request %d was transaction %s and is %s", i, was, again)
			}
		}
		if n := len(s.byKey()); n != many {
			t.Errorf("%d entries of %d requests", n, many)
		}
		if len(answered) == 0 || len(answered) == many {
			t.Errorf("%d of %d were answered: this shows nothing", len(answered), many)
		}
		if got := s.balance(wallet(0)); got != fmt.Sprint(many/wallets) {
			t.Errorf("the balance is %s, want %d", got, many/wallets)
		}
		s.sound()
	})
}

// byKey returns the transaction of each idempotency key that has an entry, which must be one.
func (s *server) byKey() map[string]string {
	s.t.Helper()
	out := map[string]string{}
	for after := ""; ; {
		page := s.get("/api/loyalty/transaction_entries?limit=100&direction=credit" + after)
		for _, e := range page.data() {
			key := e["idempotencyKey"].(string)
			if out[key] != "" {
				s.t.Errorf("%s stands twice", key)
			}
			out[key] = e["loyaltyTransactionId"].(string)
			after = "&startingAfter=" + e["id"].(string)
		}
		if page.ok()["hasNextPage"] != true {
			return out
		}
	}
}

// cancelled sends requests that are given up after a short while, and returns the transactions of those that were
// answered before.
func (s *server) cancelled(many int, body func(i int) object) map[int]string {
	answered := map[int]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for lane := range 12 {
		wg.Go(func() {
			chance := rand.New(rand.NewPCG(uint64(lane), 2))
			for i := lane; i < many; i += 12 {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(chance.IntN(4_000<<(i%10)))*time.Microsecond)
				if id, ok := s.tryTransaction(ctx, body(i)); ok {
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

func (s *server) tryTransaction(ctx context.Context, body object) (string, bool) {
	text, err := json.Marshal(body)
	if err != nil {
		s.t.Error(err)
	}
	r, err := http.NewRequestWithContext(
		ctx,
		http.MethodPost,
		s.http.URL+"/api/loyalty/transactions",
		strings.NewReader(string(text)),
	)
	if err != nil {
		s.t.Error(err)
		return "", false
	}
	r.Header.Set("X-API-KEY", s.WebsiteAPIKey)
	r.Header.Set("Content-Type", "application/json")
	res, err := s.http.Client().Do(r)
	if err != nil {
		return "", false
	}
	defer func() { _ = res.Body.Close() }()
	var made struct{ ID string }
	return made.ID, json.NewDecoder(res.Body).Decode(&made) == nil && res.StatusCode == http.StatusOK
}

// TestAReadOfHalfATransactionsKeysIsNoConflict sends transactions with many keys several times at once: whoever looks
// the keys up while they are being written must not take the ones that he does not see yet for unused.
func TestAReadOfHalfATransactionsKeysIsNoConflict(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		const rounds, keys, twins = 40, 60, 6
		for round := range rounds {
			answers := s.crowd(twins, func(int) []object {
				var entries []object
				for i := range keys {
					entries = append(entries, points(wallet(1), 1, object{"idempotencyKey": fmt.Sprintf("%d-%d", round, i)}))
				}
				return entries
			})
			for _, a := range answers {
				if a.ok()["id"] != answers[0].ok()["id"] {
					t.Fatalf("one answers %s, another %s", answers[0].body, a.body)
				}
			}
		}
		if got := s.balance(wallet(1)); got != fmt.Sprint(rounds*keys) {
			t.Errorf("the balance is %s, want %d", got, rounds*keys)
		}
	})
}
