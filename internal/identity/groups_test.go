package identity_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

func (p *place) join(wallet, group string) identity.Metadata {
	p.Helper()
	return p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: wallet}, UserGroupExternalIdentifier: some(group)})
}

// listen notes the calls of all hooks, users by their wallets.
func (p *place) listen() *[]string {
	var calls []string
	p.heeds = func(tx *store.Tx, what string, user laurel.ID) error {
		wallets, err := p.service.Wallets(ctx, tx, p.scope, []laurel.ID{user})
		calls = append(calls, what+" "+wallets[user])
		return err
	}
	return &calls
}

func (p *place) requireCalls(calls *[]string, want ...string) {
	p.Helper()
	slices.Sort(*calls)
	slices.Sort(want)
	if !slices.Equal(*calls, want) {
		p.Errorf("heard %q, want %q", *calls, want)
	}
	*calls = nil
}

func TestJoiningMovingAndLeaving(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		calls := p.listen()
		first := p.join("a", "g")
		if first.UserGroup == nil || textField(first.UserGroup.ExternalIdentifier) != "g" ||
			*first.UserGroupID != first.UserGroup.ID {
			t.Fatalf("joined %+v", first)
		}
		second := p.write(
			identity.MetadataInput{
				Ref:                         identity.Ref{Wallet: "b"},
				UserGroupID:                 laurel.Some(*first.UserGroupID),
				UserGroupExternalIdentifier: some("g"),
			},
		)
		p.requireCalls(calls, "joined a", "joined b")
		person := p.resolve(identity.Ref{Wallet: "b"})
		if !slices.Equal(person.Group, []laurel.ID{first.UserID, second.UserID}) || person.Subject() != *first.UserGroupID {
			t.Errorf("resolved %+v", person)
		}
		p.join("b", "h")
		p.requireCalls(calls, "left b", "joined b")
		for i, in := range []identity.MetadataInput{{UserGroupID: laurel.Null[laurel.ID]()}, {UserGroupExternalIdentifier: laurel.Null[string]()}} {
			in.Ref.Wallet = []string{"a", "b"}[i]
			if m := p.write(in); m.UserGroup != nil || m.UserGroupID != nil {
				t.Errorf("left into %+v", m.UserGroup)
			}
		}
		p.requireCalls(calls, "left a", "left b")
		_, err := p.service.WriteMetadata(
			ctx,
			p.scope,
			identity.MetadataInput{
				Ref:                         identity.Ref{Wallet: "a"},
				UserGroupID:                 laurel.Some(*first.UserGroupID),
				UserGroupExternalIdentifier: some("h"),
			},
		)
		p.refuses(err, laurel.Invalid, "userGroupExternalIdentifier belongs to another group")
		_, err = p.service.WriteMetadata(
			ctx,
			p.website(p.scope.OrganizationID),
			identity.MetadataInput{Ref: identity.Ref{Wallet: "a"}, UserGroupID: laurel.Some(*first.UserGroupID)},
		)
		p.refuses(err, laurel.NotFound, "User group not found")
	})
}

func TestBlockMarksSpreadInAGroup(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		calls := p.listen()
		blocked := func(want string) {
			t.Helper()
			got := ""
			for _, wallet := range []string{"a", "b", "exempt"} {
				if p.resolve(identity.Ref{Wallet: wallet}).Blocked {
					got += wallet
				}
			}
			if got != want {
				t.Errorf("blocked are %q, want %q", got, want)
			}
		}
		p.write(
			identity.MetadataInput{
				Ref:                         identity.Ref{Wallet: "exempt"},
				IsBlockExempt:               laurel.Some(true),
				UserGroupExternalIdentifier: some("g"),
			},
		)
		p.join("a", "g")
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "b"}, IsBlocked: laurel.Some(true)})
		p.requireCalls(calls, "joined exempt", "joined a", "blocked=true b")
		blocked("b")
		p.join("b", "g")
		p.requireCalls(calls, "joined b", "blocked=true a")
		blocked("ab")
		if got := p.changes("UserMetadata"); len(got) != 5 {
			t.Errorf("UserMetadata %v: the mate's change is missing", got)
		}
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "a"}, IsBlocked: laurel.Some(false)})
		p.requireCalls(calls, "blocked=false a", "blocked=false b")
		blocked("")
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "a"}, IsBlocked: laurel.Some(true)})
		p.requireCalls(calls, "blocked=true a", "blocked=true b")
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "exempt"}, IsBlockExempt: laurel.Null[bool]()})
		p.requireCalls(calls, "blocked=true exempt")
		blocked("abexempt")
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "b"}, IsBlockExempt: laurel.Some(true)})
		p.requireCalls(calls, "blocked=false b")
		blocked("aexempt")
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "a"}, UserGroupID: laurel.Null[laurel.ID]()})
		p.requireCalls(calls, "left a")
		blocked("aexempt")
	})
}

func TestAPaymentPreparedOnAnOldGroupOrMarkIsStale(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		p.user("a")
		p.user("b")
		block := func(wallet string, blocked bool) func() {
			return func() {
				p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: wallet}, IsBlocked: laurel.Some(blocked)})
			}
		}
		join := func(wallet string) func() { return func() { p.join(wallet, "g") } }
		leave := func(wallet string) func() {
			return func() {
				p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: wallet}, UserGroupID: laurel.Null[laurel.ID]()})
			}
		}
		for name, c := range map[string]struct {
			before []func()
			change func()
		}{
			"it joined":            {nil, join("a")},
			"it left":              {[]func(){join("a")}, leave("a")},
			"it was blocked":       {nil, block("a", true)},
			"it was unblocked":     {[]func(){block("a", true)}, block("a", false)},
			"a mate joined":        {[]func(){join("a")}, join("b")},
			"a mate left":          {[]func(){join("a"), join("b")}, leave("b")},
			"a mate was blocked":   {[]func(){join("a"), join("b")}, block("b", true)},
			"a mate was unblocked": {[]func(){join("a"), join("b"), block("b", true)}, block("b", false)},
		} {
			for _, f := range c.before {
				f()
			}
			person := p.resolve(identity.Ref{Wallet: "a"})
			p.must(p.admit(person))
			c.change()
			if err := p.admit(person); !errors.Is(err, store.ErrStale) {
				t.Errorf("%s: admitted with %v", name, err)
			}
			p.must(p.admit(p.resolve(identity.Ref{Wallet: "a"})))
			for _, f := range []func(){leave("a"), leave("b"), block("a", false), block("b", false)} {
				f()
			}
		}
	})
}

func TestMembersMoveBetweenGroupsAtTheSameTime(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		c := store.NewCommitter(p.db)
		defer c.Close()
		var wg sync.WaitGroup
		for i := range 24 {
			wallet := fmt.Sprint("w", i%6)
			wg.Go(func() {
				_, err := p.service.WriteMetadata(ctx, p.scope, identity.MetadataInput{Ref: identity.Ref{Wallet: wallet},
					UserGroupExternalIdentifier: some(fmt.Sprint("g", i%4)), IsBlocked: laurel.Some(i%5 == 0)})
				if err != nil {
					t.Error(err)
				}
			})
			wg.Go(func() { p.visitUntilAdmitted(c, wallet) })
		}
		wg.Wait()
		// Whatever the order was: in a group all or none are blocked.
		if n := p.count(
			"SELECT count(*) FROM (SELECT user_group_id FROM members GROUP BY user_group_id HAVING count(DISTINCT is_blocked) > 1) AS mixed",
		); n != 0 {
			t.Errorf("%d groups with different marks", n)
		}
		if n := p.count("SELECT count(*) FROM user_groups"); n != 4 {
			t.Errorf("%d groups, want 4", n)
		}
	})
}
