package tenancy_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
)

var letters = map[laurel.Role]string{
	laurel.RoleOrganization: "o",
	laurel.RoleWebsite:      "w",
	laurel.RoleReadOnly:     "r",
	laurel.RoleClient:       "c",
	laurel.RoleFunction:     "s",
}

const (
	invalid       = "Invalid API key"
	errNotAllowed = "API key is not allowed to perform this operation"
)

func TestKeyOfEveryKindAuthenticatesAsItsServiceUser(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		org := n.organization(t)
		site, err := n.CreateWebsite(t.Context(), org, tenancy.CreateWebsiteInput{Name: "s", TrustClientUsers: true})
		if err != nil {
			t.Fatal(err)
		}
		for role, letter := range letters {
			website := site.ID
			if role == laurel.RoleOrganization {
				website = laurel.ID{}
			}
			made, err := n.CreateKey(t.Context(), org, tenancy.CreateKeyInput{Role: role, WebsiteID: website, Name: "k",
				AllowedOrigins: []string{"https://Club.example.org:443/", "http://localhost:3000", "https://club.example.org"}})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(made.Key, "lrl_"+letter+"_") || len(made.Key) != 55 || made.Prefix != made.Key[:12] {
				t.Fatalf("key %q, prefix %q", made.Key, made.Prefix)
			}
			got, err := n.Authenticate(t.Context(), made.Key)
			want := laurel.Scope{
				OrganizationID: org.OrganizationID,
				WebsiteID:      website,
				KeyID:          made.ID,
				ActorID:        made.UserID,
				Role:           role,
			}
			if err != nil || got.Scope != want || made.WebsiteID.ID != website || made.UserID.IsZero() {
				t.Fatalf("scope %+v, want %+v (%v)", got.Scope, want, err)
			}
			if !slices.Equal(got.AllowedOrigins, []string{"https://club.example.org", "http://localhost:3000"}) {
				t.Fatalf("origins %q", got.AllowedOrigins)
			}
			if got.TrustClientUsers != (role != laurel.RoleOrganization) {
				t.Fatalf("trust of %s: %v", role, got.TrustClientUsers)
			}
			var service bool
			if err := n.db.Get(
				t.Context(),
				&service,
				"SELECT is_service FROM users WHERE id = ?",
				made.UserID,
			); err != nil ||
				!service {
				t.Fatalf("service user: %v, %v", service, err)
			}
		}
	})
}

func TestKeyIsKeptAsItsHashOnly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		org := n.organization(t)
		made := n.key(t, org, laurel.RoleOrganization)
		var hash, prefix string
		if err := n.db.Get(t.Context(), &hash, "SELECT hash FROM api_keys"); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(made.Key))
		if hash != hex.EncodeToString(sum[:]) {
			t.Fatalf("stored %q", hash)
		}
		if err := n.db.Get(
			t.Context(),
			&prefix,
			"SELECT prefix || name || allowed_origins || role_type FROM api_keys",
		); err != nil ||
			strings.Contains(prefix, made.Key[12:]) {
			t.Fatalf("stored %q, %v", prefix, err)
		}
		page, err := n.ListKeys(t.Context(), org, laurel.PageRequest{Limit: 10})
		if err != nil || len(page.Data) != 1 || page.Data[0].ID != made.ID ||
			strings.Contains(fmt.Sprintf("%+v", page), made.Key[12:]) {
			t.Fatalf("list %+v, %v", page, err)
		}
	})
}

func TestMistypedKeysAreRefusedWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		key := n.key(t, n.organization(t), laurel.RoleOrganization).Key
		if err := n.db.Close(); err != nil {
			t.Fatal(err)
		}
		_, err := n.Authenticate(t.Context(), "")
		refused(t, err, laurel.Forbidden, "API key is required")
		for _, text := range []string{" ", "lrl_", "lrl_o_", key + "0", key[1:], strings.ToUpper(key), " " + key[:54], strings.Repeat("lrl_o_", 100000)} {
			_, err := n.Authenticate(t.Context(), text)
			refused(t, err, laurel.Forbidden, invalid)
		}
		for i := range key {
			for _, c := range []byte("0aZ_") {
				if key[i] == c {
					continue
				}
				_, err := n.Authenticate(t.Context(), key[:i]+string(c)+key[i+1:])
				refused(t, err, laurel.Forbidden, invalid)
			}
		}
		if _, err := n.Authenticate(t.Context(), key); err == nil || err.Error() == invalid {
			t.Fatalf("the key itself must be looked up in the closed database: %v", err)
		}
	})
}

func deleteKeys(ctx context.Context) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM api_keys")
		return err
	}
}

func TestUnknownKeyIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		org := n.organization(t)
		made := n.key(t, org, laurel.RoleOrganization)
		if err := n.db.InTx(t.Context(), deleteKeys(t.Context())); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time from memory
			_, err := n.Authenticate(t.Context(), made.Key)
			refused(t, err, laurel.Forbidden, invalid)
		}
	})
}

func TestRevokedKeyIsRefusedAtOnceHereAndSoonElsewhere(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newClock()
		here, there := newNode(t, address, c.now), newNode(t, address, c.now)
		org := here.organization(t)
		key := here.key(t, org, laurel.RoleOrganization)
		for _, n := range []node{here, there} {
			if _, err := n.Authenticate(t.Context(), key.Key); err != nil {
				t.Fatal(err)
			}
		}
		c.move(100 * time.Millisecond)
		revoked, before, err := here.RevokeKey(t.Context(), org, key.ID)
		if err != nil || before || revoked.RevokedAt.IsZero() || !revoked.RevokedAt.Equal(c.now()) || revoked.ID != key.ID {
			t.Fatalf("revoked %+v, %v", revoked, err)
		}
		_, err = here.Authenticate(t.Context(), key.Key)
		refused(t, err, laurel.Forbidden, invalid)
		c.move(400 * time.Millisecond)
		_, err = there.Authenticate(t.Context(), key.Key)
		refused(t, err, laurel.Forbidden, invalid)
		again, before, err := there.RevokeKey(t.Context(), org, key.ID)
		if err != nil || !before || !again.RevokedAt.Equal(revoked.RevokedAt.Time) {
			t.Fatalf("revoked again %+v, %t, %v", again, before, err)
		}
	})
}

func TestRevokedKeyIsRefusedAtOnceUnderLoad(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		org := n.organization(t)
		for range 20 {
			key := n.key(t, org, laurel.RoleOrganization)
			ctx, stop := context.WithCancel(t.Context())
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					for ctx.Err() == nil {
						_, _ = n.Authenticate(ctx, key.Key)
					}
				})
			}
			if _, _, err := n.RevokeKey(t.Context(), org, key.ID); err != nil {
				t.Error(err)
			}
			for range 50 {
				if _, err := n.Authenticate(t.Context(), key.Key); err == nil {
					t.Error("accepted after it was revoked")
				}
			}
			stop()
			wg.Wait()
		}
	})
}

func TestKeyEndsAtItsExpiry(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newClock()
		n := newNode(t, address, c.now)
		org := n.organization(t)
		at := c.now().Add(time.Second)
		key, err := n.CreateKey(
			t.Context(),
			org,
			tenancy.CreateKeyInput{Role: laurel.RoleOrganization, Name: "k", ExpiresAt: &at},
		)
		if err != nil || !key.ExpiresAt.Equal(at) {
			t.Fatalf("%+v, %v", key, err)
		}
		c.move(time.Second - time.Microsecond)
		if _, err := n.Authenticate(t.Context(), key.Key); err != nil {
			t.Fatal(err)
		}
		c.move(time.Microsecond) // its entry is still in memory
		_, err = n.Authenticate(t.Context(), key.Key)
		refused(t, err, laurel.Forbidden, invalid)
		now := c.now()
		_, err = n.CreateKey(
			t.Context(),
			org,
			tenancy.CreateKeyInput{Role: laurel.RoleOrganization, Name: "k", ExpiresAt: &now},
		)
		faults(t, err, "expiresAt must be in the future")
	})
}

func TestLastUseIsWrittenOncePerMinute(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newClock()
		here, there := newNode(t, address, c.now), newNode(t, address, c.now)
		org := here.organization(t)
		key := here.key(t, org, laurel.RoleOrganization)
		unused := here.key(t, org, laurel.RoleOrganization)
		use := func(n node) {
			t.Helper()
			if _, err := n.Authenticate(t.Context(), key.Key); err != nil {
				t.Fatal(err)
			}
			ended, end := context.WithCancel(t.Context())
			end()
			n.Run(ended) // writes what is due, then returns
		}
		last := func() laurel.NullTimestamp {
			t.Helper()
			page, err := here.ListKeys(t.Context(), org, laurel.PageRequest{Limit: 10})
			if err != nil || len(page.Data) != 2 {
				t.Fatal(page, err)
			}
			for _, k := range page.Data {
				if k.ID == unused.ID && !k.LastUsedAt.IsZero() {
					t.Fatal("the unused key has a last use")
				}
			}
			return page.Data[slices.IndexFunc(page.Data, func(k tenancy.APIKey) bool { return k.ID == key.ID })].LastUsedAt
		}
		if got := last(); !got.IsZero() {
			t.Fatalf("before any use: %v", got)
		}
		start := c.now()
		use(here)
		if got := last(); !got.Equal(start) {
			t.Fatalf("first use: %v, want %v", got, start)
		}
		c.move(59 * time.Second)
		use(here)
		use(there)
		if got := last(); !got.Equal(start) {
			t.Fatalf("within the minute: %v, want %v", got, start)
		}
		c.move(time.Second)
		use(here)
		if got := last(); !got.Equal(start.Add(time.Minute)) {
			t.Fatalf("after a minute: %v, want %v", got, start.Add(time.Minute))
		}
		c.move(time.Minute)
		use(there)
		if got := last(); !got.Equal(start.Add(2 * time.Minute)) {
			t.Fatalf("on the other node: %v, want %v", got, start.Add(2*time.Minute))
		}
	})
}

func TestWebsiteKeyManagesKeysOfItsWebsiteOnly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		ctx, org := t.Context(), n.organization(t)
		mine, other := n.website(t, org, "mine"), n.website(t, org, "other")
		orgKey := n.key(t, org, laurel.RoleOrganization)
		otherKey := n.key(t, org.At(other.ID), laurel.RoleClient)
		made := n.key(t, org.At(mine.ID), laurel.RoleWebsite)
		held, err := n.Authenticate(ctx, made.Key)
		if err != nil {
			t.Fatal(err)
		}
		scope := held.Scope
		_, err = n.CreateKey(ctx, scope, tenancy.CreateKeyInput{Role: laurel.RoleOrganization, Name: "k"})
		refused(t, err, laurel.Forbidden, errNotAllowed)
		_, err = n.CreateKey(ctx, scope, tenancy.CreateKeyInput{Role: laurel.RoleClient, WebsiteID: other.ID, Name: "k"})
		refused(t, err, laurel.Forbidden, "API key does not have access to this website")
		for _, role := range []laurel.Role{laurel.RoleWebsite, laurel.RoleReadOnly, laurel.RoleClient, laurel.RoleFunction} {
			if k := n.key(t, scope, role); k.WebsiteID.ID != mine.ID {
				t.Fatalf("made for %s", k.WebsiteID)
			}
		}
		page, err := n.ListKeys(ctx, scope, laurel.PageRequest{Limit: 10})
		if err != nil || len(page.Data) != 5 {
			t.Fatalf("list of the website: %d, %v", len(page.Data), err)
		}
		for _, k := range page.Data {
			if k.WebsiteID.ID != mine.ID {
				t.Fatalf("lists a key of %s", k.WebsiteID)
			}
		}
		for _, id := range []laurel.ID{orgKey.ID, otherKey.ID, n.db.NewID()} {
			_, _, err := n.RevokeKey(ctx, scope, id)
			refused(t, err, laurel.NotFound, "API key not found")
		}
		if _, _, err := n.RevokeKey(ctx, scope, made.ID); err != nil {
			t.Fatal(err)
		}
	})
}

func TestKeysOfAnotherOrganizationDoNotExist(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		org, foreign := n.organization(t), n.organization(t)
		site := n.website(t, foreign, "theirs")
		key := n.key(t, foreign, laurel.RoleOrganization)
		_, _, err := n.RevokeKey(t.Context(), org, key.ID)
		refused(t, err, laurel.NotFound, "API key not found")
		if _, err := n.Authenticate(t.Context(), key.Key); err != nil {
			t.Fatal(err)
		}
		page, err := n.ListKeys(t.Context(), org, laurel.PageRequest{Limit: 10})
		if err != nil || len(page.Data) != 0 {
			t.Fatalf("list: %+v, %v", page, err)
		}
		_, err = n.ListKeys(t.Context(), org, laurel.PageRequest{Limit: 10, StartingAfter: key.ID})
		faults(t, err, "startingAfter not found")
		_, err = n.CreateKey(
			t.Context(),
			org,
			tenancy.CreateKeyInput{Role: laurel.RoleWebsite, WebsiteID: site.ID, Name: "k"},
		)
		refused(t, err, laurel.Forbidden, "API key does not have access to this website")
		_, err = n.CreateKey(t.Context(), org, tenancy.CreateKeyInput{Role: laurel.RoleWebsite, Name: "k"})
		faults(t, err, "websiteId is required")
	})
}

func TestKeysWithoutTheRightManageNoKeys(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		org := n.organization(t)
		site := n.website(t, org, "s")
		key := n.key(t, org, laurel.RoleClient)
		for _, role := range []laurel.Role{laurel.RoleReadOnly, laurel.RoleClient, laurel.RoleFunction} {
			scope := org.At(site.ID)
			scope.Role = role
			_, err := n.CreateKey(t.Context(), scope, tenancy.CreateKeyInput{Role: laurel.RoleClient, Name: "k"})
			refused(t, err, laurel.Forbidden, errNotAllowed)
			_, err = n.ListKeys(t.Context(), scope, laurel.PageRequest{Limit: 1})
			refused(t, err, laurel.Forbidden, errNotAllowed)
			_, _, err = n.RevokeKey(t.Context(), scope, key.ID)
			refused(t, err, laurel.Forbidden, errNotAllowed)
		}
	})
}

func TestKeyInputNamesEveryFault(t *testing.T) {
	t.Parallel()
	now := newClock().now()
	err := tenancy.CreateKeyInput{
		AllowedOrigins: []string{
			"https://a.example.org",
			"example.org",
			"https://a.example.org/x",
			"*",
			"https://u@a.example.org",
			"https://a.example.org?",
		},
		ExpiresAt: &now,
	}.Validate(now)
	faults(
		t,
		err,
		"roleType is required",
		"name is required",
		"allowedOrigins.1 must be an origin, such as https://shop.example",
		"allowedOrigins.2 must be an origin, such as https://shop.example",
		"allowedOrigins.3 must be an origin, such as https://shop.example",
		"allowedOrigins.4 must be an origin, such as https://shop.example",
		"allowedOrigins.5 must be an origin, such as https://shop.example",
		"expiresAt must be in the future",
	)
	err = tenancy.CreateKeyInput{
		Role:           "ADMIN",
		Name:           "k",
		AllowedOrigins: slices.Repeat([]string{"app://local"}, 101),
	}.Validate(now)
	faults(
		t,
		err,
		"roleType must be one of: ORGANIZATION_API_KEY, WEBSITE_API_KEY, WEBSITE_READ_ONLY_API_KEY, WEBSITE_CLIENT_API_KEY, STRATUS_API_KEY",
		"allowedOrigins must have at most 100 items",
	)
}

func TestKeysArePagedNewestFirst(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		org := n.organization(t)
		var want, got []laurel.ID
		for range 5 {
			want = append(want, n.key(t, org, laurel.RoleOrganization).ID)
		}
		if _, _, err := n.RevokeKey(t.Context(), org, want[3]); err != nil { // a revoked key stays listed, and stays a cursor
			t.Fatal(err)
		}
		page := laurel.PageRequest{Limit: 2}
		for more := true; more; {
			p, err := n.ListKeys(t.Context(), org, page)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range p.Data {
				got = append(got, k.ID)
			}
			more, page.StartingAfter = p.HasNextPage, got[len(got)-1]
		}
		slices.Reverse(want)
		if len(got) != 5 || !sameIDs(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestScopeOfKeyReachesTheKey(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		org := n.organization(t)
		n.website(t, org, "s")
		key := n.key(t, org, laurel.RoleClient)
		scope, err := n.ScopeOfKey(t.Context(), key.ID)
		if err != nil || scope != org {
			t.Fatalf("%+v, %v", scope, err)
		}
		if _, _, err := n.RevokeKey(t.Context(), scope, key.ID); err != nil {
			t.Fatal(err)
		}
		_, err = n.ScopeOfKey(t.Context(), n.db.NewID())
		refused(t, err, laurel.NotFound, "API key not found")
	})
}
