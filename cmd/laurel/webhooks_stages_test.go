package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// stage is how the receiver meets the first call of an event, with a function that kills the sender. nil: nobody is
// called before it is killed.
type stage func(w http.ResponseWriter, kill func())

// stages are all moments of an event's way, each with its own trace in the database.
var stages = map[string]stage{
	"before anybody is called": nil,
	"while the receiver works": func(_ http.ResponseWriter, kill func()) { kill() },
	"before the response is written down": func(w http.ResponseWriter, kill func()) {
		w.WriteHeader(http.StatusNoContent)
		_ = http.NewResponseController(w).Flush()
		kill()
	},
	"before a retry": func(w http.ResponseWriter, _ func()) { w.WriteHeader(http.StatusInternalServerError) },
}

// staged is a receiver that meets the first call as a stage says, and takes every other one.
type staged struct {
	mu   sync.Mutex
	ids  []string // of events, call by call
	meet stage
	kill func()
}

func (s *staged) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	s.mu.Lock()
	s.ids = append(s.ids, r.Header.Get("Webhook-Id"))
	meet, kill := s.meet, s.kill
	s.meet = nil
	s.mu.Unlock()
	if meet != nil {
		meet(w, kill)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// calls returns the ids of events, call by call.
func (s *staged) calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.ids...)
}

func TestAnEventArrivesWithItsIDWhereverTheSenderIsKilled(t *testing.T) {
	t.Parallel()
	for name, meet := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.EachURL(t, func(t *testing.T, database string) { killedAt(t, database, meet) })
		})
	}
}

func killedAt(t *testing.T, database string, meet stage) {
	t.Helper()
	made := initProgram(t, database)
	first := serve(t, database, "--dev", "--webhook-retry-schedule=2s,2s,2s,2s")
	r := &staged{meet: meet, kill: first.kill}
	receiver := httptest.NewServer(r)
	t.Cleanup(receiver.Close)
	site := first.site(made)
	sub := site.post("/api/stratus/subscriptions", object{
		"name": "Staged", "organizationId": made.OrganizationID, "websiteId": made.WebsiteID, "callbackUrl": receiver.URL,
		"platformSubscriptions": []any{object{"tableNames": []any{"LoyaltyTransactionEntry"}}},
	}).ok(t)["id"].(string)
	site.post(completion(site.rule("unlimited")), object{"walletAddress": walletOf(1)}).ok(t)
	if meet != nil {
		wait.Until(t, "the first call", func() bool { return len(r.calls()) > 0 })
	}
	first.kill()
	site = serve(t, database, "--dev", "--webhook-retry-schedule=2s,2s,2s,2s").site(made)
	var delivered []object
	wait.Until(t, "the event is delivered", func() bool {
		delivered = nil
		eachItem(site, "/api/stratus/subscriptions/"+sub+"/events", func(item object) { delivered = append(delivered, item) })
		return len(delivered) == 1 && delivered[0]["status"] == "delivered"
	})
	calls := r.calls() // one where the sender was faster than its end
	if len(calls) == 0 || len(calls) > 2 || calls[0] != delivered[0]["id"] || calls[len(calls)-1] != calls[0] {
		text, _ := json.Marshal(delivered)
		t.Errorf("called with %v: %s", calls, text)
	}
}
