package dashboard_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/tenancy"
)

// ssoWorld is a server whose admins sign in at a provider.
type ssoWorld struct {
	*apptest.Server
	provider *apptest.Provider
	address  string          // of the database
	second   *apptest.Server // another node; nil: none
	logs     *syncBuffer
}

type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func eachSSO(t *testing.T, more apptest.Object, f func(t *testing.T, w *ssoWorld)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		f(t, openSSO(t, address, apptest.NewProvider(t), more))
	})
}

// openSSO starts a server with a provider.
func openSSO(
	t *testing.T, address string, p *apptest.Provider, more apptest.Object, changes ...func(c *app.Config),
) *ssoWorld {
	t.Helper()
	w := &ssoWorld{provider: p, address: address, logs: &syncBuffer{}}
	text, err := json.Marshal(apptest.Object{
		"admins": apptest.Over(apptest.Object{
			"issuer": w.provider.URL, "clientId": apptest.ProviderClient, "clientSecret": apptest.ProviderSecret,
			"label": "Acme ID",
		}, more),
		"platforms": []apptest.Object{w.provider.Driver("code_host", "oidc")},
	})
	if err != nil {
		t.Fatal(err)
	}
	config := app.Config{
		NoRateLimits: true, PublicURL: "http://loyalty.example", Identity: apptest.WriteConfig(t, string(text)),
		Logger: slog.New(slog.NewTextHandler(w.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, change := range changes {
		change(&config)
	}
	w.Server = apptest.OpenAtNoon(t, address, config)
	w.provider.Now = w.Clock.Now
	return w
}

// person is somebody at the provider.
func (w *ssoWorld) person(email any, verified any) {
	w.provider.Set(func(p *apptest.Provider) {
		p.Claims = apptest.Object{"email": email, "email_verified": verified, "name": "Pat of Acme"}
	})
}

// callback starts a flow in a browser, logs in at the provider and returns the path of the callback.
func (w *ssoWorld) callback(b *apptest.Browser, path, sub string) string {
	w.T.Helper()
	start := b.Get(path)
	if start.Status != 303 || !strings.HasPrefix(start.Location, w.provider.URL) {
		w.T.Fatalf("%s: %d to %s: %s", path, start.Status, start.Location, start.Body)
	}
	return pathOf(w.T, w.provider.LogIn(w.T, start.Location, apptest.ProviderAccount{ID: sub, Name: "pat"}))
}

func pathOf(t testing.TB, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.RequestURI()
}

const signInPath = "/admin/sign-in/provider"

func TestAnAdminSignsInAtTheProviderAndStaysLinked(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		admin := w.SignInAdmin(tenancy.RoleAdmin)
		b := w.NewBrowser()
		b.Get("/admin/sign-in?to=/account").Shows(200, "Sign in with Acme ID", signInPath+"?to=%2faccount")
		w.person(strings.ToUpper(admin.Email), true)
		b.Get(w.callback(b, signInPath+"?to=/account", "s1")).FollowsTo("/admin/account").
			Shows(200, "Sign-in with Acme ID", admin.Email, w.provider.URL, "Unlink")
		b.Get(signInPath).FollowsTo("/admin/")

		// the address changes at the provider, even to that of another admin: the account stays
		other := w.SignInAdmin(tenancy.RoleViewer)
		w.person(other.Email, true)
		again := w.NewBrowser()
		again.Get(w.callback(again, signInPath+"?to=/account", "s1")).FollowsTo("/admin/account").
			Shows(200, "<p>"+admin.Email+"</p>")
		// and a new owner of the old address does not get the account
		w.person(admin.Email, true)
		thief := w.NewBrowser()
		thief.Get(w.callback(thief, signInPath, "s2")).Shows(400, "is linked to another account at the identity provider")
		thief.Get("/admin/account").FollowsTo("/admin/sign-in")

		// unlinking ends the other sessions, and the address links anew
		page := b.Get("/admin/account").Shows(200, "Unlink")
		unlink := "/admin/account/identities/" + textBetween(t, page.Body, "/admin/account/identities/", "/", "Last used") + "/unlink"
		other.Post(unlink).Shows(404, "Identity")
		b.Post(unlink).FollowsTo("/admin/account").Shows(200, "Your account is linked when you first sign in")
		again.Get("/admin/account").FollowsTo("/admin/sign-in")
		b.Post(unlink).Shows(404, "Identity")
		thief.Get(w.callback(thief, signInPath+"?to=/account", "s2")).FollowsTo("/admin/account").Shows(200, admin.Email)
		thief.Post("/admin/sign-out").FollowsTo("/admin/sign-in")
		thief.Get("/admin/account").FollowsTo("/admin/sign-in")
	})
}

func TestWhoIsRefusedAtTheProviderGetsNoSession(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		admin := w.SignInAdmin(tenancy.RoleAdmin)
		refused := func(status int, text string, get func(b *apptest.Browser) apptest.Page) {
			t.Helper()
			b := w.NewBrowser()
			get(b).Shows(status, text)
			b.Get("/admin/account").FollowsTo("/admin/sign-in")
		}
		come := func(sub string) func(*apptest.Browser) apptest.Page {
			return func(b *apptest.Browser) apptest.Page { return b.Get(w.callback(b, signInPath, sub)) }
		}
		w.person("nobody@acme.example", true)
		refused(400, "Nobody with the e-mail address nobody@acme.example has an account here", come("x"))
		for _, verified := range []any{false, nil, "false", "", 1} {
			w.person(admin.Email, verified)
			refused(400, "has not verified your e-mail address", come("x"))
		}
		w.person(nil, true)
		refused(400, "has not verified your e-mail address", come("x"))
		w.person(admin.Email, true)
		const unknown = "This sign-in is not from this browser, or was used already"
		used := w.NewBrowser()
		back := w.callback(used, signInPath, "s1")
		refused(400, unknown, func(b *apptest.Browser) apptest.Page { return b.Get(back) }) // a foreign browser
		used.Get(back).FollowsTo("/admin/")
		used.Post("/admin/sign-out")
		used.Get(back).Shows(400, unknown) // replayed
		for _, query := range []string{"", "?state=x&code=y", "?code=y", "?error=%3Cscript%3Ealert(1)%3C/script%3E"} {
			b := w.NewBrowser()
			b.Get("/admin/sign-in/callback"+query).Shows(400, unknown).Hides("<script>alert")
		}
		refused(400, "Acme ID did not sign you in", func(b *apptest.Browser) apptest.Page {
			back := pathOf(t, w.provider.Deny(t, b.Get(signInPath).Location))
			return b.Get(back + "&error_description=%3Cscript%3Ealert(1)%3C/script%3E").Hides("<script>alert")
		})
		refused(400, "Your sign-in took too long", func(b *apptest.Browser) apptest.Page {
			back := w.callback(b, signInPath, "s1")
			w.Clock.Advance(11 * time.Minute)
			return b.Get(back)
		})
		refused(400, "Acme ID did not confirm who you are", func(b *apptest.Browser) apptest.Page {
			back := w.callback(b, signInPath, "s1")
			w.provider.Set(func(p *apptest.Provider) { p.Fault = 503 })
			defer w.provider.Set(func(p *apptest.Provider) { p.Fault = 0 })
			return b.Get(back)
		})
		refused(400, "Acme ID did not confirm who you are", func(b *apptest.Browser) apptest.Page {
			w.provider.Set(func(p *apptest.Provider) { p.Claims["nonce"] = "another" })
			return b.Get(w.callback(b, signInPath, "s1"))
		})
		refused(400, "Acme ID did not confirm who you are", func(b *apptest.Browser) apptest.Page {
			page := b.Get(w.callback(b, signInPath, "s1") + "&planted=a&planted=b")
			if strings.Contains(page.Body, "planted") || strings.Contains(page.Body, "state=") {
				t.Errorf("the page has the query of the callback: %s", page.Body)
			}
			return page
		})
		for _, secret := range []string{"c0de-", "acc3ss", "refr3sh", apptest.ProviderSecret, "id_token=", "planted"} {
			if strings.Contains(w.logs.String(), secret) {
				t.Errorf("the log has %s", secret)
			}
		}
	})
}

func TestStatesOfMembersAndAdminsAreNotMixedUp(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		admin := w.SignInAdmin(tenancy.RoleAdmin)
		w.person(admin.Email, true)
		address, _ := w.Get("/api/code_host/auth?responseType=json&walletAddress=" + apptest.Alice).OK()["url"].(string)
		member := pathOf(t, w.provider.LogIn(t, address, apptest.ProviderAccount{ID: "s1", Name: "pat"}))
		b := w.NewBrowser()
		b.Get(strings.Replace(member, "/api/code_host/auth/callback", "/admin/sign-in/callback", 1)).
			Shows(400, "This sign-in is not from this browser")
		own := w.callback(b, signInPath, "s1")
		b.Get(strings.Replace(own, "/admin/sign-in/callback", "/api/code_host/auth/callback", 1)).
			Shows(400, "The link is not valid or was used already")
		b.Get(own).FollowsTo("/admin/")
	})
}

func TestTheNextPageAfterTheProviderIsOneOfTheDashboard(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		admin := w.SignInAdmin(tenancy.RoleAdmin)
		w.person(admin.Email, true)
		for _, to := range []string{"//evil.example", "https://evil.example", `/\evil.example`, "/\t/evil.example", "/" + strings.Repeat("a", 2000)} {
			b := w.NewBrowser()
			p := b.Get(w.callback(b, signInPath+"?to="+url.QueryEscape(to), "s1"))
			if p.Status != 303 || p.Location != "/admin/" {
				t.Errorf("after %s: %d %s", to, p.Status, p.Location)
			}
		}
	})
}

func TestTheSameSubjectOfAnotherIssuerIsSomebodyElse(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		admin := w.SignInAdmin(tenancy.RoleAdmin)
		w.person(admin.Email, true)
		b := w.NewBrowser()
		b.Get(w.callback(b, signInPath, "s1")).FollowsTo("/admin/")
		other := openSSO(t, w.address, apptest.NewProvider(t), nil)
		other.person("nobody@acme.example", true)
		foreign := other.NewBrowser()
		foreign.Get(other.callback(foreign, signInPath, "s1")).Shows(400, "Nobody with the e-mail address")
	})
}

func TestAFlowEndsOnAnotherNodeOnce(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		admin := w.SignInAdmin(tenancy.RoleAdmin)
		w.person(admin.Email, true)
		b := w.NewBrowser()
		back := w.callback(b, signInPath, "s1")
		b.Server = openSSO(t, w.address, w.provider, nil).Server
		results := make(chan int, 4)
		for range 4 {
			go func() { results <- b.Get(back).Status }()
		}
		signedIn := 0
		for range 4 {
			if <-results == 303 {
				signedIn++
			}
		}
		if signedIn != 1 {
			t.Errorf("%d of 4 returns signed in", signedIn)
		}
	})
}

func TestTheSecondFactorFollowsTheProvider(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		admin := w.SignInAdmin(tenancy.RoleAdmin)
		offer := admin.Post("/admin/account/second/offer", "confirm", apptest.Password)
		secret := textBetween(t, offer.Body, `id="totp">`, "<", "Two-factor authentication")
		code := func() string {
			text, err := totp.GenerateCode(secret, w.Clock.Now())
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		admin.Post("/admin/account/second", "code", code()).Shows(200, "These recovery codes")
		w.Clock.Advance(time.Minute)
		w.person(admin.Email, true)
		b := w.NewBrowser()
		b.Get(w.callback(b, signInPath+"?to=/account", "s1")).FollowsTo("/admin/sign-in/second").
			Shows(200, "Two-factor authentication")
		b.Get("/admin/account").FollowsTo("/admin/sign-in")
		// somebody with the address at the provider, and without the code, does not take the place of the admin's account there
		thief := w.NewBrowser()
		thief.Get(w.callback(thief, signInPath, "s2")).FollowsTo("/admin/sign-in/second")
		admin.Get("/admin/account").Shows(200, "Your account is linked when you first sign in")
		b.Post("/admin/sign-in/second", "code", code()).FollowsTo("/admin/account").Shows(200, admin.Email, "Unlink")
		w.Clock.Advance(time.Minute)
		thief.Post("/admin/sign-in/second", "code", code()).Shows(400, "is linked to another account")
		again := w.NewBrowser()
		again.Get(w.callback(again, signInPath, "s2")).Shows(400, "is linked to another account")

		// a confirmation in a session that has given the second factor links, too
		page := b.Get("/admin/account")
		b.Post("/admin/account/identities/" +
			textBetween(t, page.Body, "/admin/account/identities/", "/", "Last used") + "/unlink").FollowsTo("/admin/account")
		b.Get(w.callback(b, "/admin/account/confirm?to=/account", "s1")).FollowsTo("/admin/account").
			Shows(200, "You confirmed that it’s you", "Unlink")
	})
}

func TestReturnsWithoutTheCookieLockNobodyOut(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		w := openSSO(t, address, apptest.NewProvider(t), nil, func(c *app.Config) { c.NoRateLimits = false })
		admin := w.SignInAdmin(tenancy.RoleAdmin)
		w.person(admin.Email, true)
		for range 60 {
			w.NewBrowser().Get("/admin/sign-in/callback?state=x&code=y").Shows(400, "This sign-in is not from this browser")
			w.Clock.Advance(time.Second)
		}
		b := w.NewBrowser()
		b.Post("/admin/sign-in", "email", admin.Email, "password", apptest.Password).FollowsTo("/admin/")
		b = w.NewBrowser()
		b.Get(w.callback(b, signInPath, "s1")).FollowsTo("/admin/")
	})
}

// TestSignInIsUnavailableWhileTheProvidersKeysAre lets the provider answer everything but the question for its keys.
func TestSignInIsUnavailableWhileTheProvidersKeysAre(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		w.person(w.SignInAdmin(tenancy.RoleAdmin).Email, true)
		come := func(fault int) apptest.Page {
			w.provider.Set(func(p *apptest.Provider) { p.Fault, p.FaultAt = fault, "/jwks" })
			b := w.NewBrowser()
			return b.Get(w.callback(b, signInPath, "s1"))
		}
		come(503).Shows(400, "Acme ID did not confirm who you are. Try again later")
		come(404).Shows(400, "Acme ID did not confirm who you are. Sign in again")
		come(0).FollowsTo("/admin/")
		come(503).FollowsTo("/admin/") // its keys are known by now
	})
}

func TestRefusedReturnsAreLimited(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		w := openSSO(t, address, apptest.NewProvider(t), nil, func(c *app.Config) { c.NoRateLimits = false })
		admin := w.SignInAdmin(tenancy.RoleAdmin)
		w.person("nobody@acme.example", true)
		try := func(i int) apptest.Page {
			b := w.NewBrowser()
			w.Clock.Advance(time.Second)
			if i%10 == 0 {
				return b.Get(w.callback(b, signInPath, "s1")) // nobody here
			}
			back := pathOf(t, w.provider.Deny(t, b.Get(signInPath).Location))
			return b.Get(strings.Replace(back, "error=access_denied", "code=made-up", 1))
		}
		for i := range 50 {
			try(i).Shows(400)
		}
		w.person(admin.Email, true)
		asked := len(w.provider.Secrets())
		b := w.NewBrowser()
		b.Get(w.callback(b, signInPath, "s1")).Shows(429, "Too many tries")
		if n := len(w.provider.Secrets()); n > asked+1 { // the code that the provider has handed out
			t.Errorf("the provider was asked after the limit: %d secrets more", n-asked)
		}
		// passwords have a limit of their own
		b.Post("/admin/sign-in", "email", admin.Email, "password", apptest.Password).FollowsTo("/admin/")
		w.Clock.Advance(16 * time.Minute)
		b = w.NewBrowser()
		b.Get(w.callback(b, signInPath, "s1")).FollowsTo("/admin/")
	})
}

func TestARecoveryUnlinksAccountsAtTheProvider(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]apptest.Object{"passwords": nil, "none": {"passwordSignIn": false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachSSO(t, more, func(t *testing.T, w *ssoWorld) {
				const office = "office@acme.example"
				if _, err := w.App.Admins.FindOrCreateOwner(t.Context(), w.OrganizationID, office, "Office"); err != nil {
					t.Fatal(err)
				}
				w.person(office, true)
				before := w.NewBrowser()
				before.Get(w.callback(before, signInPath, "anna")).FollowsTo("/admin/")
				link, err := w.App.RecoveryLink(t.Context(), office)
				if err != nil {
					t.Fatal(err)
				}
				w.NewBrowser().Post(link, "password", apptest.Password).FollowsTo("/admin/")
				successor := w.NewBrowser()
				successor.Get(w.callback(successor, signInPath, "ben")).FollowsTo("/admin/")
				w.person("anna@acme.example", true)
				before.Get("/admin/account").FollowsTo("/admin/sign-in")
				before.Get(w.callback(before, signInPath, "anna")).Shows(400, "Nobody with the e-mail address anna@acme.example")
			})
		})
	}
}

func TestAConfirmationNeedsANewLogin(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		admin := w.SignInAdmin(tenancy.RoleAdmin)
		w.person(admin.Email, true)
		admin.Get(w.callback(admin, "/admin/account/confirm?to=/account", "s1")).FollowsTo("/admin/account").
			Shows(200, "You confirmed that it’s you")
		const old = "Acme ID did not ask you to sign in again"
		start := admin.Get("/admin/account/confirm?to=/account").Location
		removed := strings.NewReplacer("&prompt=login", "", "&max_age=0", "").Replace(start)
		if len(removed) != len(start)-len("&prompt=login&max_age=0") {
			t.Fatalf("a confirmation asks by %s", start)
		}
		admin.Get(pathOf(t, w.provider.LogIn(t, removed, apptest.ProviderAccount{ID: "s1"}))).Shows(400, old)
		for at, shown := range map[time.Duration]string{-2 * time.Minute: old, -time.Hour: old, -30 * time.Second: ""} {
			w.provider.Set(func(p *apptest.Provider) { p.Claims["auth_time"] = w.Clock.Now().Add(at).Unix() })
			page := admin.Get(w.callback(admin, "/admin/account/confirm?to=/account", "s1"))
			if shown == "" {
				page.FollowsTo("/admin/account")
			} else {
				page.Shows(400, shown)
			}
		}
		// the operator of a provider without the claim trusts the question alone
		w.provider.Set(func(p *apptest.Provider) { p.Claims["auth_time"] = nil })
		admin.Get(w.callback(admin, "/admin/account/confirm?to=/account", "s1")).Shows(400, old)
		admin.Server = openSSO(t, w.address, w.provider, apptest.Object{"authTime": false}).Server
		admin.Get(w.callback(admin, "/admin/account/confirm?to=/account", "s1")).FollowsTo("/admin/account")
	})
}

func TestAnAddressThatUserInfoCallsVerifiedCounts(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		admin := w.SignInAdmin(tenancy.RoleAdmin)
		named := func(email, verified any) {
			w.provider.Set(func(p *apptest.Provider) {
				p.UserInfo = apptest.Object{"email": email, "email_verified": verified}
			})
		}
		b := w.NewBrowser()
		w.person(admin.Email, nil)
		named(nil, true) // of another document than the address
		b.Get(w.callback(b, signInPath, "s1")).Shows(400, "has not verified your e-mail address")
		named(admin.Email, false)
		b.Get(w.callback(b, signInPath, "s1")).Shows(400, "has not verified your e-mail address")
		named(admin.Email, true)
		b.Get(w.callback(b, signInPath+"?to=/account", "s1")).FollowsTo("/admin/account").Shows(200, admin.Email)
	})
}

func TestALetterThatOnlyLooksAlikeIsSomebodyElse(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		const kelvin = "\u212Aim@acme.example"
		invite := oneTimeLink{
			Kind: admins.InviteLink, OrganizationID: w.OrganizationID, Role: tenancy.RoleViewer, Email: "kim@acme.example",
		}.token(t, w.Server)
		b := w.NewBrowser()
		w.person(kelvin, true)
		b.Get(w.callback(b, invite+"/provider", "s2")).Shows(400)
		b.Get("/admin/account").FollowsTo("/admin/sign-in")
		w.person("KIM@acme.example", true)
		b.Get(w.callback(b, invite+"/provider", "s1")).FollowsTo("/admin/")
		thief := w.NewBrowser()
		w.person(kelvin, true)
		thief.Get(w.callback(thief, signInPath, "s2")).Shows(400, "Nobody with the e-mail address")
	})
}

// comeAtOnce lets browsers return from the provider at once, by turns on two nodes, and returns how many are signed in.
func (w *ssoWorld) comeAtOnce(path string, subs ...string) int {
	w.T.Helper()
	results := make(chan int, len(subs))
	begin := make(chan struct{})
	for i, sub := range subs {
		b := w.NewBrowser()
		back := w.callback(b, path, sub)
		if i%2 == 1 {
			b.Server = w.second
		}
		go func() {
			<-begin
			results <- b.Get(back).Status
		}()
	}
	close(begin)
	signedIn := 0
	for range subs {
		if <-results == 303 {
			signedIn++
		}
	}
	return signedIn
}

func TestFirstSignInsAtOnce(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		w.second = openSSO(t, w.address, w.provider, nil).Server
		invite := oneTimeLink{
			Kind: admins.InviteLink, OrganizationID: w.OrganizationID, Role: tenancy.RoleViewer, Email: "v@acme.example",
		}.token(t, w.Server)
		w.person("v@acme.example", true)
		if n := w.comeAtOnce(invite+"/provider", "v1", "v2", "v3", "v4"); n != 1 {
			t.Errorf("%d of 4 people joined by one invitation", n)
		}
		same, different := w.SignInAdmin(tenancy.RoleAdmin), w.SignInAdmin(tenancy.RoleAdmin)
		w.person(same.Email, true)
		if n := w.comeAtOnce(signInPath, "s1", "s1", "s1", "s1", "s1", "s1"); n != 6 {
			t.Errorf("%d of 6 tabs of one account signed in", n)
		}
		w.person(different.Email, true)
		if n := w.comeAtOnce(signInPath, "d1", "d2", "d3", "d4", "d5", "d6"); n != 1 {
			t.Errorf("%d of 6 accounts with one address signed in", n)
		}
	})
}

func TestPeopleJoinAndWorkWithoutPasswords(t *testing.T) {
	t.Parallel()
	eachSSO(t, apptest.Object{"passwordSignIn": false}, func(t *testing.T, w *ssoWorld) {
		setup := oneTimeLink{Kind: admins.SetupLink}.token(t, w.Server)
		b := w.NewBrowser()
		b.Get(setup).Shows(200, "Continue with Acme ID").Hides(`type="password"`, `type="email"`)
		b.Post(setup, "email", "a@acme.example", "password", apptest.Password).Shows(400, "Passwords are turned off")
		w.person("owner@acme.example", false)
		b.Get(w.callback(b, setup+"/provider", "s1")).Shows(400, "has not verified your e-mail address")
		w.person("owner@acme.example", true)
		b.Get(w.callback(b, setup+"/provider", "s1")).FollowsTo("/admin/")
		b.Get("/admin/account").Shows(200, "owner@acme.example", "Pat of Acme", "To confirm that it’s you, sign in again").
			Hides("Current password", `name="confirm"`)

		// sensitive actions are confirmed at the provider
		keys := b.Site("/keys")
		b.Get(keys+"/new").Shows(200, "To confirm that it’s you, sign in again").Hides(`name="confirm"`)
		b.Post(keys, "roleType", "WEBSITE_API_KEY", "name", "Shop").Shows(400, "Confirm with Acme ID first")
		start := b.Get("/admin/account/confirm?to=" + url.QueryEscape(strings.TrimPrefix(keys, "/admin")+"/new"))
		if !strings.Contains(start.Location, "prompt=login") {
			t.Errorf("a confirmation asks by %s", start.Location)
		}
		b.Get(pathOf(t, w.provider.LogIn(t, start.Location, apptest.ProviderAccount{ID: "s1"}))).
			FollowsTo(keys+"/new").Shows(200, "You confirmed with Acme ID")
		b.Post(keys, "roleType", "WEBSITE_API_KEY", "name", "Shop").Shows(200, "Your new API key")
		w.Clock.Advance(11 * time.Minute)
		b.Post(keys, "roleType", "WEBSITE_API_KEY", "name", "Shop").Shows(400, "Confirm with Acme ID first")

		// an invitation is for its address alone
		invite := oneTimeLink{
			Kind: admins.InviteLink, OrganizationID: w.OrganizationID, Role: tenancy.RoleViewer, Email: "v@acme.example",
		}.token(t, w.Server)
		viewer := w.NewBrowser()
		w.person("x@acme.example", true)
		viewer.Get(w.callback(viewer, invite+"/provider", "s2")).Shows(400, "This invitation is for another e-mail address")
		w.person("v@acme.example", true)
		viewer.Get(w.callback(viewer, invite+"/provider", "s3")).FollowsTo("/admin/")
		viewer.Get(viewer.Site("/keys")).Shows(403, "The Viewer role can’t")
		start = viewer.Get("/admin/account/confirm?to=/account")
		w.person("owner@acme.example", true)
		viewer.Get(pathOf(t, w.provider.LogIn(t, start.Location, apptest.ProviderAccount{ID: "s1"}))).
			Shows(400, "You signed in there as another admin")

		// nobody signs in by password, and the command line lets people in
		b.Post("/admin/account/password", "old", "", "password", apptest.Password).Shows(400, "Passwords are turned off")
		out := w.NewBrowser()
		out.Get("/admin/sign-in").Shows(200, "Sign in with Acme ID").Hides(`type="password"`)
		out.Post("/admin/sign-in", "email", "v@acme.example", "password", "").Shows(400, "Passwords are turned off")
		link, err := w.App.RecoveryLink(t.Context(), "v@acme.example")
		if err != nil {
			t.Fatal(err)
		}
		out.Get(link).Shows(200, "Sign in").Hides(`type="password"`)
		out.Get(link+"/provider").Shows(404, "Page")
		out.Post(link).FollowsTo("/admin/")
		viewer.Get("/admin/account").FollowsTo("/admin/sign-in")
	})
}

func TestWithoutAProviderNothingLeadsToOne(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get("/admin/account").Shows(200, "Password").Hides("Sign-in with", "/account/confirm")
		b.Get("/admin/account/confirm").Shows(404, "Page")
		out := s.NewBrowser()
		out.Get("/admin/sign-in").Shows(200, "Sign in").Hides("/sign-in/provider")
		out.Get(signInPath).Shows(404, "Page")
		out.Get("/admin/sign-in/callback?state=x&code=y").Shows(404, "Page")
	})
}

// TestAnAccountOfAFormerProviderIsMarked gives the server another provider, and takes that away.
func TestAnAccountOfAFormerProviderIsMarked(t *testing.T) {
	t.Parallel()
	eachSSO(t, nil, func(t *testing.T, w *ssoWorld) {
		const marked, offer = "No longer used", "Your account is linked when you first sign in with Acme ID"
		b := w.SignInAdmin(tenancy.RoleAdmin)
		w.person(b.Email, true)
		first := w.NewBrowser()
		first.Get(w.callback(first, signInPath+"?to=/account", "s1")).FollowsTo("/admin/account").
			Shows(200, w.provider.URL, "Unlink").Hides(marked, offer)

		other := openSSO(t, w.address, apptest.NewProvider(t), nil)
		b.Server = other.Server
		page := b.Get("/admin/account").Shows(200, w.provider.URL, marked, offer, "configured again")
		former := "/admin/account/identities/" + textBetween(t, page.Body, "/admin/account/identities/", "/", "Last used")
		other.person(b.Email, true)
		second := other.NewBrowser()
		page = second.Get(other.callback(second, signInPath+"?to=/account", "s2")).FollowsTo("/admin/account").
			Shows(200, other.provider.URL, w.provider.URL, marked).Hides(offer)
		if n := strings.Count(page.Body, marked); n != 1 {
			t.Errorf("%d accounts are marked", n)
		}
		second.Post(former+"/unlink").FollowsTo("/admin/account").Shows(200, other.provider.URL).Hides(w.provider.URL, marked)

		second.Server = apptest.OpenAtNoon(t, w.address, app.Config{NoRateLimits: true})
		second.Get("/admin/account").Shows(200, other.provider.URL, marked).Hides(offer)
	})
}
