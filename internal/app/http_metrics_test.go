package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/tenancy"
)

func TestRequestsAreCountedByRouteMethodAndStatus(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(object{"amount": 5})
		s.Complete(rule, object{"walletAddress": apptest.Wallet(1)}).OK()
		s.Complete(apptest.UnknownID, object{"walletAddress": apptest.Wallet(1)})
		s.Call(s.WebsiteAPIKey, "GET", "/api/loyalty/rules/", nil).OK()
		s.Call("", "GET", "/api/loyalty/rules?apiKey=hidden", nil)
		s.Call("", "BREW", "/api/loyalty/rules", nil)
		s.Call("", "GET", "/wp-login.php", nil)
		s.Call("", "OPTIONS", "/api/loyalty/rules", nil)
		for _, path := range []string{"/files/none", "/docs/operations", "/docs/api", "/docs/search?q=hidden", "/openapi.json"} {
			s.Fetch(s.HTTP.URL + path)
		}
		admin := s.SignInAdmin(tenancy.RoleAdmin)
		admin.Get(admin.Site("/rules/" + rule))
		text := s.Call("", "GET", "/metrics", nil).Body
		for _, line := range []string{
			`laurel_http_responses_total{method="POST",route="/api/loyalty/rules/{id}/complete",status="200"} 1`,
			`laurel_http_responses_total{method="POST",route="/api/loyalty/rules/{id}/complete",status="404"} 1`,
			`laurel_http_request_duration_seconds_count{method="POST",route="/api/loyalty/rules/{id}/complete"} 2`,
			`laurel_http_responses_total{method="GET",route="/api/loyalty/rules",status="200"} 1`,
			`laurel_http_responses_total{method="GET",route="/api/loyalty/rules",status="403"} 1`,
			`laurel_http_responses_total{method="other",route="other",status="405"} 1`,
			`laurel_http_responses_total{method="GET",route="other",status="404"} 1`,
			`laurel_http_responses_total{method="OPTIONS",route="preflight",status="204"} 1`,
			`laurel_http_responses_total{method="GET",route="/files/{file}",status="404"} 1`,
			`laurel_http_responses_total{method="GET",route="/docs/*",status="200"} 1`,
			`laurel_http_responses_total{method="GET",route="/docs/api",status="200"} 1`,
			`laurel_http_responses_total{method="GET",route="/docs/search",status="200"} 1`,
			`laurel_http_responses_total{method="GET",route="/openapi.json",status="200"} 1`,
			`laurel_http_responses_total{method="GET",route="/admin/{website}/rules/{rule}",status="200"} 1`,
		} {
			if !strings.Contains(text, line+"\n") {
				t.Errorf("%s is missing", line)
			}
		}
		for _, secret := range []string{rule, s.WebsiteID.String(), "hidden", "wp-login", "BREW"} {
			if strings.Contains(text, secret) {
				t.Errorf("the metrics hold %s of a caller", secret)
			}
		}
		if t.Failed() {
			t.Log(strings.Join(regexp.MustCompile(`laurel_http_responses.*`).FindAllString(text, -1), "\n"))
		}
	})
}

// TestMeasuringARequestAllocatesNothing is about the hot path: every request is measured.
func TestMeasuringARequestAllocatesNothing(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts those of others
	o := app.NewObserver()
	served := rest.Served{Method: "POST", Route: "/api/loyalty/rules/{id}/complete", Status: 200, Bytes: 300, RequestID: "1"}
	if n := testing.AllocsPerRun(100, func() { o.End(context.Background(), o.Begin(), served) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkMeasuringARequest(b *testing.B) {
	o := app.NewObserver()
	served := rest.Served{Method: "POST", Route: "/api/loyalty/rules/{id}/complete", Status: 200, Bytes: 300, RequestID: "1"}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			o.End(context.Background(), o.Begin(), served)
		}
	})
}

// fetchText returns the status and the body of an address.
func fetchText(t *testing.T, address string) (int, string) {
	t.Helper()
	res, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestAListenerOfTheirOwnHasTheMetricsOfMembersToo(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		own, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		s := listen(t, address, app.Config{NoRateLimits: true, MetricsListener: own})
		metrics := "http://" + own.Addr().String() + "/metrics"
		rule := s.Free(object{"amount": 10, "interval": "daily"})
		for range 2 {
			s.Complete(rule, object{"walletAddress": apptest.Wallet(1)})
		}
		has := func(lines ...string) bool {
			_, text := fetchText(t, metrics)
			for _, line := range lines {
				if !strings.Contains(text, line) {
					return false
				}
			}
			return true
		}
		s.WaitUntil(func() bool {
			return has(`laurel_points_total{flow="issued"} 10`+"\n", "laurel_completions_total 1\n",
				`laurel_points_total{flow="spent"} 0`+"\n", "laurel_completions_refused_total{check=", "laurel_store_works_total ")
		})
		if _, text := fetchText(t, metrics); strings.Contains(text, s.WebsiteID.String()) || strings.Contains(text, rule) {
			t.Error("the metrics name a tenant or a rule")
		}
		if status, _ := fetchText(t, "http://"+s.host+"/metrics"); status != http.StatusNotFound {
			t.Errorf("the public listener has /metrics, too: %d", status)
		}
		if status, _ := fetchText(t, "http://"+own.Addr().String()+"/api/loyalty/rules"); status != http.StatusNotFound {
			t.Errorf("the listener of metrics serves the API: %d", status)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if conn, err := net.Dial("tcp", own.Addr().String()); err == nil {
			_ = conn.Close()
			t.Error("the listener of metrics outlives the server")
		}
	})
}

func TestStrangersDoNotReadWhatMembersDo(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		text := s.Call("", "GET", "/metrics", nil).Body
		for _, name := range []string{"laurel_points_total", "laurel_completions_total", "laurel_completions_refused_total"} {
			if strings.Contains(text, name) {
				t.Errorf("the public /metrics has %s", name)
			}
		}
	})
}

// lockedBuffer is a log that goroutines write to.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func TestTheAccessLogHoldsNoSecretsOfCallers(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		var log lockedBuffer
		logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Logger: logger})
		s.Free(object{"amount": 1})
		db := apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t}
		db.Exec("ALTER TABLE admin_links RENAME TO admin_links_elsewhere") // so that a page fails
		s.Call(s.WebsiteAPIKey, "GET", "/api/loyalty/rules?search=hidden-query", nil, "X-Request-Id", "id-of-the-call",
			"Authorization", "Bearer hidden-token")
		s.Fetch(s.HTTP.URL + "/admin/link/hidden-link")
		head, err := http.NewRequestWithContext(t.Context(), http.MethodHead, s.HTTP.URL+"/docs/operations", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		head.Header.Set("X-Request-Id", "id-of-the-head")
		response, err := http.DefaultClient.Do(head)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		var found, asked map[string]any
		for line := range strings.Lines(log.String()) {
			var entry map[string]any
			if err := json.Unmarshal([]byte(line), &entry); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if entry["msg"] == "request" && entry["requestId"] == "id-of-the-call" {
				found = entry
			}
			if entry["msg"] == "request" && entry["requestId"] == "id-of-the-head" {
				asked = entry
			}
		}
		if found["method"] != "GET" || found["route"] != "/api/loyalty/rules" || found["status"] != 200.0 ||
			found["bytes"].(float64) < 100 || found["seconds"].(float64) <= 0 || found["level"] != "DEBUG" {
			t.Errorf("the line of the request: %v", found)
		}
		if asked["status"] != 200.0 || asked["bytes"] != 0.0 {
			t.Errorf("the line of a HEAD request: %v", asked)
		}
		if !strings.Contains(log.String(), `"msg":"a page failed"`) ||
			!strings.Contains(log.String(), `"route":"GET /admin/link/{token}"`) {
			t.Errorf("a page did not fail:\n%s", log.String())
		}
		for _, secret := range []string{"hidden-query", "hidden-token", "hidden-link", s.WebsiteAPIKey} {
			if strings.Contains(log.String(), secret) {
				t.Errorf("the log holds %s", secret)
			}
		}
	})
}
