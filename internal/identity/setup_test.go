package identity_test

import (
	"context"
	"fmt"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

// place is one website of its own organization on a database, with the service over it.
type place struct {
	*testing.T
	db      *store.DB
	service *identity.Service
	scope   laurel.Scope                                          // of a secret key
	heeds   func(tx *store.Tx, what string, user laurel.ID) error // what hooks tell; nil: nobody listens
}

var ctx = context.Background()

// each runs the test in a place on each engine.
func each(t *testing.T, f func(p *place)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, db *store.DB) { f(newPlace(t, db, identity.Options{})) })
}

func newPlace(t *testing.T, db *store.DB, o identity.Options) *place {
	t.Helper()
	v, err := vault.New(db.Random, []byte("a key that is long enough for it"))
	if err != nil {
		t.Fatal(err)
	}
	p := &place{T: t, db: db}
	o.Follower = follower{p}
	p.service = identity.New(db, v, o)
	p.scope = p.website(p.organization())
	return p
}

// follower passes on what becomes of members to the test that heeds it.
type follower struct{ *place }

func (f follower) note(tx *store.Tx, what string, user laurel.ID) error {
	if f.heeds == nil {
		return nil
	}
	return f.heeds(tx, what, user)
}

func (f follower) Blocked(_ context.Context, tx *store.Tx, _, user laurel.ID, blocked bool) error {
	return f.note(tx, fmt.Sprintf("blocked=%v", blocked), user)
}

func (f follower) Joined(_ context.Context, tx *store.Tx, _, user, _ laurel.ID) error {
	return f.note(tx, "joined", user)
}

func (f follower) Disconnected(_ context.Context, tx *store.Tx, _ laurel.Scope, user laurel.ID, _ string) error {
	return f.note(tx, "disconnected", user)
}

func (f follower) Moved(_ context.Context, tx *store.Tx, _ laurel.Scope, holder laurel.ID, _ string) error {
	return f.note(tx, "moved", holder)
}

func (f follower) Left(_ context.Context, tx *store.Tx, _, user, _ laurel.ID) error {
	return f.note(tx, "left", user)
}

func (p *place) organization() laurel.ID {
	p.Helper()
	id := p.db.NewID()
	p.exec("INSERT INTO organizations (id, name, created_at, updated_at) VALUES (?, 'o', 1, 1)", id)
	return id
}

func (p *place) website(organization laurel.ID) laurel.Scope {
	p.Helper()
	id := p.db.NewID()
	p.exec(
		"INSERT INTO websites (id, organization_id, name, trust_client_users, created_at, updated_at) VALUES (?, ?, 'w', false, 1, 1)",
		id,
		organization,
	)
	return laurel.Scope{OrganizationID: organization, WebsiteID: id, Role: laurel.RoleWebsite}
}

func (p *place) exec(query string, args ...any) {
	p.Helper()
	err := p.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
}

func (p *place) count(query string, args ...any) int {
	p.Helper()
	var n int
	if err := p.db.Get(ctx, &n, query, args...); err != nil {
		p.Fatal(err)
	}
	return n
}

// refuses fails the test unless err has the code and the text.
func (p *place) refuses(err error, code laurel.Code, message string) {
	p.Helper()
	if err == nil || laurel.CodeOf(err) != code || err.Error() != message {
		p.Errorf("answered %v (code %d), want %q (code %d)", err, laurel.CodeOf(err), message, code)
	}
}

func (p *place) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// resolve reads a person outside a transaction.
func (p *place) resolve(ref identity.Ref) identity.Person {
	p.Helper()
	person, err := p.service.Resolve(ctx, p.db, p.scope, ref)
	p.must(err)
	return person
}

// visit is a Work that does nothing but admit a person.
type visit struct {
	person identity.Person
	scope  laurel.Scope
}

func (v visit) Locks() []store.Lock        { return v.person.Locks() }
func (v visit) Judge(b *store.Batch) error { return v.person.Admit(b, v.scope) }

// admit writes a person in a transaction of its own.
func (p *place) admit(person identity.Person) error {
	return p.db.InTx(ctx, func(tx *store.Tx) error { return store.Run(ctx, tx, visit{person, p.scope}) })
}

// user makes a member with the wallet.
func (p *place) user(wallet string) laurel.ID {
	p.Helper()
	person := p.resolve(identity.Ref{Wallet: wallet})
	p.must(p.admit(person))
	return person.UserID
}
