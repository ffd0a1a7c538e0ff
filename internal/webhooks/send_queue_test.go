package webhooks_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestAnEventThatIsAskedForWhileItIsToldIsToldOnceMore(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		sub := s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry")
		path := subscriptions + "/" + sub["id"].(string)
		var once sync.Once
		r.Mu.Lock()
		r.Say = func(c apptest.Received) (int, map[string]string, string) {
			once.Do(func() { s.Post(path+"/events/"+c.ID()+"/redeliver", nil).OK() })
			return 204, nil, ""
		}
		r.Mu.Unlock()
		s.Transact(apptest.Points("cust_1", 5)).OK()
		s.DeliverEvents()
		s.DeliverEvents()
		calls := r.TakeCalls()
		if len(calls) != 2 || calls[0].ID() != calls[1].ID() {
			t.Errorf("%d calls", len(calls))
		}
		if got := event(s, sub); state(got) != "delivered 2" {
			t.Errorf("%v", got)
		}
	})
}

// locked is a log that several goroutines write to.
type locked struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

func TestADisabledSubscriptionIsLoggedAndCountedOnce(t *testing.T) {
	t.Parallel()
	log := &locked{}
	config := app.Config{NoRateLimits: true, Dev: true, Logger: slog.New(slog.NewTextHandler(log, nil))}
	apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
		r := apptest.NewReceiver(t)
		sub := s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry")
		arrived := make(chan struct{}, 4)
		r.Mu.Lock()
		r.Say = func(apptest.Received) (int, map[string]string, string) {
			arrived <- struct{}{}
			for until := time.Now().Add(5 * time.Second); len(arrived) < 4 && time.Now().Before(until); {
				time.Sleep(time.Millisecond) // all lanes meet the answer
			}
			return 410, nil, ""
		}
		r.Mu.Unlock()
		for i := range 4 {
			s.Transact(apptest.Points(fmt.Sprint("cust_", i), 5)).OK()
		}
		s.DeliverEvents()
		if text := s.Call("", "GET", "/metrics", nil).Body; !strings.Contains(text, "laurel_webhooks_disabled_total 1\n") {
			t.Error("it is not counted once")
		}
		log.mu.Lock()
		defer log.mu.Unlock()
		if n := strings.Count(log.String(), "a subscription was disabled"); n != 1 ||
			!strings.Contains(log.String(), sub["id"].(string)) || !strings.Contains(log.String(), "410 Gone") {
			t.Errorf("logged %d times: %s", n, log.String())
		}
		log.Reset()
	})
}

// fetching makes a v1 subscription with a function that asks an address for each event.
func fetching(t *testing.T, s *apptest.Server, r *apptest.Receiver, asked http.HandlerFunc) object {
	t.Helper()
	target := httptest.NewServer(asked)
	t.Cleanup(target.Close)
	function := s.Post("/api/stratus/functions", object{
		"name": "asks", "code": "module.exports.handler = async (input, output) => { output.setResult((await fetch('" +
			target.URL + "')).status); return output.buildOutput(); };",
	}).OK()["id"]
	return s.Subscribe(r.URL, object{"version": "v1", "functionIds": []any{function}}, "LoyaltyTransactionEntry")
}

func TestFunctionsOnEventsOfV1LeaveTheTurnToOthers(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		sub := fetching(t, s, r, func(http.ResponseWriter, *http.Request) { s.AdvanceAndExpire(time.Minute) })
		for i := range 3 {
			s.Transact(apptest.Points("cust_1", i+1)).OK()
		}
		s.FanOut()
		s.AdvanceAndExpire(2 * time.Second)
		for turn := 1; turn <= 3; turn++ { // a run takes longer than a turn
			if err := s.App.Webhooks.SendDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := len(s.Get(subscriptions + "/" + sub["id"].(string) + "/events?status=delivered").Data()); n != turn {
				t.Errorf("%d events were delivered in turn %d", n, turn)
			}
		}
		if n := len(r.TakeCalls()); n != 1 {
			t.Errorf("%d calls", n)
		}
	})
}
