package apptest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
)

// Bank is an external ledger that keeps balances (contract 5.15). It remembers idempotency keys, as such a ledger must,
// and can be made to fail.
type Bank struct {
	*httptest.Server
	Mu          sync.Mutex
	Balances    map[string]laurel.Amount
	appliedKeys map[string]bool // by idempotencyKey
	Calls       int
	Reads       int
	Applied     int
	LastHeader  http.Header
	// Before is called at the beginning of each post, with its number. A status other than 0 is the response, and the
	// post is not applied. Other posts are served meanwhile.
	Before func(call int) int
	// After is called when a post was applied. A status other than 0 is the response; -1 cuts the connection.
	After func(call int) int
	Down  bool // for reads
	Busy  bool // for reads: they are refused with 429
	// Reading is called before a read, and Answered after it. Other calls are served meanwhile.
	Reading, Answered func()
}

// NewBank starts a bank that ends with the test.
func NewBank(t *testing.T) *Bank {
	t.Helper()
	b := &Bank{Balances: map[string]laurel.Amount{}, appliedKeys: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /post", b.post)
	mux.HandleFunc("GET /get", b.get)
	b.Server = httptest.NewServer(mux)
	t.Cleanup(b.Close)
	return b
}

// post serves a post of entries. It calls Before and, if that returns no status, applies the entries, calls After and
// responds with its status, or 200. If Before returns a status, or the entries are refused, the response has that
// status.
func (b *Bank) post(w http.ResponseWriter, r *http.Request) {
	b.Mu.Lock()
	b.Calls++
	b.LastHeader = r.Header.Clone()
	call, before, after := b.Calls, b.Before, b.After
	b.Mu.Unlock()
	if before != nil {
		if status := before(call); status > 0 {
			w.WriteHeader(status)
			return
		}
	}
	if status := b.write(r.Body); status > 0 {
		w.WriteHeader(status)
		if status == http.StatusBadRequest {
			_, _ = io.WriteString(w, `{"message":"Insufficient balance"}`)
		}
		return
	}
	if after != nil {
		if status := after(call); status != 0 {
			respond(w, status, "")
		}
	}
}

// write applies the entries of a post, once per key. It returns 0, or the status with which it refuses: 400 for an
// overdraft, 418 for a malformed body.
func (b *Bank) write(body io.Reader) int {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	var in struct {
		IdempotencyKey string
		Entries        []struct {
			WalletAddress, Direction string
			Amount                   json.RawMessage
		}
	}
	if json.NewDecoder(body).Decode(&in) != nil || in.IdempotencyKey == "" {
		return http.StatusTeapot
	}
	if b.appliedKeys[in.IdempotencyKey] {
		return 0
	}
	after := map[string]laurel.Amount{}
	for _, e := range in.Entries {
		var amount laurel.Amount
		if e.Amount[0] != '"' || json.Unmarshal(e.Amount, &amount) != nil {
			return http.StatusTeapot
		}
		if e.Direction == "debit" {
			amount = -amount
		}
		if _, ok := after[e.WalletAddress]; !ok {
			after[e.WalletAddress] = b.Balances[e.WalletAddress]
		}
		if after[e.WalletAddress] += amount; after[e.WalletAddress] < 0 {
			return http.StatusBadRequest
		}
	}
	for wallet, amount := range after {
		b.Balances[wallet] = amount
	}
	b.appliedKeys[in.IdempotencyKey] = true
	b.Applied++
	return 0
}

// get serves a read of balances, and calls Reading before it and Answered after it.
func (b *Bank) get(w http.ResponseWriter, r *http.Request) {
	b.Mu.Lock()
	reading, answered := b.Reading, b.Answered
	b.Mu.Unlock()
	if reading != nil {
		reading()
	}
	status, page := b.page(r)
	if answered != nil {
		answered()
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, page)
}

// page returns the status and the page of balances that a read asks for, at most 60, after the id in startingAfter.
// While the bank is Busy or Down, it returns an error status and no text.
func (b *Bank) page(r *http.Request) (status int, text string) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.Reads++
	switch {
	case b.Busy:
		return http.StatusTooManyRequests, ""
	case b.Down:
		return http.StatusBadGateway, ""
	}
	wallets := r.URL.Query()["walletAddress"]
	const size = 60
	from := 0
	if after := r.URL.Query().Get("startingAfter"); after != "" {
		_, _ = fmt.Sscanf(after, "id-%d", &from)
		from++
	}
	var items []string
	for i, wallet := range wallets[from:min(from+size, len(wallets))] {
		items = append(
			items,
			fmt.Sprintf(
				`{"id":"id-%d","walletAddress":%q,"amount":%q,"loyaltyCurrencyId":%q}`,
				from+i,
				wallet,
				b.Balances[wallet],
				r.URL.Query().Get("currency"),
			),
		)
	}
	return http.StatusOK, fmt.Sprintf(`{"data":[%s],"hasNextPage":%t}`, strings.Join(items, ","), from+size < len(wallets))
}

// CheckBalance fails unless the bank has the balance for a wallet.
func (b *Bank) CheckBalance(t *testing.T, wallet, amount string) {
	t.Helper()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if got := b.Balances[wallet].String(); got != amount {
		t.Errorf("outside, %s has %s, not %s", wallet, got, amount)
	}
}

// CurrencyBody returns the body that creates a currency whose balances the bank keeps.
func (b *Bank) CurrencyBody() Object {
	return Object{
		"name":         "Miles",
		"symbol":       "M",
		"decimals":     0,
		"apiAuthType":  "bearer",
		"apiAuthValue": "s3cret",
		"apiPostUrl":   b.URL + "/post",
		"apiGetUrl":    b.URL + "/get",
	}
}

// EachWithBank runs the test on each engine, with a new bank and a currency whose balances it keeps.
func EachWithBank(t *testing.T, f func(t *testing.T, s *Server, b *Bank, currency string)) {
	t.Helper()
	EachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, s *Server) {
		b := NewBank(t)
		made := s.Post("/api/loyalty/currencies", b.CurrencyBody()).OK()
		f(t, s, b, made["id"].(string))
	})
}

// ExternalPosts returns the posts of a currency to its external ledger, newest first.
func (s *Server) ExternalPosts(currency string) []Object {
	s.T.Helper()
	return s.Get("/api/loyalty/currencies/" + currency + "/external_posts").Data()
}

// CreditBody returns the body of a transaction that credits a wallet in a currency. more has further properties of the
// entry.
func CreditBody(currency, wallet string, amount any, more Object) Object {
	entry := Object{"walletAddress": wallet, "amount": amount}
	for k, v := range more {
		entry[k] = v
	}
	return Object{"description": "A gift", "loyaltyCurrencyId": currency, "entries": []any{entry}}
}
