package identity_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

const evmMixed, evmLower = "0xABCDEF0123456789abcdef0123456789ABCDEF01", "0xabcdef0123456789abcdef0123456789abcdef01"

func TestWalletsAreNormalizedByKind(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		evmMixed:              evmLower,
		"0xABCDEF":            "0xABCDEF",
		"0X" + evmMixed[2:]:   "0X" + evmMixed[2:],
		"So1anaLikeAddressXX": "So1anaLikeAddressXX",
		"0xZBCDEF0123456789abcdef0123456789ABCDEF01": "0xZBCDEF0123456789abcdef0123456789ABCDEF01",
	} {
		if got := identity.NormalizeWallet(in); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}

func TestRefsAreValidated(t *testing.T) {
	t.Parallel()
	for name, want := range map[identity.Ref]string{
		{}:                                       "userId or walletAddress is required",
		{Wallet: strings.Repeat("é", 129)}:       "walletAddress must be at most 128 characters",
		{Wallet: "a\x00b"}:                       "walletAddress must not contain NUL characters",
		{Wallet: strings.Repeat("é", 128)}:       "",
		{UserID: laurel.ID{1}, Wallet: "a\x00b"}: "walletAddress must not contain NUL characters",
	} {
		var f laurel.Faults
		name.Validate(&f)
		got := ""
		if err := f.Err(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q answered %q, want %q", name.Wallet, got, want)
		}
	}
}

func TestAnUnknownWalletIsMadeBySecretKeysOnly(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		for _, role := range []laurel.Role{laurel.RoleClient, laurel.RoleReadOnly, laurel.RoleFunction} {
			other := p.scope
			other.Role = role
			_, err := p.service.Resolve(ctx, p.db, other, identity.Ref{Wallet: evmMixed})
			p.refuses(err, laurel.NotFound, "User not found")
		}
		person := p.resolve(identity.Ref{Wallet: evmMixed})
		if !person.NewUser || !person.NewMember || person.Wallet != evmLower || person.Subject() != person.UserID {
			t.Fatalf("resolved %+v", person)
		}
		if n := p.count("SELECT count(*) FROM users"); n != 0 {
			t.Fatalf("resolving wrote %d users", n)
		}
		p.must(p.admit(person))
		known := p.resolve(identity.Ref{Wallet: evmLower})
		if known.NewUser || known.NewMember || known.UserID != person.UserID || known.KnownSince.IsZero() {
			t.Errorf("afterwards resolved %+v", known)
		}
		if n := p.count("SELECT count(*) FROM users WHERE wallet_type = 'evm' AND temporary_loyalty_user"); n != 1 {
			t.Errorf("%d temporary evm users", n)
		}
		if n := len(p.changes("User")); n != 1 {
			t.Errorf("%d User created", n)
		}
	})
}

func TestUsersOfOtherOrganizationsDoNotExist(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		user := p.user("w")
		elsewhere := p.website(p.organization())
		_, err := p.service.Resolve(ctx, p.db, elsewhere, identity.Ref{UserID: user})
		p.refuses(err, laurel.NotFound, "User not found")
		_, err = p.service.Resolve(ctx, p.db, p.scope, identity.Ref{UserID: p.db.NewID(), Wallet: "w"})
		p.refuses(err, laurel.NotFound, "User not found")
		person, err := p.service.Resolve(ctx, p.db, elsewhere, identity.Ref{Wallet: "w"})
		if err != nil || !person.NewUser || person.UserID == user {
			t.Errorf("the same wallet elsewhere: %+v, %v", person, err)
		}
		wallets, err := p.service.Wallets(ctx, p.db, elsewhere, []laurel.ID{user})
		if err != nil || len(wallets) != 0 {
			t.Errorf("wallets across organizations: %v, %v", wallets, err)
		}
		sibling := p.website(p.scope.OrganizationID)
		person, err = p.service.Resolve(ctx, p.db, sibling, identity.Ref{Wallet: "w"})
		if err != nil || person.NewUser || !person.NewMember || person.UserID != user {
			t.Errorf("in a sibling website: %+v, %v", person, err)
		}
	})
}

func TestManyAreResolvedInOrder(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		known := p.user("known")
		people, err := p.service.ResolveMany(ctx, p.db, p.scope, []identity.Ref{
			{Wallet: evmMixed}, {UserID: known, Wallet: "other"}, {Wallet: evmLower}, {Wallet: "new"}, {Wallet: "known"},
		})
		p.must(err)
		if people[0].UserID != people[2].UserID || people[1].UserID != known || people[4].UserID != known ||
			people[3].UserID == people[0].UserID {
			t.Errorf("resolved %+v", people)
		}
		p.must(p.db.InTx(ctx, func(tx *store.Tx) error { return store.Run(ctx, tx, named{people, p.scope}) }))
		if n := p.count("SELECT count(*) FROM members"); n != 3 {
			t.Errorf("%d members, want 3", n)
		}
		_, err = p.service.ResolveMany(ctx, p.db, p.scope, []identity.Ref{{Wallet: "known"}, {UserID: laurel.ID{7}}})
		p.refuses(err, laurel.NotFound, "User not found")
		wallets, err := p.service.Wallets(ctx, p.db, p.scope, []laurel.ID{known, people[0].UserID, {9}})
		if err != nil || len(wallets) != 2 || wallets[known] != "known" || wallets[people[0].UserID] != evmLower {
			t.Errorf("wallets %v, %v", wallets, err)
		}
	})
}

// named admits several people in one Work.
type named struct {
	people []identity.Person
	scope  laurel.Scope
}

func (a named) Locks() []store.Lock {
	var locks []store.Lock
	for _, p := range a.people {
		locks = append(locks, p.Locks()...)
	}
	return locks
}

func (a named) Judge(b *store.Batch) error {
	for _, p := range a.people {
		if err := p.Admit(b, a.scope); err != nil {
			return err
		}
	}
	return nil
}

func TestOneNewWalletMakesOneUserHoweverManyCome(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		committers := []*store.Committer{store.NewCommitter(p.db), store.NewCommitter(p.db)}
		for round, nodes := range [][]*store.Committer{committers[:1], committers} {
			wallet := []string{"one", "two"}[round]
			ids := make([]laurel.ID, 50)
			var wg sync.WaitGroup
			for i := range ids {
				wg.Go(func() { ids[i] = p.visitUntilAdmitted(nodes[i%len(nodes)], wallet) })
			}
			wg.Wait()
			slices.SortFunc(ids, func(a, b laurel.ID) int { return strings.Compare(a.String(), b.String()) })
			if len(slices.Compact(ids)) != 1 {
				t.Errorf("%d committers: different users for one wallet", len(nodes))
			}
			if n := p.count("SELECT count(*) FROM users WHERE wallet_address = ?", wallet); n != 1 {
				t.Errorf("%d committers: %d users", len(nodes), n)
			}
		}
		for _, c := range committers {
			c.Close()
		}
		if n := len(p.changes("User")); n != 2 {
			t.Errorf("%d User created, want 2", n)
		}
	})
}

func (p *place) visitUntilAdmitted(c *store.Committer, wallet string) laurel.ID {
	for range 200 {
		person, err := p.service.Resolve(ctx, p.db, p.scope, identity.Ref{Wallet: wallet})
		if err != nil {
			p.Error(err)
			return laurel.ID{}
		}
		err = c.Do(ctx, nil, visit{person, p.scope})
		if err == nil {
			return person.UserID
		}
		if !errors.Is(err, store.ErrStale) {
			p.Error(err)
			return laurel.ID{}
		}
	}
	p.Error("stale again and again")
	return laurel.ID{}
}

func TestAFreshIDThatLostIsStale(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		first, second := p.resolve(identity.Ref{Wallet: "w"}), p.resolve(identity.Ref{Wallet: "w"})
		p.must(p.admit(first))
		if err := p.admit(second); !errors.Is(err, store.ErrStale) {
			t.Errorf("admitted twice: %v", err)
		}
		// The same person again is no conflict: one request may name a user in several Works.
		p.must(p.admit(first))
	})
}

func TestWalletFindsOrMakesInsideATransaction(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		organization := p.scope.At(laurel.ID{})
		organization.Role = ""
		var a, b, c, service laurel.ID
		p.must(p.db.InTx(ctx, func(tx *store.Tx) (err error) {
			if a, err = p.service.FindOrCreateWallet(ctx, tx, organization, evmMixed); err != nil {
				return err
			}
			if b, err = p.service.FindOrCreateWallet(ctx, tx, organization, evmLower); err != nil {
				return err
			}
			if c, err = p.service.FindOrCreateWallet(ctx, tx, p.scope, evmLower); err != nil {
				return err
			}
			service, err = p.service.CreateServiceUser(ctx, tx, p.scope.OrganizationID)
			return err
		}))
		if a != b || a != c || service.IsZero() {
			t.Errorf("users %v %v %v %v", a, b, c, service)
		}
		if n := p.count("SELECT count(*) FROM members"); n != 1 {
			t.Errorf("%d members, want 1", n)
		}
		if n := p.count("SELECT count(*) FROM users WHERE is_service AND wallet_address IS NULL"); n != 1 {
			t.Errorf("%d service users", n)
		}
		err := p.db.InTx(ctx, func(tx *store.Tx) error {
			_, err := p.service.FindOrCreateWallet(ctx, tx, p.scope, "")
			return err
		})
		p.refuses(err, laurel.Invalid, "userId or walletAddress is required")
	})
}
