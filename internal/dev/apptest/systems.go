package apptest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// respond writes a response with a status and a body. -1 cuts the connection: the caller does not learn the result.
func respond(w http.ResponseWriter, status int, body string) {
	if status < 0 {
		conn, _, _ := w.(http.Hijacker).Hijack()
		_ = conn.Close()
		return
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

// WriteConfig writes a configuration file for the service and returns its path.
func WriteConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "outside.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Site is a web server of others, whose pages a test sets.
type Site struct {
	*httptest.Server
	mu    sync.Mutex
	pages map[string]string
	Calls atomic.Int64
	Keys  sync.Map     // the last X-API-Key of requests, by path
	Fault atomic.Int64 // the status of every response; 0: pages are served
}

// NewSite starts a site without pages that ends with the test.
func NewSite(t *testing.T) *Site {
	t.Helper()
	s := &Site{pages: map[string]string{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Calls.Add(1)
		s.Keys.Store(r.URL.Path, r.Header.Get("X-Api-Key"))
		if status := s.Fault.Load(); status != 0 {
			w.WriteHeader(int(status))
			return
		}
		s.mu.Lock()
		page, ok := s.pages[r.URL.RequestURI()]
		s.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(s.Close)
	return s
}

// Set sets the text of a page and returns its address.
func (s *Site) Set(path, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = text
	return s.URL + path
}

// CreateShopRule creates a rule of type shop_spend with a daily run, which finds members who have bought anything, for
// a reward that they claim. It returns the id.
func (s *Server) CreateShopRule(properties Object) string {
	s.T.Helper()
	return s.Rule(
		"shop_spend",
		Over(Object{"amount": 5, "frequency": "daily", "claimType": "manual", "interval": "unlimited"}, properties),
	)
}
