package identity_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/store"
)

// allAccounts returns an account of everything that a member can connect.
func allAccounts() []identity.VerifiedAccount {
	followers := int64(7)
	list := []identity.VerifiedAccount{
		{Platform: identity.Email, ID: "ann@example.com"}, {Platform: identity.Phone, ID: "+4915112345678"},
	}
	for _, id := range platforms.IDs() {
		list = append(list, identity.VerifiedAccount{Platform: id, ID: "Id-1", Name: "ann", Followers: &followers})
	}
	return list
}

func (p *place) connect(wallet string, a identity.VerifiedAccount) (link string) {
	p.Helper()
	link, err := p.service.ConnectAccount(ctx, p.scope, identity.Ref{Wallet: wallet}, a)
	p.must(err)
	return link
}

// connections returns what the person has connected, as rules see it.
func (p *place) accounts(wallet string) map[string]identity.Account {
	p.Helper()
	profile, err := p.service.PersonProfile(ctx, p.scope, p.resolve(identity.Ref{Wallet: wallet}))
	p.must(err)
	return profile.Members[0].Accounts()
}

func TestEveryAccountIsConnectedHeldMovedAndDisconnected(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		for _, a := range allAccounts() {
			p.T.Run(a.Platform, func(*testing.T) {
				ann, bob := "ann-"+a.Platform, "bob-"+a.Platform
				if link := p.connect(ann, a); link != "" || len(p.accounts(ann)[a.Platform].Names) == 0 {
					p.Fatalf("connected %v, link %q", p.accounts(ann), link)
				}
				if link := p.connect(ann, a); link != "" {
					p.Error("an account of one's own counts as one of somebody else")
				}
				link := p.connect(bob, a)
				if link == "" || len(p.accounts(bob)) != 0 {
					p.Fatalf("link %q for an account that is held; bob has %v", link, p.accounts(bob))
				}
				p.refuses(p.service.MoveAccount(ctx, p.scope, link, identity.Ref{Wallet: ann}), laurel.Refused,
					"Account link belongs to another user")
				p.must(p.service.MoveAccount(ctx, p.scope, link, identity.Ref{Wallet: bob}))
				if len(p.accounts(ann)) != 0 || len(p.accounts(bob)[a.Platform].Names) == 0 {
					p.Errorf("after the move ann has %v, bob %v", p.accounts(ann), p.accounts(bob))
				}
				back := p.connect(ann, a)
				p.must(p.service.MoveAccount(ctx, p.scope, back, identity.Ref{}))
				p.refuses(p.service.MoveAccount(ctx, p.scope, link, identity.Ref{}), laurel.Refused, "Invalid account link")
				p.must(p.service.DisconnectAccount(ctx, p.scope, identity.Ref{Wallet: ann}, a.Platform))
				p.must(p.service.DisconnectAccount(ctx, p.scope, identity.Ref{Wallet: ann}, a.Platform))
				if len(p.accounts(ann)) != 0 {
					p.Errorf("after the end ann has %v", p.accounts(ann))
				}
				if link := p.connect(bob, a); link != "" {
					p.Error("an account that was given up is still held")
				}
			})
		}
	})
}

func TestAnUnverifiedAddressIsHeldByNobody(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		email := identity.VerifiedAccount{Platform: identity.Email, ID: "ann@example.com"}
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "ann"}, EmailAddress: some("Ann@example.com")})
		if link := p.connect("bob", email); link != "" {
			p.Error("an address that nobody proved keeps its owner from proving it")
		}
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "bob"}, EmailAddress: some("bob@example.com")})
		if link := p.connect("cat", email); link != "" {
			p.Error("an address that was replaced is still held")
		}
	})
}

func TestAGroupHoldsAnAccountTogether(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		p.join("ann", "g")
		p.join("ann2", "g")
		a := identity.VerifiedAccount{Platform: "code_host", ID: "1", Name: "ann"}
		p.connect("ann", a)
		if link := p.connect("ann2", a); link != "" {
			p.Error("a group mate cannot connect the account of its group")
		}
	})
}

func TestAnAccountLinkIsGoodOnceForItsWebsiteAndAWhile(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		p := newPlace(t, db, identity.Options{AccountLinkLife: time.Nanosecond})
		a := identity.VerifiedAccount{Platform: "code_host", ID: "1", Name: "ann"}
		p.connect("ann", a)
		link := p.connect("bob", a)
		p.refuses(p.service.MoveAccount(ctx, p.scope, link, identity.Ref{}), laurel.Refused, "Account link has expired")
	})
	each(t, func(p *place) {
		a := identity.VerifiedAccount{Platform: "code_host", ID: "1", Name: "ann"}
		p.connect("ann", a)
		link := p.connect("bob", a)
		_, unsigned, _ := strings.Cut(link, ".")
		for name, token := range map[string]string{
			"empty": "", "no token": "x.y.z", "changed": link[:len(link)-4] + "AAAA", "long": strings.Repeat("a", 10_000),
			"member token": p.token(p.user("bob")), "unsigned": "eyJhbGciOiJub25lIn0." + unsigned,
		} {
			err := p.service.MoveAccount(ctx, p.scope, token, identity.Ref{})
			if err == nil || !strings.Contains(err.Error(), "Invalid account link") {
				p.Errorf("%s: %v", name, err)
			}
		}
		sibling := p.website(p.scope.OrganizationID)
		p.refuses(p.service.MoveAccount(ctx, sibling, link, identity.Ref{}), laurel.Refused, "Invalid account link")
		p.must(p.service.DisconnectAccount(ctx, p.scope, identity.Ref{Wallet: "ann"}, "code_host"))
		p.refuses(p.service.MoveAccount(ctx, p.scope, link, identity.Ref{}), laurel.Refused, "Invalid account link")
		if len(p.accounts("bob")) != 0 {
			p.Error("a link that was refused moved the account")
		}
	})
}

func TestConnectingRecordsChanges(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		a := identity.VerifiedAccount{Platform: "microblog", ID: "1", Name: "ann", HasVerifiedMark: true}
		p.connect("ann", a)
		p.connect("ann", a) // a second proof has a new time
		p.must(p.service.DisconnectAccount(ctx, p.scope, identity.Ref{Wallet: "ann"}, "microblog"))
		if got, want := fmt.Sprint(p.changes(feed.TableUserMetadata)), fmt.Sprint([]feed.Action{
			feed.Created, feed.Updated, feed.Updated,
		}); got != want {
			p.Errorf("recorded %s, want %s", got, want)
		}
	})
}
