package tenancy_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
)

// users makes rows as identity does, as far as keys and admins need them.
type users struct{}

func (users) CreateServiceUser(ctx context.Context, tx *store.Tx, org laurel.ID) (laurel.ID, error) {
	return insertUser(ctx, tx, org, nil)
}

func (users) FindOrCreateWallet(ctx context.Context, tx *store.Tx, scope laurel.Scope, wallet string) (laurel.ID, error) {
	wallet = strings.ToLower(wallet)
	var id laurel.ID
	err := tx.Get(
		ctx,
		&id,
		"SELECT id FROM users WHERE organization_id = ? AND wallet_address = ?",
		scope.OrganizationID,
		wallet,
	)
	if store.IsNoRows(err) {
		return insertUser(ctx, tx, scope.OrganizationID, &wallet)
	}
	return id, err
}

func insertUser(ctx context.Context, tx *store.Tx, org laurel.ID, wallet *string) (laurel.ID, error) {
	id, now := tx.NewID(), store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		`INSERT INTO users (id, organization_id, wallet_address, is_platform_super_admin, temporary_loyalty_user, is_service, created_at, updated_at)
		VALUES (?, ?, ?, FALSE, FALSE, ?, ?, ?)`,
		id,
		org,
		wallet,
		wallet == nil,
		now,
		now,
	)
	return id, err
}

// clock stands still until it is moved.
type clock struct{ us atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.us.Store(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).UnixMicro())
	return c
}

func (c *clock) now() time.Time        { return time.UnixMicro(c.us.Load()).UTC() }
func (c *clock) move(by time.Duration) { c.us.Add(by.Microseconds()) }

// node is a process of the service.
type node struct {
	*tenancy.Service
	db *store.DB
}

func newNode(t *testing.T, address string, now func() time.Time) node {
	t.Helper()
	db := storetest.Open(t, address, now)
	return node{tenancy.New(tenancy.Config{DB: db, Users: users{}}), db}
}

// organization returns the scope of a new organization's key.
func (n node) organization(t *testing.T) laurel.Scope {
	t.Helper()
	org, err := n.CreateOrganization(t.Context(), nil, "Harbour Club")
	if err != nil {
		t.Fatal(err)
	}
	return laurel.Scope{OrganizationID: org.ID, Role: laurel.RoleOrganization}
}

func (n node) website(t *testing.T, scope laurel.Scope, name string) tenancy.Website {
	t.Helper()
	site, err := n.CreateWebsite(t.Context(), scope, tenancy.CreateWebsiteInput{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return site
}

func (n node) key(t *testing.T, scope laurel.Scope, role laurel.Role) tenancy.NewAPIKey {
	t.Helper()
	key, err := n.CreateKey(t.Context(), scope, tenancy.CreateKeyInput{Role: role, Name: "a key"})
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// refused fails the test unless err is the refusal with this code and text.
func refused(t *testing.T, err error, code laurel.Code, text string) {
	t.Helper()
	if err == nil || laurel.CodeOf(err) != code || err.Error() != text {
		t.Fatalf("got %v (code %d), want %q (code %d)", err, laurel.CodeOf(err), text, code)
	}
}

// faults fails the test unless err is Invalid and names exactly these messages.
func faults(t *testing.T, err error, want ...string) {
	t.Helper()
	var e *laurel.Error
	if !errors.As(err, &e) || e.Code != laurel.Invalid {
		t.Fatalf("got %v, want the faults %q", err, want)
	}
	var got []string
	for _, f := range e.Faults {
		got = append(got, f.Message)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("faults:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// each runs a test with one node on a database of each engine.
func each(t *testing.T, f func(t *testing.T, n node)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) { f(t, newNode(t, address, nil)) })
}

func ptr[T any](v T) *T { return &v }
