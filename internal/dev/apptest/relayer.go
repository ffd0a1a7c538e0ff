package apptest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Relayer is an operator's payout driver that carries out transactions of functions, each key once.
type Relayer struct {
	*httptest.Server
	mu   sync.Mutex
	sent map[string]Object // by idempotencyKey
	cuts int               // calls that are carried out, and whose answer is lost
}

// NewRelayer starts a relayer that ends with the test.
func NewRelayer(t *testing.T) *Relayer {
	t.Helper()
	r := &Relayer{sent: map[string]Object{}}
	r.Server = httptest.NewServer(http.HandlerFunc(r.carry))
	t.Cleanup(r.Close)
	return r
}

func (r *Relayer) carry(w http.ResponseWriter, request *http.Request) {
	var in Object
	if json.NewDecoder(request.Body).Decode(&in) != nil {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent[in["idempotencyKey"].(string)] = in
	r.cuts--
	if r.cuts >= 0 {
		respond(w, -1, "")
		return
	}
	respond(w, http.StatusOK, `{"status":"done","txHash":"0x01"}`)
}

// Cut has the relayer carry out the next calls and lose their answers.
func (r *Relayer) Cut(calls int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cuts = calls
}

// Sent returns how many transactions were carried out to an address.
func (r *Relayer) Sent(to string) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, in := range r.sent {
		if call, ok := in["transaction"].(Object); ok && call["to"] == to {
			n++
		}
	}
	return n
}

// All returns how many payouts and transactions were carried out.
func (r *Relayer) All() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.sent)
}

// File tells the service of the relayer, which serves functions of every organization.
func (r *Relayer) File(t *testing.T) string {
	t.Helper()
	return Configured(t, `{"url":"`+r.URL+`","functions":{"organizations":"*"}}`)
}
