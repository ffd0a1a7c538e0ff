package dashboard_test

import (
	"cmp"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// oneTimeLink is a link that works once.
type oneTimeLink admins.Link

func (l oneTimeLink) token(t *testing.T, s *apptest.Server) string {
	t.Helper()
	token, _, err := s.App.Admins.NewLink(t.Context(), admins.Link(l))
	if err != nil {
		t.Fatal(err)
	}
	return "/admin/link/" + token
}

func TestTheFirstAdminSetsUpAndOwnsWhatIsThere(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		link, second := oneTimeLink{Kind: admins.SetupLink}.token(t, s), oneTimeLink{Kind: admins.SetupLink}.token(t, s)
		b := s.NewBrowser()
		b.Get(link).Shows(200, "Create your account")
		b.Post(link, "email", "ines", "password", "short").
			Shows(400, "Must be an email address", "Must be between 10 and 200 characters", `value="ines"`)
		start := b.Post(link, "email", "ines@acme.example", "name", "Ines", "password", apptest.Password).FollowsTo("/admin/")
		start.Get(start.Location).Shows(200, "Overview", "Next steps")
		b.Get(b.Site("/keys")).Shows(200, "API keys")
		b.Get(link).Shows(400, "This link was already used")
		s.NewBrowser().Post(second, "email", "b@acme.example", "password", apptest.Password).Shows(400, "already used")

		b.Post("/admin/setup", "organization", "", "website", "w", "currency", "c").Shows(400, "Is required")
		b.Post("/admin/setup", "organization", "Birch", "website", "birch.example", "currency", "Leaves").
			FollowsTo("/admin/").Shows(200, "New API key", "Program created")
		s.SignInAdmin(tenancy.RoleViewer).Get("/admin/setup").Shows(403, "You don’t have a role on any website")
	})
}

func TestSigningInTellsNothingAndLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.SignInAdmin(tenancy.RoleAdmin)
		b := s.NewBrowser()
		b.Get(b.Site("/keys?startingAfter=x")).FollowsTo("/admin/sign-in?to=%2F").Shows(200, "Sign in")
		wrong := b.Post("/admin/sign-in", "email", admin.Email, "password", "not the password").Shows(400, "is wrong")
		unknown := b.Post("/admin/sign-in", "email", "x"+admin.Email, "password", apptest.Password).Shows(400, "is wrong")
		if strings.ReplaceAll(unknown.Body, "x"+admin.Email, admin.Email) != wrong.Body {
			t.Error("the answers to a wrong password and to an unknown address differ")
		}
		for _, to := range []string{"//evil.example", "https://evil.example", `/\evil.example`, "/\t/evil.example"} {
			b := s.NewBrowser()
			p := b.Post("/admin/sign-in", "email", admin.Email, "password", apptest.Password, "to", to)
			if p.Status != 303 || !strings.HasPrefix(p.Location, "/admin/") {
				t.Errorf("after %s: %d %s", to, p.Status, p.Location)
			}
		}
		to := "/" + s.WebsiteID.String() + "/keys"
		asked := b.Get("/admin/sign-in?to="+to).Shows(200, `name="to" value="`+to+`"`)
		if asked.Header.Get("Set-Cookie") != "" {
			t.Error("who only looks gets a session")
		}
		b.Post("/admin/sign-in", "email", admin.Email, "password", "wrong", "to", to).Shows(400, `name="to" value="`+to+`"`)
		b.Post("/admin/sign-in", "email", admin.Email, "password", apptest.Password, "to", to).
			FollowsTo(b.Site("/keys")).Shows(200, "API keys")
		b.Post("/admin/sign-out").FollowsTo("/admin/sign-in")
		b.Get(b.Site("/keys")).FollowsTo("/admin/sign-in")
	})
}

func TestWhoKnewASessionBeforeSigningInIsNotInIt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, b := s.SignInAdmin(tenancy.RoleAdmin), s.NewBrowser()
		token := func(p apptest.Page) string {
			for _, c := range (&http.Response{Header: p.Header}).Cookies() {
				if c.Name == "laurel_admin" {
					if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/admin" {
						t.Errorf("the cookie: %v", c)
					}
					return c.Value
				}
			}
			return ""
		}
		before := token(b.Post("/admin/sign-in", "email", admin.Email, "password", apptest.Password))
		after := token(b.Post("/admin/sign-in", "email", admin.Email, "password", apptest.Password))
		if before == "" || after == "" || before == after {
			t.Errorf("the session was %q before and %q after", before, after)
		}
	})
}

func TestAnEndedSessionStaysEnded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		admin, err := s.App.Admins.GetByEmail(t.Context(), b.Email)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.App.Admins.EndSessions(t.Context(), admin.ID, laurel.ID{}); err != nil {
			t.Fatal(err)
		}
		b.Get("/admin/account").FollowsTo("/admin/sign-in")
		b.Post("/admin/account/profile", "name", "Eve", "timeZone", "UTC").FollowsTo("/admin/sign-in")
	})
}

func TestASecondFactorIsOfferedForAWhile(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Post("/admin/account/second", "code", "000000").Shows(400, "This setup has expired")
		b.Post("/admin/account/second/offer", "confirm", "wrong").Shows(400, "The password is wrong")
		offer := b.Post("/admin/account/second/offer", "confirm", apptest.Password).
			Shows(200, "otpauth://totp/Laurel:", `class="qr"`).Hides("ZgotmplZ")
		secret := textBetween(t, offer.Body, `id="totp">`, "<", "Two-factor authentication")
		code, err := totp.GenerateCode(secret, s.Clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(11 * time.Minute)
		b.Post("/admin/account/second", "code", code).Shows(400, "This setup has expired")

		offer = b.Post("/admin/account/second/offer", "confirm", apptest.Password)
		secret = textBetween(t, offer.Body, `id="totp">`, "<", "Two-factor authentication")
		b.Post("/admin/account/second", "code", "12").Shows(400, "The code is wrong", secret)
		if code, err = totp.GenerateCode(secret, s.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		b.Post("/admin/account/second", "code", code).Shows(200, "These recovery codes are shown only")
		b.Post("/admin/sign-out").FollowsTo("/admin/sign-in")
		b.Post("/admin/sign-in", "email", b.Email, "password", apptest.Password, "to", "/account").
			FollowsTo("/admin/sign-in/second").Shows(200, "Two-factor authentication")
		b.Get("/admin/account").FollowsTo("/admin/sign-in")
		s.Clock.Advance(time.Minute)
		if code, err = totp.GenerateCode(secret, s.Clock.Now()); err != nil {
			t.Fatal(err)
		}
		b.Post("/admin/sign-in/second", "code", code).FollowsTo("/admin/account").Shows(200, "Two-factor authentication")
	})
}

func TestPagesDefendThemselves(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		head := b.Get(b.Site("/keys")).Header
		for name, want := range map[string]string{
			"X-Frame-Options": "DENY", "Cache-Control": "no-store", "Referrer-Policy": "same-origin",
			"X-Content-Type-Options": "nosniff", "Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := head.Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		policy := head.Get("Content-Security-Policy")
		if strings.Contains(policy, "unsafe") || !strings.Contains(policy, "frame-ancestors 'none'") ||
			!strings.HasPrefix(policy, "default-src 'none'") {
			t.Errorf("the policy: %s", policy)
		}
		for _, site := range []string{"cross-site", "same-site"} {
			r, err := http.NewRequestWithContext(t.Context(), "POST", s.HTTP.URL+"/admin/sign-out", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Sec-Fetch-Site", site)
			res, err := s.HTTP.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			if _ = res.Body.Close(); res.StatusCode != http.StatusForbidden {
				t.Errorf("a form of %s got %d", site, res.StatusCode)
			}
		}
		b.Get("/admin/nothing/here/at/all").Shows(404, "Page not found")
		b.Get("/admin/"+s.OrganizationID.String()+"/keys").Shows(404, "Website not found")
		other := s.NewProgram("Rival")
		b.Get("/admin/"+other.WebsiteID.String()+"/keys").Shows(404, "Website not found")
	})
}

func TestAPasswordChangeEndsOtherSessions(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		here, there := s.SignInAdmin(tenancy.RoleViewer), s.NewBrowser()
		there.Post("/admin/sign-in", "email", here.Email, "password", apptest.Password).FollowsTo("/admin/")
		here.Get("/admin/account").Shows(200, "This browser", " the session from")
		here.Post("/admin/account/password", "old", "wrong", "password", "another password").
			Shows(400, "The password is wrong")
		here.Post("/admin/account/password", "old", apptest.Password, "password", "another password").
			FollowsTo("/admin/account").Shows(200, "Password changed").Hides(" the session from")
		there.Get("/admin/account").FollowsTo("/admin/sign-in")
		here.Post("/admin/account/profile", "name", "<b>Ines</b>", "timeZone", "Mars/Olympus").
			Shows(400, "Must be a time zone")
		here.Post("/admin/account/profile", "name", "<b>Ines</b>", "timeZone", "Asia/Tokyo").
			FollowsTo("/admin/account").Shows(200, "Profile saved", "<b>Ines</b>", "Asia/Tokyo")
		if strings.Contains(here.Get("/admin/account").Body, "<b>Ines</b>") {
			t.Error("a name is written without escaping")
		}
	})
}

// TestALinkNeverBeginsWithWhatTheCallerCallsTheHost invites through requests that name another host: a person who
// opened such a link there would give the token away.
func TestALinkNeverBeginsWithWhatTheCallerCallsTheHost(t *testing.T) {
	t.Parallel()
	for _, config := range []app.Config{
		{NoRateLimits: true},
		{NoRateLimits: true, PublicURL: "http://points.example/", Address: "http://127.0.0.1:8080"},
		{NoRateLimits: true, Address: "http://127.0.0.1:8080"},
	} {
		apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
			owner := s.SignInAdmin(tenancy.RoleSuperAdmin)
			owner.Host = "evil.example"
			owner.Post("/admin/sign-in", "email", owner.Email, "password", apptest.Password).FollowsTo("/admin/")
			made := owner.Post(owner.Site("/team"), "role", string(tenancy.RoleViewer), "email", "v@acme.example").
				Shows(200, "Send this link")
			link := textBetween(t, made.Body, `id="invitation">`, "<", "Send this link")
			want := strings.TrimSuffix(cmp.Or(config.PublicURL, config.Address), "/") + "/admin/link/"
			if !strings.HasPrefix(link, want) {
				t.Errorf("the link is %s, want it to begin with %s", link, want)
			}
		})
	}
}

func TestAHalfFinishedSignInEndsWithThePasswordAndInTime(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		offer := b.Post("/admin/account/second/offer", "confirm", apptest.Password).Shows(200, "otpauth://totp/Laurel:")
		secret := textBetween(t, offer.Body, `id="totp">`, "<", "Two-factor authentication")
		code := func() string {
			t.Helper()
			s.Clock.Advance(time.Minute)
			text, err := totp.GenerateCode(secret, s.Clock.Now())
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		b.Post("/admin/account/second", "code", code()).Shows(200, "These recovery codes are shown only")
		b.Get("/admin/account").Shows(200, "This browser")

		begin := func() *apptest.Browser {
			other := s.NewBrowser()
			other.Post("/admin/sign-in", "email", b.Email, "password", apptest.Password).FollowsTo("/admin/sign-in/second")
			return other
		}
		late := begin()
		s.Clock.Advance(10 * time.Minute)
		late.Post("/admin/sign-in/second", "code", code()).Shows(400, "Sign in again")
		late.Get("/admin/sign-in/second").FollowsTo("/admin/sign-in")

		thief := begin()
		b.Post("/admin/account/password", "old", apptest.Password, "password", "another password").FollowsTo("/admin/account")
		thief.Post("/admin/sign-in/second", "code", code()).Shows(400, "Sign in again")
		b.Get("/admin/account").Shows(200, "This browser")
	})
}

func TestOwnersInviteAndEveryChangeIsNoted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		owner, guest := s.SignInAdmin(tenancy.RoleSuperAdmin), s.NewBrowser()
		owner.Post(owner.Site("/team"), "role", "WEBSITE_API_KEY", "email", "x").
			Shows(400, "Must be an email address", "Must be a role of people")
		made := owner.Post(owner.Site("/team"), "role", string(tenancy.RoleModerator), "where", "website",
			"email", "guest@acme.example").Shows(200, "Send this link")
		link := "/admin/link/" + textBetween(t, made.Body, "/admin/link/", "<", "Send this link")
		guest.Get(link).Shows(200, "with the Support role")
		guest.Post(link, "email", "guest@acme.example", "password", apptest.Password).FollowsTo("/admin/")
		guest.Get(guest.Site("/team")).Shows(403, "The Support role")
		guest.Get(guest.Site("/keys")).Shows(403)
		team := owner.Get(owner.Site("/team")).Shows(200, "guest@acme.example")
		owner.Get(owner.Site("/activity")).Shows(200, "Invited an admin", owner.Email).Hides("Created an API key")

		guestID := textBetween(t, team.Body, "/team/", `"`, "guest@acme.example")
		owner.Post(owner.Site("/team/"+guestID), "role", string(tenancy.RoleDeveloper)).FollowsTo(owner.Site("/team"))
		guest.Get(guest.Site("/keys/new")).Shows(200)
		owner.Post(owner.Site("/team/" + guestID + "/end")).FollowsTo(owner.Site("/team"))
		guest.Get(guest.Site("/keys")).Shows(404, "Website not found")
		own := textBetween(t, team.Body, "/team/", `"`, owner.Email)
		open := owner.Post(owner.Site("/team"), "role", string(tenancy.RoleViewer), "email", "late@acme.example").
			Shows(200, "Send this link", "Open invitations", "late@acme.example")
		late := "/admin/link/" + textBetween(t, open.Body, "/admin/link/", "<", "Send this link")
		s.NewBrowser().Get(late).Shows(200, "with the Viewer role")
		withdrawn := textBetween(t, open.Body, "/team/invitations/", `/withdraw"`, "Open invitations")
		owner.Get(owner.Site("/team/invitations/"+withdrawn+"/withdraw")).
			Shows(200, "Revoke this invitation?", "late@acme.example", "Cancel")
		owner.Get(owner.Site("/team")).Shows(200, "late@acme.example").Hides(`method="post" action="` +
			owner.Site("/team/invitations/"+withdrawn+"/withdraw"))
		owner.Post(owner.Site("/team/invitations/"+withdrawn+"/withdraw")).FollowsTo(owner.Site("/team")).
			Shows(200, "Invitation revoked").Hides("late@acme.example")
		s.NewBrowser().Get(late).Shows(400, "already used or has expired")
		owner.Post(owner.Site("/team/invitations/"+withdrawn+"/withdraw")).Shows(404, "Invitation not found")
		owner.Get(owner.Site("/team/invitations/"+withdrawn+"/withdraw")).Shows(404, "Invitation not found")

		owner.Post(owner.Site("/team/limit"), "adjustADay", "many").Shows(400, "Must be a number", `value="many"`)
		owner.Post(owner.Site("/team/limit"), "adjustADay", "2,500").FollowsTo(owner.Site("/team")).Shows(200, `value="2,500"`)
		support := s.SignInAdmin(tenancy.RoleModerator)
		maren := s.User("maren-1", nil)
		support.Get(support.Site("/members/"+maren+"/adjust")).Shows(200, "at most 2,500 per currency")
		owner.Post(owner.Site("/team/"+own+"/end")).Shows(400, "An organization needs an owner")
		owner.Get(owner.Site("/activity")).Shows(200, "Removed an admin from the team", "Changed the role of an admin")
	})
}

// textBetween returns what stands between two texts, the first time after a third one.
func textBetween(t *testing.T, text, before, after, mark string) string {
	t.Helper()
	_, text, found := strings.Cut(text, mark)
	_, text, begun := strings.Cut(text, before)
	out, _, ended := strings.Cut(text, after)
	if !found || !begun || !ended {
		t.Fatalf("nothing between %q and %q after %q", before, after, mark)
	}
	return out
}
