package apptest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Treasury is an operator's payout driver. It pays each key once, as such a driver must, and can be made to fail.
type Treasury struct {
	*httptest.Server
	mu         sync.Mutex
	paid       map[string]string // the payments of each wallet, each with a ; behind it
	Done       map[string]string // the txHash of each key that was paid
	Calls      []Object
	LastHeader http.Header
	// Before is called at the beginning of each call, with its number. A status other than 0 is the response, with the
	// body, and nothing is paid.
	Before func(call int) (int, string)
	// After is called when a call was paid. A status other than 0 is the response; -1 cuts the connection.
	After func(call int) (int, string)
}

// NewTreasury starts a treasury that ends with the test.
func NewTreasury(t *testing.T) *Treasury {
	t.Helper()
	y := &Treasury{paid: map[string]string{}, Done: map[string]string{}}
	y.Server = httptest.NewServer(http.HandlerFunc(y.pay))
	t.Cleanup(y.Close)
	return y
}

// pay serves a call: it pays the wallet, once per key, and responds with the txHash. If Before returns a status,
// nothing is paid, and that is the response; if After returns one, that is the response to the payment.
func (y *Treasury) pay(w http.ResponseWriter, r *http.Request) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.LastHeader = r.Header.Clone()
	var in Object
	if json.NewDecoder(r.Body).Decode(&in) != nil {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	y.Calls = append(y.Calls, in)
	if y.Before != nil {
		if status, body := y.Before(len(y.Calls)); status != 0 {
			respond(w, status, body)
			return
		}
	}
	key, wallet := in["idempotencyKey"].(string), in["walletAddress"].(string)
	if _, isPaid := y.Done[key]; !isPaid {
		y.Done[key] = "0x" + key[len(key)-12:]
		y.paid[wallet] += in["amount"].(string) + ";"
	}
	if y.After != nil {
		if status, body := y.After(len(y.Calls)); status != 0 {
			respond(w, status, body)
			return
		}
	}
	respond(w, http.StatusOK, `{"status":"done","txHash":"`+y.Done[key]+`"}`)
}

// Set changes the treasury while no call is served.
func (y *Treasury) Set(f func(y *Treasury)) {
	y.mu.Lock()
	defer y.mu.Unlock()
	f(y)
}

// Always returns a function for Before or After of a Treasury that always returns the same response.
func Always(status int, body string) func(int) (int, string) {
	return func(int) (int, string) { return status, body }
}

// CheckPaid fails unless a wallet was paid these amounts, in any order; each has a ; behind it.
func (y *Treasury) CheckPaid(t *testing.T, wallet, paid string) {
	t.Helper()
	y.mu.Lock()
	defer y.mu.Unlock()
	sorted := func(list string) string {
		parts := strings.SplitAfter(list, ";")
		slices.Sort(parts)
		return strings.Join(parts, "")
	}
	if got := y.paid[wallet]; sorted(got) != sorted(paid) {
		t.Errorf("%s was paid %q, not %q", wallet, got, paid)
	}
}

// CountCalls returns how many calls there were.
func (y *Treasury) CountCalls() int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return len(y.Calls)
}

// CreateTokenRule creates a rule that pays a network's own token, with other or further properties, and returns its id.
func (s *Server) CreateTokenRule(kind string, more Object) string {
	s.T.Helper()
	properties := Object{
		"rewardType":  "token",
		"network":     "polygon",
		"tokenReward": Object{"relayerId": UnknownID, "isNative": true},
	}
	for k, v := range more {
		properties[k] = v
	}
	return s.Rule(kind, properties)
}

// RunPayouts hands over the payouts that are due.
func (s *Server) RunPayouts() {
	s.T.Helper()
	if err := s.App.Payouts.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// Payouts returns the payouts, newest first.
func (s *Server) Payouts(query string) []Object {
	s.T.Helper()
	return s.Get("/api/loyalty/payouts" + query).Data()
}
