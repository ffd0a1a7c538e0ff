package identity_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

const required, foreign = "Member token is required", "Member token does not belong to this user"

func (p *place) token(user laurel.ID) string {
	p.Helper()
	issued, err := p.service.IssueToken(ctx, p.scope, identity.Ref{UserID: user}, 0)
	p.must(err)
	return issued.Token
}

func TestATokenProvesItsUserInItsWebsiteOnly(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		issued, err := p.service.IssueToken(ctx, p.scope, identity.Ref{Wallet: evmMixed}, time.Minute)
		p.must(err)
		person := p.resolve(identity.Ref{Wallet: evmLower})
		if person.NewMember || issued.UserID != person.UserID || issued.WebsiteID != p.scope.WebsiteID {
			t.Errorf("issued %+v for %+v", issued, person)
		}
		if life := issued.ExpiresAt.Sub(p.db.Now()); life > time.Minute || life < 50*time.Second {
			t.Errorf("lives for %v", life)
		}
		user, err := p.service.CheckToken(ctx, p.scope, issued.Token)
		if err != nil || user != person.UserID {
			t.Errorf("checked as %v, %v", user, err)
		}
		sibling := p.website(p.scope.OrganizationID)
		_, err = p.service.IssueToken(ctx, sibling, identity.Ref{UserID: user}, 0)
		p.must(err)
		_, err = p.service.CheckToken(ctx, sibling, issued.Token)
		p.refuses(err, laurel.Forbidden, required)
	})
}

func TestWhatIsNoTokenCountsAsNone(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		good := p.token(p.user("w"))
		body, sum, _ := strings.Cut(good, ".")
		other, _, _ := strings.Cut(p.token(p.user("other")), ".")
		flipped := "A"
		if sum[0] == 'A' {
			flipped = "B"
		}
		for _, bad := range []string{"", ".", "x", body, body + ".", other + "." + sum, body + "." + flipped + sum[1:], good + "." + sum,
			strings.Repeat("A", 5000) + "." + sum, "e30." + sum} {
			_, err := p.service.CheckToken(ctx, p.scope, bad)
			p.refuses(err, laurel.Forbidden, required)
		}
	})
}

func TestTokensAreIssuedBySecretKeysWithinTheirLimits(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		client := p.scope
		client.Role = laurel.RoleClient
		_, err := p.service.IssueToken(ctx, client, identity.Ref{Wallet: "w"}, 0)
		p.refuses(err, laurel.Forbidden, "API key is not allowed to perform this operation")
		for _, ttl := range []time.Duration{time.Second, -time.Second, 24*time.Hour + time.Second} {
			_, err = p.service.IssueToken(ctx, p.scope, identity.Ref{Wallet: "w"}, ttl)
			p.refuses(err, laurel.Invalid, "expiresInSeconds must be between 60 and 86400")
		}
		_, err = p.service.IssueToken(ctx, p.scope, identity.Ref{UserID: p.db.NewID()}, 0)
		p.refuses(err, laurel.NotFound, "User not found")
		p.refuses(
			p.service.RevokeTokens(ctx, client, laurel.ID{1}),
			laurel.Forbidden,
			"API key is not allowed to perform this operation",
		)
		p.refuses(p.service.RevokeTokens(ctx, p.scope, p.db.NewID()), laurel.NotFound, "User not found")
	})
}

func TestRevocationRefusesExactlyTheEarlierTokens(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		now := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
		// The clock stands still: order alone must decide.
		p := newPlace(t, storetest.Open(t, address, func() time.Time { return now }), identity.Options{})
		user, other := p.user("w"), p.user("other")
		var old []string
		kept := p.token(other)
		for range 3 {
			old = append(old, p.token(user))
			p.must(p.service.RevokeTokens(ctx, p.scope, user))
			for _, token := range old {
				_, err := p.service.CheckToken(ctx, p.scope, token)
				p.refuses(err, laurel.Forbidden, required)
			}
			if got, err := p.service.CheckToken(ctx, p.scope, p.token(user)); err != nil || got != user {
				t.Errorf("a later token answered %v, %v", got, err)
			}
		}
		if _, err := p.service.CheckToken(ctx, p.scope, kept); err != nil {
			t.Errorf("another user's token: %v", err)
		}
	})
}

func TestTokensExpire(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		now := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
		p := newPlace(t, storetest.Open(t, address, func() time.Time { return now }), identity.Options{})
		token := p.token(p.user("w"))
		now = now.Add(time.Hour - time.Microsecond)
		if _, err := p.service.CheckToken(ctx, p.scope, token); err != nil {
			t.Errorf("in its last microsecond: %v", err)
		}
		now = now.Add(time.Microsecond)
		_, err := p.service.CheckToken(ctx, p.scope, token)
		p.refuses(err, laurel.Forbidden, required)
	})
}

func TestTwoSecretsAreLive(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		now := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
		db := storetest.Open(t, address, func() time.Time { return now })
		p := newPlace(t, db, identity.Options{})
		node := otherNode(t, db)
		user := p.user("w")
		first := p.token(user)
		_, err := node.CheckToken(ctx, p.scope, first)
		p.must(err)
		p.must(p.service.RotateSecrets(ctx, p.scope))
		second := p.token(user)
		p.must(p.service.RotateSecrets(ctx, p.scope))
		third := p.token(user)
		now = now.Add(time.Second)
		for _, s := range []*identity.Service{p.service, node} {
			_, err := s.CheckToken(ctx, p.scope, first)
			p.refuses(err, laurel.Forbidden, required)
			for _, token := range []string{second, third} {
				if _, err := s.CheckToken(ctx, p.scope, token); err != nil {
					t.Errorf("a token of a live secret: %v", err)
				}
			}
		}
		if n := p.count("SELECT count(*) FROM member_secrets WHERE retired_at IS NULL"); n != 2 {
			t.Errorf("%d live secrets", n)
		}
	})
}

// otherNode is a second server over the same database with the same keys.
func otherNode(t *testing.T, db *store.DB) *identity.Service {
	t.Helper()
	v, err := vault.New(db.Random, []byte("a key that is long enough for it"))
	if err != nil {
		t.Fatal(err)
	}
	return identity.New(db, v, identity.Options{})
}

func TestTheFirstSecretIsMadeOnce(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		user := p.user("w")
		nodes := []*identity.Service{p.service, otherNode(t, p.db), otherNode(t, p.db)}
		const websites = 8
		for range websites {
			scope := p.website(p.scope.OrganizationID)
			_, err := p.service.WriteMetadata(ctx, scope, identity.MetadataInput{Ref: identity.Ref{UserID: user}})
			p.must(err)
			start := make(chan struct{})
			var wg sync.WaitGroup
			for i := range 24 {
				wg.Go(func() {
					<-start
					if _, err := nodes[i%len(nodes)].IssueToken(ctx, scope, identity.Ref{UserID: user}, 0); err != nil {
						t.Error(err)
					}
				})
			}
			close(start)
			wg.Wait()
		}
		if n := p.count("SELECT count(*) FROM member_secrets"); n != websites {
			t.Errorf("%d secrets for %d websites", n, websites)
		}
	})
}

func TestAMemberSpeaksOnlyForItself(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		user, other := p.user(evmMixed), p.user("other")
		client := p.scope
		client.Role = laurel.RoleClient
		for _, c := range []struct {
			ref     identity.Ref
			message string
		}{
			{identity.Ref{UserID: user}, ""},
			{identity.Ref{Wallet: evmMixed}, ""},
			{identity.Ref{UserID: user, Wallet: "other"}, ""},
			{identity.Ref{UserID: other, Wallet: evmMixed}, foreign},
			{identity.Ref{Wallet: "other"}, foreign},
			{identity.Ref{Wallet: "unknown"}, foreign},
			{identity.Ref{UserID: laurel.ID{9}}, foreign},
			{identity.Ref{}, foreign},
		} {
			err := p.service.CheckTokenUser(ctx, client, user, c.ref)
			if c.message == "" {
				if err != nil {
					t.Errorf("as %+v: %v", c.ref, err)
				}
				continue
			}
			p.refuses(err, laurel.Forbidden, c.message)
		}
	})
}
