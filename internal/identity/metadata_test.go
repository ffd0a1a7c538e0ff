package identity_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

func some(v string) laurel.Optional[string] { return laurel.Some(v) }

func (p *place) write(in identity.MetadataInput) identity.Metadata {
	p.Helper()
	m, err := p.service.WriteMetadata(ctx, p.scope, in)
	p.must(err)
	return m
}

// changes returns what the feed tells of a table in the website, in order.
func (p *place) changes(table feed.Table) []feed.Action {
	p.Helper()
	changes, err := feed.PendingChanges{Consumer: "none", Table: table}.Read(ctx, p.db, 0, 1000)
	p.must(err)
	var actions []feed.Action
	for _, c := range changes {
		if c.WebsiteID == p.scope.WebsiteID {
			actions = append(actions, c.Action)
		}
	}
	return actions
}

func textField(s *string) string {
	if s == nil {
		return "<null>"
	}
	return *s
}

func TestWritingMetadataMakesAndConfirmsTheUser(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		m := p.write(
			identity.MetadataInput{Ref: identity.Ref{Wallet: evmMixed}, DisplayName: some("Ann"), MicroblogUser: some("@@ann")},
		)
		if m.User.ID != m.UserID || textField(m.User.Wallet) != evmLower || textField(m.DisplayName) != "Ann" ||
			textField(m.MicroblogUser) != "ann" {
			t.Errorf("answered %+v", m)
		}
		if n := p.count("SELECT count(*) FROM users WHERE temporary_loyalty_user"); n != 0 {
			t.Error("a user made by metadata is temporary")
		}
		named := p.user("named")
		p.write(identity.MetadataInput{Ref: identity.Ref{UserID: named}, Bio: some("x")})
		if n := p.count("SELECT count(*) FROM users WHERE temporary_loyalty_user"); n != 0 {
			t.Error("a user stayed temporary after a metadata write")
		}
		if got := fmt.Sprint(p.changes("User")); got != "[created created updated]" {
			t.Errorf("User %s", got)
		}
		if got := fmt.Sprint(p.changes("UserMetadata")); got != "[created created]" {
			t.Errorf("UserMetadata %s", got)
		}
	})
}

func TestWritingTheSameAgainChangesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		in := identity.MetadataInput{
			Ref:                         identity.Ref{Wallet: "w"},
			DisplayName:                 some("Ann"),
			IsBlocked:                   laurel.Some(true),
			UserGroupExternalIdentifier: some("g"),
		}
		first := p.write(in)
		if again := p.write(in); !reflect.DeepEqual(first, again) {
			t.Errorf("again answered %+v, want %+v", again, first)
		}
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "w"}, IsBlocked: laurel.Some(false)})
		if got := fmt.Sprint(p.changes("UserMetadata")); got != "[created updated]" {
			t.Errorf("UserMetadata %s", got)
		}
	})
}

func TestMetadataIsValidated(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		long := some(strings.Repeat("é", 1001))
		ref := identity.Ref{Wallet: "w"}
		for message, in := range map[string]identity.MetadataInput{
			"userId or walletAddress is required":                         {},
			"phoneNumber must be in E.164 format":                         {Ref: ref, PhoneNumber: some("0123")},
			"emailAddress must be a valid email address":                  {Ref: ref, EmailAddress: some("Ann <a@b.example>")},
			"displayName must be at most 1000 characters":                 {Ref: ref, DisplayName: long},
			"bio must be at most 10000 characters":                        {Ref: ref, Bio: some(strings.Repeat("b", 10001))},
			"location must not contain NUL characters":                    {Ref: ref, Location: some("a\x00")},
			"userGroupExternalIdentifier must be at most 1000 characters": {Ref: ref, UserGroupExternalIdentifier: long},
			"userGroupExternalIdentifier must not be empty":               {Ref: ref, UserGroupExternalIdentifier: some("")},
			"blockStatusReason must be one of: sybil_and_multi_account, account_migration, abuse_manipulation, not_sybil, issue_resolved, microblog_suspended, other": {
				Ref: ref, BlockStatusReason: some("mood")},
		} {
			_, err := p.service.WriteMetadata(ctx, p.scope, in)
			p.refuses(err, laurel.Invalid, message)
		}
		for _, phone := range []string{"+1", "+0123", "+1234567890123456", "+12 3", "12345", "+12345\n"} {
			_, err := p.service.WriteMetadata(ctx, p.scope, identity.MetadataInput{Ref: ref, PhoneNumber: some(phone)})
			p.refuses(err, laurel.Invalid, "phoneNumber must be in E.164 format")
		}
		_, err := p.service.WriteMetadata(
			ctx,
			p.scope,
			identity.MetadataInput{Ref: ref, UserGroupID: laurel.Some(p.db.NewID())},
		)
		p.refuses(err, laurel.NotFound, "User group not found")
		_, err = p.service.WriteMetadata(ctx, p.scope, identity.MetadataInput{Ref: identity.Ref{UserID: p.db.NewID()}})
		p.refuses(err, laurel.NotFound, "User not found")
		client := p.scope
		client.Role = laurel.RoleClient
		_, err = p.service.WriteMetadata(ctx, client, identity.MetadataInput{Ref: ref})
		p.refuses(err, laurel.Forbidden, "API key is not allowed to perform this operation")
		if n := p.count("SELECT count(*) FROM users"); n != 0 {
			t.Errorf("refused writes left %d users", n)
		}
	})
}

func TestChangingAnAddressClearsItsProof(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		user := p.write(
			identity.MetadataInput{
				Ref:          identity.Ref{Wallet: "w"},
				EmailAddress: some("a@b.example"),
				PhoneNumber:  some("+4912345"),
			},
		).UserID
		verify := func() {
			var record string
			p.must(p.db.Get(ctx, &record, "SELECT record FROM user_metadata"))
			at := `"2026-01-15T12:00:00.000Z"`
			record = strings.NewReplacer(`"emailVerifiedAt":null`, `"emailVerifiedAt":`+at, `"phoneVerifiedAt":null`, `"phoneVerifiedAt":`+at).
				Replace(record)
			p.exec("UPDATE user_metadata SET record = ?", record)
		}
		ref := identity.Ref{UserID: user}
		verify()
		m := p.write(identity.MetadataInput{Ref: ref, EmailAddress: some("A@b.example"), Bio: some("x")})
		if m.EmailVerifiedAt == nil || m.PhoneVerifiedAt == nil {
			t.Error("the same address in other letters lost its proof")
		}
		m = p.write(identity.MetadataInput{Ref: ref, EmailAddress: some("c@b.example")})
		if m.EmailVerifiedAt != nil || m.PhoneVerifiedAt == nil {
			t.Errorf("after a new e-mail: %v %v", m.EmailVerifiedAt, m.PhoneVerifiedAt)
		}
		m = p.write(identity.MetadataInput{Ref: ref, PhoneNumber: laurel.Null[string]()})
		if m.PhoneVerifiedAt != nil || m.PhoneNumber != nil {
			t.Errorf("after clearing the phone: %v %v", m.PhoneVerifiedAt, m.PhoneNumber)
		}
	})
}

func TestKeysSeeWhatTheyMay(t *testing.T) {
	t.Parallel()
	score, name := 0.5, "x"
	full := identity.Metadata{
		IsBlockExempt: true,
		Profile: identity.Profile{DisplayName: &name, EmailAddress: &name, PhoneNumber: &name,
			BlockStatusReason: &name, SybilScore: &score, InternalNotes: &name, ExternalLoyaltyScore: &name},
	}
	for role, want := range map[laurel.Role]string{
		laurel.RoleOrganization: "displayName emailAddress externalLoyaltyScore phoneNumber sybilScore internalNotes blockStatusReason isBlockExempt",
		laurel.RoleWebsite:      "displayName emailAddress externalLoyaltyScore phoneNumber sybilScore internalNotes blockStatusReason isBlockExempt",
		laurel.RoleReadOnly:     "displayName externalLoyaltyScore",
		laurel.RoleClient:       "displayName",
	} {
		b, err := json.Marshal(full.VisibleTo(laurel.Scope{Role: role}))
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]any
		if err := json.Unmarshal(b, &fields); err != nil {
			t.Fatal(err)
		}
		for _, f := range strings.Fields("displayName emailAddress externalLoyaltyScore phoneNumber sybilScore internalNotes blockStatusReason isBlockExempt") {
			value, there := fields[f]
			shown := value != nil && value != false
			if !there || shown != strings.Contains(want, f) {
				t.Errorf("%s: %s is %v", role, f, value)
			}
		}
	}
}

// inputFields maps the contract's names of text fields to the setters of an input.
var inputFields = map[string]func(*identity.MetadataInput) *laurel.Optional[string]{
	"displayName":           func(in *identity.MetadataInput) *laurel.Optional[string] { return &in.DisplayName },
	"externalIdentifier":    func(in *identity.MetadataInput) *laurel.Optional[string] { return &in.ExternalIdentifier },
	"microblogUserId":       func(in *identity.MetadataInput) *laurel.Optional[string] { return &in.MicroblogUserID },
	"gameStoreUsername":     func(in *identity.MetadataInput) *laurel.Optional[string] { return &in.GameStoreUsername },
	"walletGroupIdentifier": func(in *identity.MetadataInput) *laurel.Optional[string] { return &in.WalletGroupIdentifier },
}

func TestMergingEqualsAPlainMap(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		round := 0
		rapid.Check(t, func(r *rapid.T) {
			round++
			ref := identity.Ref{Wallet: fmt.Sprintf("wallet %d", round)}
			model := map[string]any{}
			for range rapid.IntRange(1, 4).Draw(r, "writes") {
				in := identity.MetadataInput{Ref: ref}
				for name, field := range inputFields {
					switch rapid.IntRange(0, 2).Draw(r, name) {
					case 1:
						*field(&in) = laurel.Null[string]()
						delete(model, name)
					case 2:
						v := rapid.StringMatching(`[A-Za-zÄé]{1,8}`).Draw(r, name+" value") + fmt.Sprint(round)
						*field(&in), model[name] = some(v), v
					}
				}
				m, err := p.service.WriteMetadata(ctx, p.scope, in)
				if err != nil {
					r.Fatal(err)
				}
				p.equals(r, m, model)
			}
		})
	})
}

// equals compares an answer, and what is kept for filters, with the model.
func (p *place) equals(r *rapid.T, m identity.Metadata, model map[string]any) {
	b, err := json.Marshal(m)
	if err != nil {
		r.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b, &got); err != nil {
		r.Fatal(err)
	}
	filters := map[string]string{}
	for name := range inputFields {
		if got[name] != model[name] {
			r.Fatalf("%s is %v, want %v", name, got[name], model[name])
		}
		if v, set := model[name]; set && name != "displayName" && name != "walletGroupIdentifier" {
			filters[name] = strings.ToLower(v.(string))
		}
	}
	var rows []struct {
		Field string `db:"field"`
		Value string `db:"value"`
	}
	if err := p.db.Select(
		ctx,
		&rows,
		"SELECT field, value FROM user_identifiers WHERE user_id = ?",
		m.UserID,
	); err != nil {
		r.Fatal(err)
	}
	kept := map[string]string{}
	for _, row := range rows {
		kept[row.Field] = row.Value
	}
	if !reflect.DeepEqual(kept, filters) {
		r.Fatalf("filters are %v, want %v", kept, filters)
	}
}

func TestOneAccountBelongsToOnePerson(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		hold := func(scope laurel.Scope, wallet, id string) error {
			_, err := p.service.WriteMetadata(
				ctx,
				scope,
				identity.MetadataInput{Ref: identity.Ref{Wallet: wallet}, ChatServerUserID: some(id)},
			)
			return err
		}
		const message = "Chat server account is already connected to another user"
		p.must(hold(p.scope, "a", "One"))
		p.must(hold(p.scope, "a", "One"))
		p.refuses(hold(p.scope, "b", "one"), laurel.Refused, message)
		p.must(hold(p.website(p.scope.OrganizationID), "b", "one"))
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "a"}, UserGroupExternalIdentifier: some("g")})
		// A mate may hold it too, even when it joins with the same write.
		p.write(
			identity.MetadataInput{
				Ref:                         identity.Ref{Wallet: "b"},
				UserGroupExternalIdentifier: some("g"),
				ChatServerUserID:            some("one"),
			},
		)
		p.refuses(hold(p.scope, "c", "one"), laurel.Refused, message)
		p.must(hold(p.scope, "a", "two"))
		p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "b"}, ChatServerUserID: laurel.Null[string]()})
		p.must(hold(p.scope, "c", "one"))
	})
}

// TestOneNameIsOneAccountHoweverItIsSpelled covers the platforms whose names identify an account.
func TestOneNameIsOneAccountHoweverItIsSpelled(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		for platform, label := range map[string]string{"short_video": "Short video", "forum_platform": "Forum platform"} {
			wallet := func(who string) string { return who + " of " + platform }
			named := func(who, name string) error {
				in := identity.MetadataInput{Ref: identity.Ref{Wallet: wallet(who)}}
				if in.ShortVideoUser = some(name); platform != "short_video" {
					in.ShortVideoUser, in.ForumPlatformUser = in.ForumPlatformUser, in.ShortVideoUser
				}
				_, err := p.service.WriteMetadata(ctx, p.scope, in)
				return err
			}
			account := identity.VerifiedAccount{Platform: platform, ID: "1", Name: "Jos\u00e9"}
			if link := p.connect(wallet("ann"), account); link != "" {
				p.Error("ann could not connect")
			}
			for _, same := range []string{"Jos\u00e9", "jos\u00e9", "JOS\u00c9", "@jos\u00e9", "@@Jos\u00e9", " Jos\u00e9 ", "\t@Jos\u00e9\n", "Jose\u0301"} {
				p.refuses(named("bob", same), laurel.Refused, label+" account is already connected to another user")
			}
			for i, other := range []string{"Jose", "J\u043es\u00e9", "Jo\u017f\u00e9", "Jos\u00e9_"} { // the second has a letter of another script
				p.must(named(fmt.Sprint("other ", i), other))
			}
			p.must(named("ann", "@jose\u0301")) // her own name in another spelling stays proven
			if link := p.connect(wallet("cat"), identity.VerifiedAccount{Platform: platform, ID: "2", Name: "@Jose\u0301"}); link == "" {
				p.Error("another id with the same name was connected")
			}
		}
	})
}

func TestAnAccountIsHeldByAtMostItsLimitHoweverManyClaimIt(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 3} {
		storetest.Each(t, func(t *testing.T, db *store.DB) {
			labels := map[string]string{"game_store": "Shop"}
			p := newPlace(t, db, identity.Options{MaxAccountsPerPlatformID: limit, Labels: labels})
			errs := make([]error, 20)
			var wg sync.WaitGroup
			for i := range errs {
				wg.Go(func() {
					_, errs[i] = p.service.WriteMetadata(ctx, p.scope, identity.MetadataInput{
						Ref: identity.Ref{
							Wallet: fmt.Sprint("w", i),
						},
						GameStoreUserID: some("same"),
						CodeHostUserID:  some(fmt.Sprint(i)),
					})
				})
			}
			wg.Wait()
			won := 0
			for _, err := range errs {
				if err == nil {
					won++
					continue
				}
				p.refuses(err, laurel.Refused, "Shop account is already connected to another user")
			}
			if n := p.count(
				"SELECT count(*) FROM user_identifiers WHERE field = 'gameStoreUserId'",
			); won != limit ||
				n != limit {
				t.Errorf("%d succeeded and %d hold it, want %d", won, n, limit)
			}
		})
	}
}

func TestConcurrentWritesOfDifferentFieldsKeepEachOther(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		ref := identity.Ref{Wallet: "w"}
		var wg sync.WaitGroup
		for name, field := range inputFields {
			in := identity.MetadataInput{Ref: ref}
			*field(&in) = some(name)
			wg.Go(func() {
				if _, err := p.service.WriteMetadata(ctx, p.scope, in); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		m := p.write(identity.MetadataInput{Ref: ref})
		b, _ := json.Marshal(m)
		for name := range inputFields {
			if !strings.Contains(string(b), fmt.Sprintf("%q:%q", name, name)) {
				t.Errorf("%s was lost: %s", name, b)
			}
		}
	})
}

func TestMetadataIsReadPerWebsite(t *testing.T) {
	t.Parallel()
	each(t, func(p *place) {
		user := p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: "w"}, Bio: some("here")}).UserID
		sibling := p.website(p.scope.OrganizationID)
		_, err := p.service.WriteMetadata(
			ctx,
			sibling,
			identity.MetadataInput{Ref: identity.Ref{UserID: user}, Bio: some("there")},
		)
		p.must(err)
		for scope, want := range map[laurel.Scope]string{p.scope: "here", sibling: "there", p.scope.At(laurel.ID{}): "here there", p.website(p.organization()): ""} {
			list, err := p.service.Metadatas(ctx, p.db, scope, []laurel.ID{user})
			p.must(err)
			var bios []string
			for _, m := range list[user] {
				bios = append(bios, textField(m.Bio))
			}
			if got := strings.Join(bios, " "); got != want {
				t.Errorf("read %q, want %q", got, want)
			}
		}
	})
}

func TestTheOrderOfJoiningHoldsWhileTheClockStands(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		now := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
		p := newPlace(t, storetest.Open(t, address, func() time.Time { return now }), identity.Options{})
		var ids []laurel.ID
		for _, wallet := range []string{"z", "a", "m"} {
			ids = append(
				ids,
				p.write(identity.MetadataInput{Ref: identity.Ref{Wallet: wallet}, UserGroupExternalIdentifier: some("g")}).UserID,
			)
		}
		if got := p.resolve(identity.Ref{Wallet: "a"}).Group; !reflect.DeepEqual(got, ids) {
			t.Errorf("order of joining %v, want %v", got, ids)
		}
	})
}
