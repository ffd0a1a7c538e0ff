package apptest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Relayer is an operator's payout driver that executes transactions of functions, each key once.
type Relayer struct {
	*httptest.Server
	mu            sync.Mutex
	sent          map[string]Object // by idempotencyKey
	lostResponses int               // how many of the next calls are executed without a response
}

// NewRelayer starts a relayer that ends with the test.
func NewRelayer(t *testing.T) *Relayer {
	t.Helper()
	r := &Relayer{sent: map[string]Object{}}
	r.Server = httptest.NewServer(http.HandlerFunc(r.execute))
	t.Cleanup(r.Close)
	return r
}

// execute serves a call: it records the transaction under its key and responds, unless the response is to be lost.
func (r *Relayer) execute(w http.ResponseWriter, request *http.Request) {
	var in Object
	if json.NewDecoder(request.Body).Decode(&in) != nil {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent[in["idempotencyKey"].(string)] = in
	r.lostResponses--
	if r.lostResponses >= 0 {
		respond(w, -1, "") // cuts the connection
		return
	}
	respond(w, http.StatusOK, `{"status":"done","txHash":"0x01"}`)
}

// LoseNextResponses makes the relayer execute so many calls without a response.
func (r *Relayer) LoseNextResponses(calls int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lostResponses = calls
}

// CountSent returns how many transactions to an address were executed.
func (r *Relayer) CountSent(to string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, in := range r.sent {
		if call, ok := in["transaction"].(Object); ok && call["to"] == to {
			n++
		}
	}
	return n
}

// CountAll returns how many payouts and transactions were executed.
func (r *Relayer) CountAll() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.sent)
}

// ConfigFile writes a file of --payouts with the relayer, for functions of every organization, and returns the path.
func (r *Relayer) ConfigFile(t *testing.T) string {
	t.Helper()
	return WriteConfig(t, `{"url":"`+r.URL+`","functions":{"organizations":"*"}}`)
}
