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

// Treasury is an operator's payout driver. It pays each key once, as such a driver must, and can be told to fail.
type Treasury struct {
	*httptest.Server
	mu         sync.Mutex
	paid       map[string]string // wallet → what it got in all
	Done       map[string]string // key → txHash
	Calls      []Object
	LastHeader http.Header
	// Before is asked of every call: an answer other than "" is given with its status in place of work.
	Before func(call int) (int, string)
	// After is asked when the work is done, in place of the truth. A status of -1 cuts the connection.
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
	if _, known := y.Done[key]; !known {
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

// Set changes the treasury while nobody is served.
func (y *Treasury) Set(f func(y *Treasury)) {
	y.mu.Lock()
	defer y.mu.Unlock()
	f(y)
}

// Always gives every call the same answer.
func Always(status int, body string) func(int) (int, string) {
	return func(int) (int, string) { return status, body }
}

// CheckPaid demands what a wallet was paid, in any order: each payment with a ; behind it.
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

// CreateTokenRule is a rule that pays a network's own token.
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

// RunPayouts hands over what is due.
func (s *Server) RunPayouts() {
	s.T.Helper()
	if err := s.App.Payouts.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// Payouts returns what is owed, newest first.
func (s *Server) Payouts(query string) []Object {
	s.T.Helper()
	return s.Get("/api/loyalty/payouts" + query).Data()
}
