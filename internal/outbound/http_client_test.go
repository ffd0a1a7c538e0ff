package outbound_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"laurel.example/laurel/internal/outbound"
)

func TestTheHTTPClientOfLibrariesKeepsTheLimitsOfCalls(t *testing.T) {
	t.Parallel()
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		switch r.URL.Path {
		case "/large":
			_, _ = io.WriteString(w, strings.Repeat("x", 1<<20+1))
		case "/elsewhere":
			http.Redirect(w, r, "/", http.StatusFound)
		case "/fault":
			w.WriteHeader(http.StatusBadGateway)
		default:
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, r.Method+" "+r.Header.Get("Authorization")+" "+r.Header.Get("User-Agent")+" "+string(body))
		}
	}))
	t.Cleanup(server.Close)
	client := outbound.New(outbound.Options{Trusted: true}).HTTPClient("a tenant")
	send := func(method, path, body string) (*http.Response, string, error) {
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth("laurel", "s3cret")
		response, err := client.Do(r)
		if err != nil {
			return nil, "", err
		}
		defer func() { _ = response.Body.Close() }()
		text, err := io.ReadAll(response.Body)
		return response, string(text), err
	}
	response, text, err := send("POST", "/", "code=1")
	if err != nil || response.StatusCode != http.StatusTeapot || text != "POST Basic bGF1cmVsOnMzY3JldA== laurel code=1" ||
		response.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("%v, %s, %v", response, text, err)
	}
	if response, _, err := send("GET", "/elsewhere", ""); err != nil || response.StatusCode != http.StatusFound {
		t.Errorf("a redirect: %v, %v", response, err)
	}
	var fault *outbound.Fault
	if _, _, err := send("GET", "/large", ""); !errors.As(err, &fault) || fault.Kind() != outbound.KindInvalidResponse {
		t.Errorf("a large answer: %v", err)
	}
	for range 5 {
		if _, _, err := send("GET", "/fault?code=s3cret", ""); !errors.As(err, &fault) || fault.Status != 502 ||
			strings.Contains(outbound.Redact(err).Error(), "s3cret") {
			t.Errorf("a fault: %v", err)
		}
	}
	before := calls
	if _, _, err := send("GET", "/", ""); !errors.As(err, &fault) || fault.Kind() != outbound.KindCircuitOpen || calls != before {
		t.Errorf("after five faults: %v", err)
	}
	guarded := outbound.New(outbound.Options{}).HTTPClient("a tenant")
	if response, err := guarded.Get(server.URL); !errors.As(err, &fault) || fault.Kind() != outbound.KindNotAllowed {
		t.Errorf("a private address: %v, %v", response, err)
	}
}
