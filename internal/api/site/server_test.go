package site_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel"
	"laurel/internal/api/caller"
	"laurel/internal/api/rest"
	"laurel/internal/api/site"
	"laurel/internal/dev/storetest"
	"laurel/internal/identity"
	"laurel/internal/store"
	"laurel/internal/tenancy"
	"laurel/internal/vault"
)

// server serves the operations on websites, with an organization of two websites and one of another organization.
type server struct {
	*testing.T
	tenancy *tenancy.Service
	handler http.Handler

	org, foreign laurel.Scope // organizations
	site, other  laurel.ID    // their websites
	keys         map[string]string
	foreignKey   string
}

// eachServer runs the test against a server on each engine.
func eachServer(t *testing.T, f func(s *server)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		secrets, err := vault.New(db.Random, []byte("a key that is long enough for it"))
		must(t, err)
		s := &server{T: t, keys: map[string]string{}}
		s.tenancy = tenancy.New(tenancy.Config{DB: db, Users: identity.New(db, secrets, identity.Options{})})
		o := site.New(site.Config{Caller: &caller.Resolver{Tenancy: s.tenancy}, Tenancy: s.tenancy})
		s.handler, err = rest.New(t.Context(), rest.Config{
			Tenancy:  s.tenancy,
			Now:      db.Now,
			NewID:    db.NewID,
			Deadline: func(d time.Duration) time.Time { return time.Now().Add(d) },
			Logger:   slog.New(slog.DiscardHandler),
		}, []rest.Operation{
			rest.Get("/api/websites", "OWR", "List websites", o.ListWebsites),
			rest.Post("/api/websites", "O", "Create a website", o.CreateWebsite),
		}, nil)
		must(t, err)
		s.org, s.site = s.organization()
		s.website(s.org)
		s.foreign, s.other = s.organization()
		s.keys["O"] = s.key(s.org, laurel.RoleOrganization, laurel.ID{})
		s.keys["R"] = s.key(s.org, laurel.RoleReadOnly, s.site)
		s.foreignKey = s.key(s.foreign, laurel.RoleOrganization, laurel.ID{})
		f(s)
	})
}

func (s *server) organization() (laurel.Scope, laurel.ID) {
	s.Helper()
	org, err := s.tenancy.CreateOrganization(context.Background(), "an organization")
	must(s.T, err)
	scope := laurel.Scope{OrganizationID: org.ID, Role: laurel.RoleOrganization}
	return scope, s.website(scope)
}

func (s *server) website(scope laurel.Scope) laurel.ID {
	s.Helper()
	made, err := s.tenancy.CreateWebsite(context.Background(), scope, tenancy.CreateWebsiteInput{Name: "a website"})
	must(s.T, err)
	return made.ID
}

func (s *server) key(scope laurel.Scope, role laurel.Role, website laurel.ID) string {
	s.Helper()
	key, err := s.tenancy.CreateKey(context.Background(), scope,
		tenancy.CreateKeyInput{Role: role, Name: "a key", WebsiteID: website})
	must(s.T, err)
	return key.Key
}

type reply struct {
	status int
	body   string
}

// do sends a request with the key of a letter, or a whole key.
func (s *server) do(method, key, path, body string) reply {
	s.Helper()
	r := httptest.NewRequestWithContext(s.Context(), method, path, strings.NewReader(body))
	if whole, ok := s.keys[key]; ok {
		key = whole
	}
	r.Header.Set("X-API-KEY", key)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	text, err := io.ReadAll(w.Body)
	must(s.T, err)
	return reply{status: w.Code, body: string(text)}
}

func (s *server) get(key, path string) reply { return s.do(http.MethodGet, key, path, "") }

func (s *server) post(key, path, body string) reply { return s.do(http.MethodPost, key, path, body) }

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
