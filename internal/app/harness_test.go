package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// TestMain lets memory grow, of which hundreds of short servers leave much behind: collecting it often took a third of
// the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(8 << 30)
	os.Exit(m.Run())
}

// server is one running Laurel with one program, driven over HTTP as a client would.
type server struct {
	app.Program
	t     testing.TB
	app   *app.App
	http  *httptest.Server
	clock *clock
	// folder holds the uploaded files.
	folder string
}

// clock is a clock that tests set. It stands still otherwise, so windows end only when a test says so.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	looks func() bool
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	c.now = c.now.Add(time.Millisecond) // two things never happen at once
	now, looks := c.now, c.looks
	c.looks = nil
	c.mu.Unlock()
	if looks != nil && looks() {
		c.onReading(looks)
	}
	return now
}

// onReading has f called whenever the clock is read, as every transaction does when it begins, until it returns false.
// What f itself asks for does not call it again.
func (c *clock) onReading(f func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks = f
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = at
}

func (c *clock) advance(d time.Duration) { c.set(c.Now().Add(d)) }

// noon is when tests begin: a Wednesday.
var noon = time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)

// each runs the test on a fresh server on each engine. Rate limits are off.
func each(t *testing.T, f func(t *testing.T, s *server)) {
	t.Helper()
	eachWith(t, app.Config{NoRateLimits: true}, f)
}

func eachWith(t *testing.T, config app.Config, f func(t *testing.T, s *server)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		f(t, openAtNoon(t, address, config))
	})
}

// openAtNoon starts a server with a clock of its own.
func openAtNoon(t testing.TB, address string, config app.Config) *server {
	t.Helper()
	c := &clock{now: noon}
	config.Now = c.Now
	s := open(t, address, config)
	s.clock = c
	return s
}

// open starts a server on the database and makes a program.
func open(t testing.TB, address string, config app.Config) *server {
	t.Helper()
	config.Database = address
	config.TxLimit = storetest.TxLimit
	if config.DataDir == "" {
		config.DataDir = t.TempDir()
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	a, err := app.Open(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	h := httptest.NewServer(a.Handler)
	t.Cleanup(h.Close)
	s := &server{t: t, app: a, http: h, folder: config.DataDir}
	s.Program = s.program("Acme")
	return s
}

// program makes a further organization with its own website, currency and keys.
func (s *server) program(name string) app.Program {
	s.t.Helper()
	p, err := s.app.CreateProgram(
		context.Background(),
		app.ProgramInput{Organization: name, Website: name + " site", Currency: name + " points"},
	)
	if err != nil {
		s.t.Fatal(err)
	}
	return p
}

// answer is what came back.
type answer struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

// object is a JSON object.
type object = map[string]any

// call sends a request. body may be nil, a string sent as it is, or anything that encodes to JSON.
func (s *server) call(key, method, path string, body any, headers ...string) answer {
	s.t.Helper()
	var sent []byte
	switch b := body.(type) {
	case nil:
	case string:
		sent = []byte(b)
	default:
		var err error
		if sent, err = json.Marshal(b); err != nil {
			s.t.Fatal(err)
		}
	}
	r, err := http.NewRequestWithContext(context.Background(), method, s.http.URL+path, bytes.NewReader(sent))
	if err != nil {
		s.t.Fatal(err)
	}
	if len(sent) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("X-API-KEY", key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	out := answer{s.t, res.StatusCode, res.Header, strings.TrimSpace(string(text))}
	s.fits(method, path, out)
	return out
}

// get and post use the website key.
func (s *server) get(path string) answer {
	s.t.Helper()
	return s.call(s.WebsiteAPIKey, http.MethodGet, path, nil)
}

func (s *server) post(path string, body any) answer {
	s.t.Helper()
	return s.call(s.WebsiteAPIKey, http.MethodPost, path, body)
}

// ok demands 200 and returns the decoded object. Numbers are json.Number, so that amounts are compared exactly.
func (a answer) ok() object {
	a.t.Helper()
	if a.status != http.StatusOK {
		a.t.Fatalf("status %d: %s", a.status, a.body)
	}
	return a.json()
}

func (a answer) json() object {
	a.t.Helper()
	d := json.NewDecoder(strings.NewReader(a.body))
	d.UseNumber()
	var o object
	if err := d.Decode(&o); err != nil {
		a.t.Fatalf("%v: %s", err, a.body)
	}
	return o
}

// data returns the items of a list.
func (a answer) data() []object {
	a.t.Helper()
	var out []object
	for _, item := range a.ok()["data"].([]any) {
		out = append(out, item.(object))
	}
	return out
}

// refused demands a status and the exact message.
func (a answer) refused(status int, message string) object {
	a.t.Helper()
	o := a.json()
	if a.status != status || o["message"] != message {
		a.t.Fatalf("got %d %s, want %d %q", a.status, a.body, status, message)
	}
	return o
}

// rule makes a rule of the program's currency and returns its id. The properties come over name, type and amount.
func (s *server) rule(kind string, properties object) string {
	s.t.Helper()
	body := object{"name": "A " + kind, "type": kind, "amount": 10}
	for k, v := range properties {
		body[k] = v
	}
	return s.post("/api/loyalty/rules", body).ok()["id"].(string)
}

// complete calls a completion with the website key.
func (s *server) complete(rule string, body object) answer {
	s.t.Helper()
	return s.post("/api/loyalty/rules/"+rule+"/complete", body)
}

// balance returns the amount of a wallet's account in the program's currency; "" without an account.
func (s *server) balance(wallet string) string {
	s.t.Helper()
	list := s.get("/api/loyalty/accounts?walletAddress=" + wallet + "&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).
		data()
	if len(list) == 0 {
		return ""
	}
	return list[0]["amount"].(json.Number).String()
}

// beside runs workers until they are stopped, which waits for their end.
func beside(workers ...func(ctx context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, work := range workers {
		running.Go(func() { work(ctx) })
	}
	return func() {
		cancel()
		running.Wait()
	}
}

// waits gives workers twenty seconds until the condition holds. The clock stands still between the things that they do.
func (s *server) waits(until func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !until(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatal("the workers did not do it in twenty seconds")
		}
	}
}
