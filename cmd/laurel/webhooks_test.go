package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"laurel.example/laurel/internal/dev/wait"
)

// flaky is a receiver that verifies every call, refuses three of ten, and can be away for a while.
type flaky struct {
	t        testing.TB
	address  string
	verifier *standard.Webhook

	mu     sync.Mutex
	events map[string]string        // event id → entry id, of all that was ever seen
	taken  map[string]int           // entry id → how often it was taken
	order  map[string][]json.Number // account → lock versions in the order of first attempts
	wrong  []string
	server *http.Server
	calls  int
}

func newFlaky(t testing.TB) *flaky {
	f := &flaky{
		t: t, events: map[string]string{}, taken: map[string]int{}, order: map[string][]json.Number{},
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.address = "http://" + l.Addr().String() + "/hook"
	f.listen(l)
	t.Cleanup(func() { _ = f.server.Close() })
	return f
}

func (f *flaky) listen(l net.Listener) {
	server := &http.Server{Handler: http.HandlerFunc(f.take), ReadHeaderTimeout: 10 * time.Second}
	f.server = server
	go func() { _ = server.Serve(l) }()
}

// restart is away for a while: connections break off, and new ones are refused.
func (f *flaky) restart(away time.Duration) {
	_ = f.server.Close()
	time.Sleep(away)
	var l net.Listener
	wait.Until(f.t, "the receiver listens again", func() (ok bool) {
		var err error
		l, err = net.Listen("tcp", strings.TrimSuffix(strings.TrimPrefix(f.address, "http://"), "/hook"))
		return err == nil
	})
	f.listen(l)
}

func (f *flaky) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var event struct {
		ID, Type string
		Data     struct {
			ID, LoyaltyAccountID      string
			LoyaltyAccountLockVersion json.Number
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	if err := f.verifier.Verify(body, r.Header); err != nil {
		f.wrong = append(f.wrong, fmt.Sprintf("%v: %s", err, body))
	}
	if err := json.Unmarshal(body, &event); err != nil || event.ID != r.Header.Get("Webhook-Id") {
		f.wrong = append(f.wrong, string(body))
	}
	entry, seen := f.events[event.ID]
	if !seen {
		f.events[event.ID] = event.Data.ID
		account := event.Data.LoyaltyAccountID
		f.order[account] = append(f.order[account], event.Data.LoyaltyAccountLockVersion)
	} else if entry != event.Data.ID {
		f.wrong = append(f.wrong, "an id stands for two entries: "+event.ID)
	}
	if rand.IntN(10) < 3 {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	f.taken[event.Data.ID]++
	w.WriteHeader(http.StatusNoContent)
}

func (f *flaky) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.taken)
}

// completeAll completes a rule so many times, each with a key of its own, and repeats what was not answered.
func completeAll(t testing.TB, site func() caller, rule string, from, to int) {
	t.Helper()
	var wg sync.WaitGroup
	for client := range clients {
		wg.Go(func() {
			for n := from + client; n < to; n += clients {
				body := object{"walletAddress": walletOf(n % 200), "idempotencyKey": fmt.Sprint("told-", n)}
				for try := 0; ; try++ {
					r, err := site().send(http.MethodPost, completion(rule), body)
					if err == nil && (r.status == http.StatusOK || strings.Contains(r.body, "already")) {
						break
					}
					if try > 200 {
						t.Errorf("completion %d: %v %d %s", n, err, r.status, r.body)
						return
					}
					time.Sleep(50 * time.Millisecond)
				}
			}
		})
	}
	wg.Wait()
}

// checkDelivered holds what the receiver has against the ledger and against what the service says of each event.
func (f *flaky) checkDelivered(site caller, subscription string, completions int) {
	f.t.Helper()
	wait.Until(f.t, "every entry was taken", func() bool { return f.count() >= completions })
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, w := range f.wrong[:min(len(f.wrong), 5)] {
		f.t.Error(w)
	}
	entries, deliveries := map[string]bool{}, 0
	eachItem(site, "/api/loyalty/transaction_entries", func(item object) { entries[item["id"].(string)] = true })
	attempts := 0.0
	eachItem(site, "/api/stratus/subscriptions/"+subscription+"/events", func(item object) {
		deliveries++
		attempts += item["attempts"].(float64)
		entry := f.events[item["id"].(string)]
		if item["status"] != "delivered" || !entries[entry] || f.taken[entry] == 0 {
			f.t.Errorf("%v", item)
		}
	})
	if len(entries) != completions || deliveries != completions || len(f.taken) != completions {
		f.t.Errorf("%d entries, %d events, %d taken; %d completions", len(entries), deliveries, len(f.taken), completions)
	}
	f.t.Logf("%d calls for %d events, %.0f attempts are kept", f.calls, deliveries, attempts)
}

// eachItem reads a list to its end.
func eachItem(site caller, path string, each func(item object)) {
	site.t.Helper()
	for after := ""; ; {
		page := site.get(path + "?" + url.Values{"limit": {"100"}, "startingAfter": {after}}.Encode())
		if after == "" {
			page = site.get(path + "?limit=100")
		}
		body := page.ok(site.t)
		for _, item := range body["data"].([]any) {
			each(item.(object))
			after = item.(object)["id"].(string)
		}
		if body["hasNextPage"] != true {
			return
		}
	}
}

var retrySoon = "--webhook-retry-schedule=" + strings.TrimSuffix(strings.Repeat("100ms,", 30), ",")

// subscribe makes a subscription to entries.
func (f *flaky) subscribe(made program, site caller) string {
	f.t.Helper()
	sub := site.post("/api/stratus/subscriptions", object{
		"name": "Flaky", "organizationId": made.OrganizationID, "websiteId": made.WebsiteID, "callbackUrl": f.address,
		"platformSubscriptions": []any{object{"tableNames": []any{"LoyaltyTransactionEntry"}}},
	}).ok(f.t)
	var err error
	if f.verifier, err = standard.NewWebhook(sub["signingKey"].(string)); err != nil {
		f.t.Fatal(err)
	}
	return sub["id"].(string)
}

func TestEveryEntryIsToldThoughTheReceiverIsFlakyAndTheSenderIsKilled(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + t.TempDir() + "/laurel.db"
	made, f := initProgram(t, database), newFlaky(t)
	s := serve(t, database, "--dev", retrySoon)
	var now atomic.Pointer[caller]
	use := func(p *process) { c := p.site(made); now.Store(&c) }
	use(s)
	site := func() caller { return *now.Load() }
	subscription, rule := f.subscribe(made, site()), site().rule("unlimited")
	const completions = 10_000
	var sending sync.WaitGroup
	sending.Go(func() { completeAll(t, site, rule, 0, completions) })
	wait.Until(t, "some are delivered", func() bool { return f.count() > 1000 })
	f.restart(300 * time.Millisecond)
	wait.Until(t, "more are delivered", func() bool { return f.count() > 3000 })
	s.kill()
	use(serve(t, database, "--dev", retrySoon))
	sending.Wait()
	f.checkDelivered(site(), subscription, completions)
	green(t, database)
}

func TestOneOfTwoNodesIsKilledWhileItTellsEvents(t *testing.T) {
	t.Parallel()
	onPostgres(t, func(t *testing.T, database string) {
		made, f := initProgram(t, database), newFlaky(t)
		first := serve(t, database, "--dev", retrySoon)
		site := first.site(made)
		subscription, rule := f.subscribe(made, site), site.rule("unlimited")
		completeAll(t, func() caller { return site }, rule, 0, 500)
		wait.Until(t, "some are delivered", func() bool { return f.count() > 50 })
		second := serve(t, database, "--dev", retrySoon).site(made)
		var sending sync.WaitGroup
		sending.Go(func() { completeAll(t, func() caller { return second }, rule, 500, 2000) })
		first.kill()
		sending.Wait()
		f.checkDelivered(second, subscription, 2000)
		f.mu.Lock()
		defer f.mu.Unlock()
		for account, versions := range f.order {
			for i, v := range versions {
				if v.String() != fmt.Sprint(i+1) {
					t.Fatalf("first attempts of account %s came in the order %v", account, versions)
				}
			}
		}
	})
}
