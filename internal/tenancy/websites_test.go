package tenancy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/tenancy"
)

func TestOrganizationIsReadInItsOwnScopeOnly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		made, err := n.CreateOrganization(t.Context(), nil, "Ünïcode Club")
		if err != nil {
			t.Fatal(err)
		}
		got, err := n.GetOrganization(t.Context(), laurel.Scope{OrganizationID: made.ID})
		if err != nil || got != made {
			t.Fatalf("got %+v, %v; made %+v", got, err, made)
		}
		_, err = n.GetOrganization(t.Context(), laurel.Scope{OrganizationID: n.db.NewID()})
		refused(t, err, laurel.NotFound, "Organization not found")
		_, err = n.CreateOrganization(t.Context(), nil, " ")
		faults(t, err, "name is required")
		_, err = n.CreateOrganization(t.Context(), nil, strings.Repeat("é", 1001))
		faults(t, err, "name must be at most 1000 characters")
	})
}

func TestWebsiteIsStoredWhole(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		scope := n.organization(t)
		in := tenancy.CreateWebsiteInput{
			Name: strings.Repeat(
				"é",
				1000,
			),
			HomeURL:       ptr("https://club.example.org/home?a=1"),
			ChatServerURL: ptr("http://localhost:8080"),
			MessengerURL: ptr(
				"HTTPS://m.example.org",
			),
			MicroblogUsername:     ptr("club"),
			PhotoPlatformUsername: ptr(""),
			TrustClientUsers:      true,
		}
		made, err := n.CreateWebsite(t.Context(), scope, in)
		if err != nil {
			t.Fatal(err)
		}
		page, err := n.ListWebsites(t.Context(), scope, tenancy.WebsiteFilter{}, laurel.PageRequest{Limit: 10})
		if err != nil || len(page.Data) != 1 || page.HasNextPage {
			t.Fatalf("page: %+v, %v", page, err)
		}
		got := page.Data[0]
		if fmt.Sprintf("%+v", flat(got)) != fmt.Sprintf("%+v", flat(made)) {
			t.Fatalf("stored %+v, answered %+v", flat(got), flat(made))
		}
		if got.Name != in.Name || *got.HomeURL != *in.HomeURL || *got.ChatServerURL != *in.ChatServerURL || *got.MessengerURL != *in.MessengerURL ||
			*got.MicroblogUsername != "club" || *got.PhotoPlatformUsername != "" || !got.TrustClientUsers || !got.TermsSignedAt.IsZero() ||
			got.OrganizationID != scope.OrganizationID ||
			got.CreatedAt.IsZero() ||
			got.UpdatedAt != got.CreatedAt {
			t.Fatalf("stored %+v", flat(got))
		}
	})
}

// flat makes two websites comparable as texts.
func flat(w tenancy.Website) []any {
	return []any{
		w.ID,
		w.OrganizationID,
		w.Name,
		*w.HomeURL,
		*w.ChatServerURL,
		*w.MessengerURL,
		*w.MicroblogUsername,
		*w.PhotoPlatformUsername,
		w.TrustClientUsers,
		w.TermsSignedAt,
		w.CreatedAt,
		w.UpdatedAt,
	}
}

func TestWebsiteInputNamesEveryFault(t *testing.T) {
	t.Parallel()
	long := "https://example.org/" + strings.Repeat("a", 2029)
	err := tenancy.CreateWebsiteInput{
		HomeURL: ptr(
			"/relative",
		),
		ChatServerURL:         ptr("ftp://example.org"),
		MessengerURL:          &long,
		MicroblogUsername:     ptr(strings.Repeat("a", 1001)),
		PhotoPlatformUsername: ptr("a\x00b"),
		AdminWalletAddresses:  []string{"0xA", "", strings.Repeat("w", 129)},
	}.Validate()
	faults(
		t,
		err,
		"name is required",
		"homeUrl must be a valid url",
		"chatServerUrl must be a valid url",
		"messengerUrl must be at most 2048 characters",
		"microblogUsername must be at most 1000 characters",
		"photoPlatformUsername must not contain NUL characters",
		"adminWalletAddress must have at most 2 items",
		"adminWalletAddress.1 is required",
		"adminWalletAddress.2 must be at most 128 characters",
	)
	for _, bad := range []string{"", "https://", "https:example.org", "javascript:alert(1)", "http://[::1", "//example.org", "https:// example.org"} {
		faults(t, tenancy.CreateWebsiteInput{Name: "n", HomeURL: &bad}.Validate(), "homeUrl must be a valid url")
	}
	if err := (tenancy.CreateWebsiteInput{Name: "n", HomeURL: ptr(long[:2048]), AdminWalletAddresses: []string{"0xA", "0xB"}}).Validate(); err != nil {
		t.Fatal(err)
	}
}

func TestTooManyAdminWalletsAreRefusedWithTheirText(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		_, err := n.CreateWebsite(
			t.Context(),
			n.organization(t),
			tenancy.CreateWebsiteInput{Name: "n", AdminWalletAddresses: []string{"a", "b", "c"}},
		)
		refused(t, err, laurel.Invalid, "adminWalletAddress must have at most 2 items")
	})
}

func TestAdminWalletsBecomeSuperAdminsOfTheNewWebsite(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		scope := n.organization(t)
		one, two := "0x"+strings.Repeat("Aa", 20), "0x"+strings.Repeat("aA", 20)
		site, err := n.CreateWebsite(
			t.Context(),
			scope,
			tenancy.CreateWebsiteInput{Name: "a", AdminWalletAddresses: []string{one, "B"}},
		)
		if err != nil {
			t.Fatal(err)
		}
		// The same wallet in another spelling is one admin.
		again, err := n.CreateWebsite(
			t.Context(),
			scope,
			tenancy.CreateWebsiteInput{Name: "b", AdminWalletAddresses: []string{one, two}},
		)
		if err != nil {
			t.Fatal(err)
		}
		for id, want := range map[laurel.ID]string{site.ID: "[0x" + strings.Repeat("aa", 20) + " b]", again.ID: "[0x" + strings.Repeat("aa", 20) + "]"} {
			var wallets []string
			err := n.db.Select(
				t.Context(),
				&wallets,
				`SELECT u.wallet_address FROM website_user_roles r JOIN users u ON u.id = r.user_id
				WHERE r.website_id = ? AND r.organization_id = ? AND r.role_type = 'WEBSITE_SUPER_ADMIN' AND r.deleted_at IS NULL ORDER BY 1`,
				id,
				scope.OrganizationID,
			)
			if err != nil || fmt.Sprint(wallets) != want {
				t.Fatalf("admins %v, %v; want %s", wallets, err, want)
			}
		}
	})
}

func TestOnlyOrganizationKeysCreateWebsites(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		scope := n.organization(t)
		for _, role := range []laurel.Role{laurel.RoleWebsite, laurel.RoleReadOnly, laurel.RoleClient, laurel.RoleFunction, ""} {
			scope.Role = role
			_, err := n.CreateWebsite(t.Context(), scope, tenancy.CreateWebsiteInput{})
			refused(t, err, laurel.Forbidden, "API key is not allowed to perform this operation")
		}
	})
}

func TestWebsitesArePagedNewestFirstWithinTheTenant(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newClock()
		n := newNode(t, address, c.now)
		scope, foreign := n.organization(t), n.organization(t)
		other := n.website(t, foreign, "site foreign")
		var want []laurel.ID // five of one instant, then two later ones
		for i := range 7 {
			if i > 4 {
				c.move(time.Second)
			}
			want = append([]laurel.ID{n.website(t, scope, fmt.Sprintf("Site %d 100%%_\\", i)).ID}, want...)
		}
		var got []laurel.ID
		page := laurel.PageRequest{Limit: 3}
		for {
			p, err := n.ListWebsites(t.Context(), scope, tenancy.WebsiteFilter{}, page)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range p.Data {
				got = append(got, w.ID)
			}
			if !p.HasNextPage {
				break
			}
			page.StartingAfter = got[len(got)-1]
		}
		if len(got) != 7 || got[0] != want[0] || got[1] != want[1] || !sameIDs(got, want) {
			t.Fatalf("pages %v, want %v", got, want)
		}
		for _, cursor := range []laurel.ID{other.ID, n.db.NewID()} {
			_, err := n.ListWebsites(
				t.Context(),
				scope,
				tenancy.WebsiteFilter{},
				laurel.PageRequest{Limit: 3, StartingAfter: cursor},
			)
			faults(t, err, "startingAfter not found")
		}
		own, err := n.ListWebsites(t.Context(), scope.At(want[3]), tenancy.WebsiteFilter{}, laurel.PageRequest{Limit: 3})
		if err != nil || len(own.Data) != 1 || own.Data[0].ID != want[3] {
			t.Fatalf("one website's scope: %+v, %v", own, err)
		}
		_, err = n.ListWebsites(
			t.Context(),
			scope.At(want[3]),
			tenancy.WebsiteFilter{},
			laurel.PageRequest{Limit: 3, StartingAfter: want[2]},
		)
		faults(t, err, "startingAfter not found")
		crossed, err := n.ListWebsites(
			t.Context(),
			foreign.At(want[3]),
			tenancy.WebsiteFilter{},
			laurel.PageRequest{Limit: 3},
		)
		if err != nil || len(crossed.Data) != 0 {
			t.Fatalf("a website under a foreign organization: %+v, %v", crossed, err)
		}
	})
}

func sameIDs(a, b []laurel.ID) bool {
	seen := map[laurel.ID]int{}
	for i := range a {
		seen[a[i]]++
		seen[b[i]]--
	}
	for _, n := range seen {
		if n != 0 {
			return false
		}
	}
	return true
}

func TestNameFilterFindsPartsLiterally(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, n node) {
		scope := n.organization(t)
		for _, name := range []string{"North Pier", "South pier", `100%_\ Éclair`} {
			n.website(t, scope, name)
		}
		for filter, want := range map[string]int{"pier": 2, "PIER": 2, "th P": 2, "North Pier": 1, "%": 1, "_": 1, `\`: 1, "Éclair": 1, "": 3, "west": 0, "' OR 1=1": 0} {
			page, err := n.ListWebsites(t.Context(), scope, tenancy.WebsiteFilter{Name: filter}, laurel.PageRequest{Limit: 10})
			if err != nil || len(page.Data) != want || page.Data == nil {
				t.Fatalf("%q: %d found, want %d (%v)", filter, len(page.Data), want, err)
			}
		}
		_, err := n.ListWebsites(t.Context(), scope, tenancy.WebsiteFilter{Name: "a\x00"}, laurel.PageRequest{Limit: 10})
		faults(t, err, "name must not contain NUL characters")
	})
}

func TestScopeIsNarrowedToWhatTheCallNames(t *testing.T) {
	t.Parallel()
	const foreignOrganization, foreignWebsite = "API key does not have access to this organization", "API key does not have access to this website"
	each(t, func(t *testing.T, n node) {
		ctx, org, foreign := t.Context(), n.organization(t), n.organization(t)
		_, err := n.Narrow(ctx, org, laurel.ID{}, laurel.ID{}, tenancy.WebsiteRequired)
		faults(t, err, "websiteId is required")
		first, foreignSite := n.website(t, org, "first"), n.website(t, foreign, "theirs")
		want := func(scope laurel.Scope, o, w laurel.ID, need tenancy.WebsiteNeed, website laurel.ID) {
			t.Helper()
			got, err := n.Narrow(ctx, scope, o, w, need)
			if err != nil || got != scope.At(website) {
				t.Fatalf("got %+v, %v; want website %s", got, err, website)
			}
		}
		want(org, laurel.ID{}, laurel.ID{}, tenancy.WebsiteRequired, first.ID)
		want(org, org.OrganizationID, laurel.ID{}, tenancy.WebsiteOptional, laurel.ID{})
		want(org, org.OrganizationID, first.ID, tenancy.WebsiteOptional, first.ID)

		second := n.website(t, org, "second")
		_, err = n.Narrow(ctx, org, laurel.ID{}, laurel.ID{}, tenancy.WebsiteRequired)
		faults(t, err, "websiteId is required")
		want(org, laurel.ID{}, second.ID, tenancy.WebsiteRequired, second.ID)

		key := org.At(first.ID)
		key.Role = laurel.RoleClient
		for _, need := range []tenancy.WebsiteNeed{tenancy.WebsiteOptional, tenancy.WebsiteRequired} {
			want(key, laurel.ID{}, laurel.ID{}, need, first.ID)
			want(key, org.OrganizationID, first.ID, need, first.ID)
			for _, website := range []laurel.ID{second.ID, foreignSite.ID, n.db.NewID()} {
				_, err := n.Narrow(ctx, key, laurel.ID{}, website, need)
				refused(t, err, laurel.Forbidden, foreignWebsite)
			}
			for _, website := range []laurel.ID{foreignSite.ID, n.db.NewID()} {
				_, err := n.Narrow(ctx, org, laurel.ID{}, website, need)
				refused(t, err, laurel.Forbidden, foreignWebsite)
			}
			_, err = n.Narrow(ctx, org, foreign.OrganizationID, laurel.ID{}, need)
			refused(t, err, laurel.Forbidden, foreignOrganization)
			_, err = n.Narrow(ctx, key, foreign.OrganizationID, first.ID, need)
			refused(t, err, laurel.Forbidden, foreignOrganization)
		}
	})
}

func TestWebsiteOfAnotherNodeIsSeenWithinHalfASecond(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newClock()
		here, there := newNode(t, address, c.now), newNode(t, address, c.now)
		org := here.organization(t)
		first := here.website(t, org, "first")
		if got, err := there.Narrow(
			t.Context(),
			org,
			laurel.ID{},
			laurel.ID{},
			tenancy.WebsiteRequired,
		); err != nil ||
			got.WebsiteID != first.ID {
			t.Fatalf("first: %+v, %v", got, err)
		}
		second := here.website(t, org, "second")
		if _, err := there.Narrow(t.Context(), org, laurel.ID{}, second.ID, tenancy.WebsiteRequired); err != nil {
			t.Fatalf("named: %v", err)
		}
		c.move(500 * time.Millisecond)
		_, err := there.Narrow(t.Context(), org, laurel.ID{}, laurel.ID{}, tenancy.WebsiteRequired)
		faults(t, err, "websiteId is required")
	})
}
