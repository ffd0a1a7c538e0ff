package identity_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// nonce is the nonce of a signature; an error refuses it.
type nonce struct{ err error }

func (n nonce) Use(context.Context, *store.Tx, laurel.Scope) error { return n.err }

// connectWallet connects a wallet by its signature, with the user's group unless the id is zero.
func (p *place) connectWallet(scope laurel.Scope, wallet string, user laurel.ID) (identity.WalletUser, error) {
	return p.service.ConnectWallet(ctx, scope, identity.WalletConnection{
		Wallet: wallet, Type: "solana", UserID: user, Nonce: nonce{},
	})
}

func TestConnectingRecordsTheUserAndItsMetadata(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		calls := p.listen()
		first, err := p.connectWallet(p.scope, "a", laurel.ID{})
		p.must(err)
		if got := p.changes("User"); !slices.Equal(got, []feed.Action{feed.Created, feed.Updated}) {
			t.Errorf("a new wallet: User %v", got)
		}
		if got := p.changes("UserMetadata"); !slices.Equal(got, []feed.Action{feed.Created}) {
			t.Errorf("a new wallet: UserMetadata %v", got)
		}
		p.requireCalls(calls)
		_, err = p.connectWallet(p.scope, "b", first.ID)
		p.must(err)
		p.requireCalls(calls, "joined a", "joined b")
		if got := p.changes("UserMetadata"); !slices.Equal(got, []feed.Action{feed.Created, feed.Updated, feed.Created}) {
			t.Errorf("a second wallet: UserMetadata %v", got)
		}
		p.must(p.service.LeaveGroup(ctx, p.scope, first.ID))
		p.requireCalls(calls, "left a")
	})
}

func TestARefusedNonceLeavesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		used := errors.New("used")
		client := p.scope
		client.Role = laurel.RoleClient
		_, err := p.service.ConnectWallet(ctx, client, identity.WalletConnection{Wallet: "a", Type: "solana", Nonce: nonce{used}})
		if !errors.Is(err, used) || p.count("SELECT count(*) FROM users") != 0 {
			t.Errorf("connected: %v", err)
		}
		_, err = p.service.ConnectWallet(ctx, client, identity.WalletConnection{Wallet: "a", Type: "solana"})
		p.refuses(err, laurel.NotFound, "User not found") // it has not signed
	})
}

func TestTheFirstAccountOfAPlatformStays(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		account := func(id string) identity.VerifiedAccount {
			return identity.VerifiedAccount{Platform: "chat_server", ID: id, Name: "name of " + id}
		}
		prove := func(wallet string) laurel.ID {
			user := p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: wallet}}).UserID
			_, err := p.service.ConnectAccount(ctx, p.scope, identity.Ref{UserID: user}, account("of "+wallet))
			p.must(err)
			return user
		}
		first := prove("first")
		time.Sleep(time.Millisecond)
		second := prove("second")
		written := p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "written"}, ChatServerUserID: some("of written")}).UserID
		held := func(want string) {
			t.Helper()
			got := ""
			found, err := p.service.Metadatas(ctx, p.db, p.scope, []laurel.ID{first, second, written})
			p.must(err)
			for _, user := range []laurel.ID{first, second, written} {
				if id := found[user][0].ChatServerUserID; id != nil {
					got += *id + ";"
				}
			}
			if got != want {
				t.Errorf("held are %q, want %q", got, want)
			}
		}
		p.join("second", "g")
		p.join("written", "g") // it was never proved
		held("of first;of second;")
		p.join("first", "g") // it was proved before
		held("of first;")
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "written"}, ChatServerUserID: some("of second")})
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "second"}, UserGroupID: laurel.Null[laurel.ID]()})
		held("of first;of second;") // the group is one person
	})
}
