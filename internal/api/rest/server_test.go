package rest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/api/websites"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/content/collections"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
	"laurel.example/laurel/internal/vault"
)

// server serves websites and test routes over real parts, with one organization, two websites and a key of each kind.
type server struct {
	*testing.T
	db      *store.DB
	tenancy *tenancy.Service
	handler http.Handler
	address string
	log     *storetest.Log

	org         laurel.Scope
	site, other laurel.ID         // websites of the organization
	keys        map[string]string // by letter: O, W, R, C, S; the website's are of site
	foreign     laurel.Scope      // a website of another organization
	foreignKey  string            // its organization key
}

// parts is the health of a server's parts. They are well unless a test sets a field.
type parts struct {
	db              *store.DB
	down            error // of the database
	database, files error // why they cannot be written
	hangs           bool  // the folder of files takes for ever
	readers         []rest.FailingReader
	readersFault    error
	seals           rest.SealState
	sealsFault      error
	networks        []rest.NetworkState
	pings           atomic.Int64
}

func (p *parts) Networks(context.Context) []rest.NetworkState { return p.networks }

func (p *parts) Ping(ctx context.Context) error {
	p.pings.Add(1)
	if p.down != nil {
		return p.down
	}
	return p.db.Ping(ctx)
}

func (p *parts) Writable(ctx context.Context) (database, files error) {
	if p.hangs {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return p.database, p.files
}

func (p *parts) FailingReaders(ctx context.Context) ([]rest.FailingReader, error) {
	return p.readers, cmp.Or(p.readersFault, ctx.Err())
}

func (p *parts) SealState(ctx context.Context) (rest.SealState, error) {
	return p.seals, cmp.Or(p.sealsFault, ctx.Err())
}

// The checks of /readyz, by default.
const (
	feedOK    = `{"status":"ok","failing":[]}`
	sealerNew = `{"status":"starting","lagEntries":0,"lagSeconds":0,"lastBlockAt":null}`
	allOK     = `{"status":"ok","checks":{"database":"ok","files":"ok","sealer":` + sealerNew + `,"feed":` + feedOK + `}}`
)

// eachServer runs the test against a server on each engine; change may adjust its configuration.
func eachServer(t *testing.T, change func(*rest.Config), f func(s *server)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, db *store.DB) { f(newServer(t, db, change)) })
}

func newServer(t *testing.T, db *store.DB, change func(*rest.Config)) *server {
	t.Helper()
	secrets, err := vault.New(db.Random, []byte("a key that is long enough for it"))
	must(t, err)
	s := &server{T: t, db: db, keys: map[string]string{}, log: &storetest.Log{}}
	s.tenancy = tenancy.New(tenancy.Config{DB: db, Users: identity.New(db, secrets, identity.Options{})})
	cfg := rest.Config{
		Tenancy:  s.tenancy,
		Now:      db.Now,
		NewID:    db.NewID,
		Health:   &parts{db: db},
		Deadline: func(d time.Duration) time.Time { return time.Now().Add(d) },
		Logger:   slog.New(slog.NewTextHandler(s.log, nil)),
	}
	if change != nil {
		change(&cfg)
	}
	websites := websites.New(websites.Config{
		Caller: &caller.Resolver{Tenancy: s.tenancy}, Tenancy: s.tenancy, Collections: collections.New(db),
		Minting: minting.New(minting.Config{DB: db}),
	})
	s.handler, err = rest.NewTest(cfg, []rest.Operation{
		rest.Get("/api/websites", "OWR", "List websites", websites.ListWebsites),
		rest.Post("/api/websites", "O", "Create a website", websites.CreateWebsite),
	})
	must(t, err)
	running := httptest.NewServer(s.handler)
	t.Cleanup(running.Close)
	s.address = running.URL

	s.org, s.site = s.organization()
	s.foreign, s.foreign.WebsiteID = s.organization()
	s.other = s.website(s.org)
	for letter, role := range map[string]laurel.Role{
		"O": laurel.RoleOrganization, "W": laurel.RoleWebsite, "R": laurel.RoleReadOnly, "C": laurel.RoleClient, "S": laurel.RoleFunction,
	} {
		s.keys[letter] = s.key(s.org, role, s.site)
	}
	s.foreignKey = s.key(s.foreign, laurel.RoleOrganization, laurel.ID{})
	return s
}

func (s *server) organization() (laurel.Scope, laurel.ID) {
	s.Helper()
	org, err := s.tenancy.CreateOrganization(context.Background(), nil, "an organization")
	must(s.T, err)
	scope := laurel.Scope{OrganizationID: org.ID, Role: laurel.RoleOrganization}
	return scope, s.website(scope)
}

func (s *server) website(scope laurel.Scope) laurel.ID {
	s.Helper()
	site, err := s.tenancy.CreateWebsite(context.Background(), scope, tenancy.CreateWebsiteInput{Name: "a website"})
	must(s.T, err)
	return site.ID
}

func (s *server) key(scope laurel.Scope, role laurel.Role, site laurel.ID, origins ...string) string {
	s.Helper()
	in := tenancy.CreateKeyInput{Role: role, Name: "a key", AllowedOrigins: origins}
	if role != laurel.RoleOrganization {
		in.WebsiteID = site
	}
	key, err := s.tenancy.CreateKey(
		context.Background(),
		laurel.Scope{OrganizationID: scope.OrganizationID, Role: laurel.RoleOrganization},
		in,
	)
	must(s.T, err)
	return key.Key
}

// call is one request. Headers are "Name: value"; an empty value removes a header that is usual.
type call struct {
	method, path, body string
	key                string // a letter of server.keys, or a whole key
	headers            []string
}

type reply struct {
	status int
	header http.Header
	body   string
}

func (s *server) do(c call) reply {
	s.Helper()
	r, err := http.NewRequestWithContext(context.Background(), c.method, s.address+c.path, strings.NewReader(c.body))
	must(s.T, err)
	key := c.key
	if whole, ok := s.keys[key]; ok {
		key = whole
	}
	if key != "" {
		r.Header.Set("X-API-KEY", key)
	}
	if c.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range c.headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
		if value == "" {
			r.Header.Del(name)
		}
	}
	answered, err := http.DefaultTransport.RoundTrip(r)
	must(s.T, err)
	defer func() { _ = answered.Body.Close() }()
	body, err := io.ReadAll(answered.Body)
	must(s.T, err)
	return reply{status: answered.StatusCode, header: answered.Header, body: strings.TrimSuffix(string(body), "\n")}
}

func (s *server) get(key, path string) reply { return s.do(call{method: "GET", path: path, key: key}) }

func (s *server) post(key, path, body string) reply {
	return s.do(call{method: "POST", path: path, key: key, body: body})
}

// refused checks status and message of a refusal.
func (s *server) refused(r reply, status int, message string) {
	s.Helper()
	var body struct{ Message string }
	if r.status != status || json.Unmarshal([]byte(r.body), &body) != nil || body.Message != message {
		s.Errorf("got %d %s, want %d with message %q", r.status, r.body, status, message)
	}
}

// read decodes the body of a success.
func read[T any](s *server, r reply) T {
	s.Helper()
	var v T
	if r.status >= 300 {
		s.Fatalf("got %d %s", r.status, r.body)
	}
	if err := json.Unmarshal([]byte(r.body), &v); err != nil {
		s.Fatalf("%s: %v", r.body, err)
	}
	return v
}

func (s *server) equal(got, want string) {
	s.Helper()
	if got != want {
		s.Errorf("\n got %s\nwant %s", got, want)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// limits of a long window, so that a slow test does not see it end.
func limits(secret, client, failed int) func(*rest.Config) {
	return func(c *rest.Config) {
		c.Limits = rest.Limits{
			Secret:     rest.Limit{Requests: secret, Window: time.Hour},
			Client:     rest.Limit{Requests: client, Window: time.Hour},
			FailedKeys: rest.Limit{Requests: failed, Window: time.Hour},
		}
	}
}
