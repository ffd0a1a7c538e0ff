package main_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"laurel.example/laurel/internal/dev/wait"
)

var (
	keyShown  = regexp.MustCompile(`Signing key for this session: (whsec_\S+)`)
	listening = regexp.MustCompile(`(Stop with Ctrl-C)`)
)

func TestListenPrintsAndHandsOnWhatHappens(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		flags []string
		says  string
	}{
		"from a server that calls it":       {[]string{"--dev"}, "their signatures are verified"},
		"from a server that cannot call it": {nil, "events are polled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database := "sqlite:" + t.TempDir() + "/laurel.db"
			made := initProgram(t, database)
			s := serve(t, database, c.flags...)
			site := s.site(made)
			type call struct {
				header http.Header
				body   []byte
			}
			var mu sync.Mutex
			var calls []call
			program := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				mu.Lock()
				defer mu.Unlock()
				calls = append(calls, call{r.Header.Clone(), body})
				w.WriteHeader(http.StatusNoContent)
			}))
			t.Cleanup(program.Close)
			l := start(t, listening, nil, "listen", "--url", s.address, "--key", made.WebsiteAPIKey,
				"--forward-to", program.URL, "--tables", "LoyaltyTransactionEntry")
			if !strings.Contains(l.out.String(), c.says) {
				t.Errorf("printed %s", l.out)
			}
			rule := site.rule("unlimited")
			site.post(completion(rule), object{"walletAddress": walletOf(1)}).ok(t)
			wait.Until(t, "the event is printed with what became of it", func() bool {
				return strings.Contains(l.out.String(), program.URL+": 204")
			})
			verifier, err := standard.NewWebhook(keyShown.FindStringSubmatch(l.out.String())[1])
			if err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			if len(calls) != 1 || verifier.Verify(calls[0].body, calls[0].header) != nil ||
				!strings.Contains(string(calls[0].body), `"type":"LoyaltyTransactionEntry.created"`) {
				t.Errorf("%d calls: %v", len(calls), calls)
			}
			mu.Unlock()
			if status := l.stop(syscall.SIGINT); status != 0 {
				t.Errorf("status %d: %s", status, l.out)
			}
			if body := site.get("/api/stratus/subscriptions").ok(t); len(body["data"].([]any)) != 0 {
				t.Errorf("left behind: %v", body)
			}
		})
	}
}
