package webhooks_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// catchUpEvents returns how many events a receiver has to catch up: a few, or what LAUREL_TEST_CATCH_UP says.
func catchUpEvents(t *testing.T) int {
	t.Helper()
	text := os.Getenv("LAUREL_TEST_CATCH_UP")
	if text == "" {
		return 1000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 100 {
		t.Fatalf("LAUREL_TEST_CATCH_UP is %q: at least 100", text)
	}
	return n
}

// TestAReceiverThatCatchesUpDelaysNoOther lets a receiver be dead for two days. Then it takes its events, 10 ms for each,
// while another subscription gets events of its own.
func TestAReceiverThatCatchesUpDelaysNoOther(t *testing.T) {
	t.Parallel()
	many := catchUpEvents(t)
	storetest.EachURL(t, func(t *testing.T, address string) {
		var late atomic.Int64 // how far the clock of the server is ahead
		now := func() time.Time { return time.Now().Add(time.Duration(late.Load())) }
		s := apptest.Open(t, address, app.Config{NoRateLimits: true, Dev: true, Now: now})
		var isAlive atomic.Bool
		var refused, taken atomic.Int64
		var ids sync.Map
		dead := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !isAlive.Load() {
				refused.Add(1)
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			time.Sleep(10 * time.Millisecond)
			w.WriteHeader(http.StatusNoContent)
			if _, isKnown := ids.LoadOrStore(r.Header.Get("Webhook-Id"), true); !isKnown {
				taken.Add(1)
			}
		}))
		t.Cleanup(dead.Close)
		live := apptest.NewReceiver(t)
		path := subscriptions + "/" + s.Subscribe(dead.URL, nil, "LoyaltyTransactionEntry")["id"].(string)
		s.Subscribe(live.URL, nil, "UserMetadata")
		for i := range 100 {
			s.Transact(apptest.Points(fmt.Sprint("cust_", i), 1)).OK() // makes the members
		}
		read := func(ctx context.Context) { _ = s.App.Feed.Run(ctx, s.App.Webhooks.Consumer()) }
		defer apptest.RunWorkers(s.App.Webhooks.Run, read)()
		s.WaitUntil(func() bool { return refused.Load() >= 100 })
		for made := 100; made < many; made += 100 {
			if made == many/200*100 { // a day passes: half of the events were tried before
				late.Add(int64(24 * time.Hour))
			}
			entries := make([]object, min(100, many-made))
			for i := range entries {
				entries[i] = apptest.Points(fmt.Sprint("cust_", i), 1)
			}
			s.Transact(entries...).OK()
		}

		delay := func(member string) time.Duration {
			before := live.CountCalls()
			s.Post("/api/users/metadatas", object{"websiteId": s.WebsiteID, "walletAddress": member}).OK()
			begun := time.Now()
			s.WaitUntil(func() bool { return live.CountCalls() > before })
			return time.Since(begun)
		}
		calm := delay("live_0")
		isAlive.Store(true)
		late.Add(int64(24 * time.Hour)) // all that was refused is due
		begun, longest, looks := time.Now(), time.Duration(0), 0
		for ; taken.Load() < int64(many); looks++ {
			if time.Since(begun) > time.Minute+time.Duration(many)*100*time.Millisecond {
				t.Fatalf("%d of %d events were taken", taken.Load(), many)
			}
			longest = max(longest, delay(fmt.Sprint("live_", looks+1)))
		}
		whole := time.Since(begun)
		t.Logf("%d events in %s; a live event took %s before, and at most %s of %d meanwhile", many,
			whole.Round(time.Millisecond), calm.Round(time.Millisecond), longest.Round(time.Millisecond), looks)
		if looks < 4 || longest > min(whole/2, 5*time.Second) {
			t.Errorf("of %d live events one took %s, while others were caught up in %s", looks, longest, whole)
		}
		if got := s.Get(path).OK(); got["disabledAt"] != nil {
			t.Errorf("%v", got)
		}
		s.WaitUntil(func() bool { return len(s.Get(path+"/events?limit=1&status=pending").Data()) == 0 })
		if n := len(s.Get(path + "/events?limit=1&status=failed").Data()); n > 0 || taken.Load() != int64(many) {
			t.Errorf("%d events are failed, %d were taken of %d", n, taken.Load(), many)
		}
	})
}
