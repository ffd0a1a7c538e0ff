// Package apptest runs a server for tests: on a database of each engine, with a program and a clock of its own, driven
// over HTTP as a client would. It is imported by tests only. Here stands what the tests of several packages share; what
// one package alone needs stands beside its tests.
package apptest

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/storetest"
)

// Server is one running Laurel with one program, driven over HTTP as a client would.
type Server struct {
	app.Program
	T     testing.TB
	App   *app.App
	HTTP  *httptest.Server
	Clock *Clock
	// Folder holds the uploaded files.
	Folder string
}

// Noon is when tests begin: a Wednesday.
var Noon = time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)

// init lets a test binary be the program that the sandbox starts to run functions.
func init() { //nolint:gochecknoinits // every test binary with a server needs it, before it reads its flags
	if app.IsFunctionsChild(os.Args) {
		os.Exit(app.RunFunctions())
	}
}

// Each runs the test on a fresh server on each engine. Rate limits are off, and messages lie in the outbox.
func Each(t *testing.T, f func(t *testing.T, s *Server)) {
	t.Helper()
	EachWith(t, app.Config{NoRateLimits: true, Outbox: true}, f)
}

// EachWith is Each with a configuration.
func EachWith(t *testing.T, config app.Config, f func(t *testing.T, s *Server)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		f(t, OpenAtNoon(t, address, config))
	})
}

// OpenAtNoon starts a server on a database with a clock of its own, which shows Noon.
func OpenAtNoon(t testing.TB, address string, config app.Config) *Server {
	t.Helper()
	c := &Clock{now: Noon}
	config.Now = c.Now
	s := Open(t, address, config)
	s.Clock = c
	return s
}

// letMemoryGrow makes the garbage collector run seldom. Hundreds of short servers leave much behind, and collecting it
// often took a third of the time.
var letMemoryGrow = sync.OnceFunc(func() {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(8 << 30)
})

// unansweredDrivers configures drivers whose provider never answers. A server without an identity file gets them.
const unansweredDrivers = `{"platforms": [
	{"platform": "code_host", "kind": "oauth2", "clientId": "laurel", "authorizeUrl": "http://127.0.0.1:9/authorize",
		"tokenUrl": "http://127.0.0.1:9/token", "userInfoUrl": "http://127.0.0.1:9/me", "mapping": {"id": "id"}},
	{"platform": "photo_platform", "kind": "profile_proof", "userInfoUrl": "http://127.0.0.1:9/{name}",
		"mapping": {"id": "id", "text": "text"}}
]}`

// Open starts a server on a database and creates a program. The server ends with the test.
func Open(t testing.TB, address string, config app.Config) *Server {
	t.Helper()
	letMemoryGrow()
	config.Database = address
	config.TxLimit, config.RerunBatches = storetest.TxLimit, storetest.RunsBatchesTwice(t)
	config.QuickPasswords = true
	if config.DataDir == "" {
		config.DataDir = t.TempDir()
	}
	if config.Identity == "" {
		config.Identity = filepath.Join(t.TempDir(), "identity.json")
		if err := os.WriteFile(config.Identity, []byte(unansweredDrivers), 0o600); err != nil {
			t.Fatal(err)
		}
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
	h.Client().CheckRedirect = stayHere
	s := &Server{T: t, App: a, HTTP: h, Folder: config.DataDir}
	s.Program = s.NewProgram("Acme")
	return s
}

// stayHere lets a client follow redirects within a server. One that leads elsewhere is the response.
func stayHere(r *http.Request, via []*http.Request) error {
	if r.URL.Host != via[0].URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

// NewProgram creates a further organization with a website, a currency and keys.
func (s *Server) NewProgram(name string) app.Program {
	s.T.Helper()
	p, err := s.App.CreateProgram(
		context.Background(),
		app.ProgramInput{Organization: name, Website: name + " site", Currency: name + " points"},
	)
	if err != nil {
		s.T.Fatal(err)
	}
	return p
}

// Nodes starts two servers on one PostgreSQL database; the keys of the first one are used for both.
func Nodes(t *testing.T) []*Server {
	t.Helper()
	both, _ := NodesWith(t, app.Config{NoRateLimits: true})
	return both
}

// NodesWith starts two servers with a configuration on one PostgreSQL database, and returns them and the address of the
// database. Both show the same clock, and use the program and the keys of the first one.
func NodesWith(t *testing.T, config app.Config) (both []*Server, address string) {
	t.Helper()
	for _, e := range storetest.Engines() {
		if e.Name != "postgres" {
			continue
		}
		address, c := e.URL(t), &Clock{now: Noon}
		config.Now = c.Now
		one, two := Open(t, address, config), Open(t, address, config)
		two.Program, one.Clock, two.Clock = one.Program, c, c
		return []*Server{one, two}, address
	}
	t.Fatal("no PostgreSQL among the engines")
	return nil, ""
}
