package laurel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	laurel "laurel.example/laurel/clients/go"
)

// server is a server that returns what a test has prepared, and stores what it was sent.
type server struct {
	mu       sync.Mutex
	requests []*http.Request
	respond  func(w http.ResponseWriter, attempt int)
}

func serve(t *testing.T, respond func(w http.ResponseWriter, attempt int)) (*server, *laurel.Client) {
	t.Helper()
	s := &server{respond: respond}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests = append(s.requests, r)
		s.respond(w, len(s.requests))
	}))
	t.Cleanup(web.Close)
	client := laurel.NewWith(laurel.Settings{
		BaseURL: web.URL + "/", APIKey: "key", RetryWait: time.Millisecond, Retries: 2, MaxRetryAfter: 2 * time.Second,
	})
	return s, client
}

func hangUp(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

func status(code int, header ...string) func(w http.ResponseWriter, attempt int) {
	return func(w http.ResponseWriter, attempt int) {
		if attempt == 3 {
			_, _ = w.Write([]byte(`{"amount": 1}`))
			return
		}
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte(`{"message": "Not now", "code": "too_many_requests"}`))
	}
}

func TestReadsAndKeyedWritesAreSentAgain(t *testing.T) {
	t.Parallel()
	read := func(c *laurel.Client) error {
		_, err := c.Users.Get(t.Context(), "a", laurel.UsersGetParams{})
		return err
	}
	write := func(c *laurel.Client) error {
		_, err := c.Rules.Complete(t.Context(), "a", laurel.CompleteRuleInputBody{})
		return err
	}
	remove := func(c *laurel.Client) error {
		_, err := c.Rules.Delete(t.Context(), "a", laurel.RulesDeleteParams{})
		return err
	}
	for name, one := range map[string]struct {
		respond func(w http.ResponseWriter, attempt int)
		call    func(c *laurel.Client) error
		want    int
	}{
		"a read after 503":             {status(503), read, 3},
		"a write after 429":            {status(429, "Retry-After", "0"), write, 3},
		"a write after a lost line":    {func(w http.ResponseWriter, attempt int) { lost(w, attempt) }, write, 3},
		"a removal after 503":          {status(503), remove, 1},
		"a refused read":               {status(400), read, 1},
		"a write after 500":            {status(500), write, 3},
		"a read after 504":             {status(504), read, 3},
		"a write after 408":            {status(408), write, 3},
		"a write after 409":            {status(409), write, 3},
		"a refused write":              {status(403), write, 1},
		"a pause that is far too long": {status(429, "Retry-After", "60"), read, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, client := serve(t, one.respond)
			err := one.call(client)
			if len(s.requests) != one.want || (err == nil) != (one.want == 3) {
				t.Errorf("%d requests, want %d: %v", len(s.requests), one.want, err)
			}
			keys := map[string]bool{}
			for _, r := range s.requests {
				keys[r.Header.Get("Idempotency-Key")] = true
			}
			if len(keys) != 1 || keys[""] == strings.Contains(name, "write") {
				t.Errorf("the keys of the attempts are %v", keys)
			}
		})
	}
}

func lost(w http.ResponseWriter, attempt int) {
	if attempt < 3 {
		hangUp(w)
		return
	}
	status(0)(w, attempt)
}

func TestRetryAfterIsHeeded(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	_, client := serve(t, func(w http.ResponseWriter, attempt int) { status(429, "Retry-After", "1")(w, attempt+1) })
	if _, err := client.Users.Get(t.Context(), "a", laurel.UsersGetParams{}); err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(begun); waited < time.Second {
		t.Errorf("the retry came after %v", waited)
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, client := serve(t, status(503, "Retry-After", "1"))
	if _, err := client.Users.Get(ctx, "a", laurel.UsersGetParams{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestRequestsHaveWhatTheCallSays(t *testing.T) {
	t.Parallel()
	s, client := serve(t, func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte(`{}`)) })
	_, err := client.As("token").TransactionEntries.List(t.Context(), laurel.TransactionEntriesListParams{
		UserID: []string{""}, WalletAddress: []string{"a&b", "c"}, Limit: 5,
		CreatedAtStart: time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)),
	}, laurel.Strict())
	if err != nil {
		t.Fatal(err)
	}
	r := s.requests[0]
	want := "createdAtStart=2026-01-02T02%3A04%3A05Z&limit=5&userId=&walletAddress=a%26b&walletAddress=c"
	if r.URL.RawQuery != want || r.URL.Path != "/api/loyalty/transaction_entries" {
		t.Errorf("got %s?%s, want %s", r.URL.Path, r.URL.RawQuery, want)
	}
	for name, value := range map[string]string{
		"X-API-KEY": "key", "Authorization": "Bearer token", "Prefer": "handling=strict", "Idempotency-Key": "", "Content-Type": "",
	} {
		if got := r.Header.Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	if _, err := client.Rules.Update(t.Context(), "a/b", laurel.WriteRuleBody{}); err != nil || s.requests[1].URL.EscapedPath() != "/api/loyalty/rules/a%2Fb" {
		t.Errorf("%s: %v", s.requests[1].URL.EscapedPath(), err)
	}
}

func TestARedirectIsAnError(t *testing.T) {
	t.Parallel()
	other, _ := serve(t, func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte(`{"id": "a"}`)) })
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		other.mu.Lock()
		defer other.mu.Unlock()
		other.requests = append(other.requests, r)
	}))
	t.Cleanup(elsewhere.Close)
	for _, code := range []int{301, 302, 307, 308} {
		s, client := serve(t, func(w http.ResponseWriter, _ int) {
			w.Header().Set("Location", elsewhere.URL)
			w.WriteHeader(code)
		})
		for _, c := range []*laurel.Client{client, client.As("token")} {
			_, err := c.Rules.Create(t.Context(), laurel.CreateRuleBody{})
			var e *laurel.Error
			if !errors.As(err, &e) || e.Status != code || !strings.Contains(e.Message, "to "+elsewhere.URL) {
				t.Errorf("%d: %v", code, err)
			}
		}
		if len(s.requests) != 2 {
			t.Errorf("%d: %d requests", code, len(s.requests))
		}
	}
	if len(other.requests) != 0 {
		t.Errorf("the other server has the key %s", other.requests[0].Header.Get("X-API-KEY"))
	}
}

func TestAConnectionIsStartedWithoutARedirect(t *testing.T) {
	t.Parallel()
	s, client := serve(t, func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte(`{"url": "https://a.example"}`)) })
	flow, err := client.Connections.Start(t.Context(), "email", laurel.ConnectionsStartParams{})
	if err != nil || flow.URL != "https://a.example" || s.requests[0].URL.RawQuery != "responseType=json" {
		t.Errorf("%+v, %v", flow, err)
	}
}

func TestIDsThatLeadToAnotherPathAreRefused(t *testing.T) {
	t.Parallel()
	s, client := serve(t, func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte(`{}`)) })
	for id, want := range map[string]string{
		"": "POST /api/loyalty/rules/{id}: id is empty", ".": `id is "."`, "..": `id is ".."`,
	} {
		if _, err := client.Rules.Update(t.Context(), id, laurel.WriteRuleBody{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", id, err, want)
		}
	}
	if _, err := client.Rules.Update(t.Context(), "{id}..", laurel.WriteRuleBody{}); err != nil {
		t.Error(err)
	}
	if len(s.requests) != 1 || s.requests[0].URL.Path != "/api/loyalty/rules/{id}.." {
		t.Errorf("%d requests", len(s.requests))
	}
}

func TestAddressesOfServersAreChecked(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"": "must be an address", "loyalty.example": "must be an address", "ftp://a.example": "must be an address",
		"https://loyalty.example/api/": "leave out /api",
	} {
		_, err := laurel.New(address, "key").Users.Me(t.Context(), laurel.UsersMeParams{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
}

func TestItemsAreLeftOutOnceOnly(t *testing.T) {
	t.Parallel()
	s, client := serve(t, func(w http.ResponseWriter, attempt int) {
		_, _ = fmt.Fprintf(w, `{"data": [{"id": "bid-%d"}], "hasNextPage": %t}`, attempt, attempt < 3)
	})
	for _, err := range client.AuctionBids.All(t.Context(), laurel.AuctionBidsListParams{Skip: 2}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, r := range s.requests {
		got = append(got, r.URL.RawQuery)
	}
	if want := "skip=2 startingAfter=bid-1 startingAfter=bid-2"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestExpiringPointsAreReadPageByPage(t *testing.T) {
	t.Parallel()
	s, client := serve(t, func(w http.ResponseWriter, attempt int) {
		_, _ = fmt.Fprintf(w, `{"data": [{"amount": 1, "expiresAt": "2026-01-0%dT00:00:00Z"}], "hasNextPage": %t}`, attempt, attempt < 2)
	})
	for _, err := range client.Accounts.AllExpiring(t.Context(), "a", laurel.AccountsListExpiringParams{}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(s.requests) != 2 || s.requests[0].URL.RawQuery != "" || s.requests[1].URL.RawQuery != "after=2026-01-01T00%3A00%3A00Z" {
		t.Errorf("%d requests: %s", len(s.requests), s.requests[len(s.requests)-1].URL)
	}
}

func TestFreePropertiesKeepAllDigits(t *testing.T) {
	t.Parallel()
	var got laurel.Optional[map[string]any]
	if err := json.Unmarshal([]byte(`{"id": 12345678901234567890}`), &got); err != nil {
		t.Fatal(err)
	}
	if value, _ := got.Get(); value["id"] != json.Number("12345678901234567890") {
		t.Errorf("got %v", value)
	}
}

func TestALostResponseOfAWriteIsAnError(t *testing.T) {
	t.Parallel()
	_, client := serve(t, func(w http.ResponseWriter, _ int) { _, _ = w.Write([]byte(`{"message":"Already carried out"}`)) })
	_, err := client.Rules.Complete(t.Context(), "a", laurel.CompleteRuleInputBody{})
	if !laurel.HasCode(err, laurel.CodeResponseLost) {
		t.Errorf("got %v", err)
	}
}

func TestAResponseOfAProxyIsAnError(t *testing.T) {
	t.Parallel()
	_, client := serve(t, func(w http.ResponseWriter, _ int) {
		w.WriteHeader(http.StatusBadGateway)
		_, _ = w.Write([]byte("<html>"))
	})
	_, err := client.Users.Get(t.Context(), "a", laurel.UsersGetParams{})
	var e *laurel.Error
	if !errors.As(err, &e) || e.Status != 502 || e.Message != "Bad Gateway" {
		t.Errorf("got %v", err)
	}
}

func TestPropertiesAreAbsentNullOrSet(t *testing.T) {
	t.Parallel()
	for want, body := range map[string]laurel.WriteRuleBody{
		`{}`:                              {},
		`{"amount":0.000001,"name":null}`: {Amount: laurel.Set(laurel.Decimal("0.000001")), Name: laurel.Null[string]()},
		`{"isRequired":false,"name":""}`:  {Name: laurel.Set(""), IsRequired: laurel.Set(false)},
	} {
		got, err := json.Marshal(body)
		if err != nil || string(got) != want {
			t.Errorf("got %s, want %s: %v", got, want, err)
		}
	}
	if _, err := json.Marshal(laurel.TransactionEntry{Amount: "a lot"}); err == nil {
		t.Error("a text is an amount")
	}
	if laurel.Decimal("10").Cmp("9.999999") != 1 || laurel.Decimal("2").Cmp("2.0") != 0 {
		t.Error("decimals are compared as texts")
	}
}

func TestWebhooksAreVerified(t *testing.T) {
	t.Parallel()
	// The example of https://www.standardwebhooks.com.
	const key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	body := `{"test": 2432232314}`
	header := func(edits ...string) http.Header {
		h := http.Header{}
		h.Set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
		h.Set("webhook-timestamp", "1614265330")
		h.Set("webhook-signature", "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
		for i := 0; i < len(edits); i += 2 {
			h.Set(edits[i], edits[i+1])
		}
		return h
	}
	verifier, err := laurel.NewWebhookVerifier("whsec_AAAA", key)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1614265330, 0)
	verifier.Now = func() time.Time { return at }
	if _, err := verifier.Verify([]byte(body), header()); err != nil {
		t.Error(err)
	}
	for name, one := range map[string]struct {
		body   string
		header http.Header
		want   error
	}{
		"another body":   {body + " ", header(), laurel.ErrWebhookSignature},
		"another id":     {body, header("webhook-id", "msg_x"), laurel.ErrWebhookSignature},
		"a later time":   {body, header("webhook-timestamp", "1614265331"), laurel.ErrWebhookSignature},
		"an old time":    {body, header("webhook-timestamp", "1614265029"), laurel.ErrWebhookTime},
		"no signature":   {body, header("webhook-signature", ""), laurel.ErrWebhookHeaders},
		"no time":        {body, header("webhook-timestamp", "now"), laurel.ErrWebhookHeaders},
		"a longer one":   {body, header("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=="), laurel.ErrWebhookSignature},
		"of another way": {body, header("webhook-signature", "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="), laurel.ErrWebhookSignature},
	} {
		if _, err := verifier.Verify([]byte(one.body), one.header); !errors.Is(err, one.want) {
			t.Errorf("%s: %v, want %v", name, err, one.want)
		}
	}
	if _, err := laurel.NewWebhookVerifier("nonsense!"); err == nil {
		t.Error("a text is a key")
	}
	if _, err := laurel.NewWebhookVerifier(); err == nil {
		t.Error("no key is a key")
	}
}
