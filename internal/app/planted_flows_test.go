package app_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/webhooks"
)

// loyaltyURL is the address of the service, as browsers know it.
const loyaltyURL = "http://loyalty.example"

// botToken is the operator's credential at the messenger, whose API takes it in the path.
const botToken = "4711:pl4nt-of-the-bot"

// smtpPassword is the password of the operator's mail server.
const smtpPassword = "pl4nt-of-the-mail-server"

// outside are the systems that flows of members lead to. Where they refuse, they repeat what was sent.
type outside struct {
	provider *apptest.Provider
	gateway  *apptest.SMSGateway
	mail     *apptest.MailReceiver
	platform *apptest.Platform
}

func newOutside(t *testing.T) outside {
	t.Helper()
	return outside{
		apptest.NewProvider(t), apptest.NewSMSGateway(t), apptest.NewMailReceiver(t, apptest.MailOptions{}),
		apptest.NewPlatform(t),
	}
}

// file writes the operator's file; a password in it keeps mails from being sent, since nothing is encrypted here.
func (o outside) file(t *testing.T, smtpPassword string) string {
	t.Helper()
	check := object{"url": o.platform.URL + "/code_host_repo_star/{platformId}", "path": "value", "headers": object{
		"Authorization": apptest.PlatformSecret,
	}}
	email := o.mail.Config()
	if smtpPassword != "" {
		email["url"] = "smtp://laurel:" + smtpPassword + "@" + o.mail.Address
	}
	return apptest.IdentityFile(t, object{
		"sms": o.gateway.Config(), "email": email,
		"admins": object{
			"issuer": o.provider.URL, "clientId": apptest.ProviderClient, "clientSecret": apptest.ProviderSecret, "label": "Acme ID",
		},
		"platforms": []object{
			apptest.Over(o.provider.Driver("code_host", "oidc"), object{"checks": object{"code_host_repo_star": check}}),
			o.provider.Driver("microblog", "oauth2"), o.provider.Driver("game_store", "openid2"),
			apptest.Over(o.provider.Driver("messenger", "signed_widget"), object{
				"api": object{"url": "http://127.0.0.1:1", "token": botToken}, // its requests fail, and that is logged
			}),
			o.provider.Driver("photo_platform", "profile_proof"),
		},
	})
}

// configured are the secrets of the operator's configuration, also as headers show them.
func configured() []string {
	basic := apptest.ProviderClient + ":" + apptest.ProviderSecret
	return []string{
		apptest.ProviderSecret, base64.StdEncoding.EncodeToString([]byte(basic)), apptest.PlatformSecret, apptest.SMSSecret,
		botToken, smtpPassword, base64.StdEncoding.EncodeToString([]byte("\x00laurel\x00" + smtpPassword)), instanceSecret,
	}
}

// errorRecorder keeps the responses of the service that tell of errors, and where they lead.
type errorRecorder struct {
	mu    sync.Mutex
	texts []string
}

func (e *errorRecorder) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || response.StatusCode < http.StatusBadRequest {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	response.Body = io.NopCloser(bytes.NewReader(body))
	e.mu.Lock()
	defer e.mu.Unlock()
	e.texts = append(e.texts, fmt.Sprintf("%s %s: %d %s", r.Method, r.URL.Path, response.StatusCode, body))
	return response, err
}

// plant adds secrets that the service has made. Short ones would be found in everything.
func (p *planter) plant(secrets ...string) {
	p.T.Helper()
	for _, s := range secrets {
		if len(s) < 10 {
			p.T.Fatalf("%q is no secret", s)
		}
	}
	p.made = append(p.made, secrets...)
}

// back plants what an address has in these parameters, and returns its path.
func (p *planter) back(address string, parameters ...string) string {
	p.T.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.T.Fatal(err)
	}
	for _, name := range parameters {
		if value := u.Query().Get(name); value != "" {
			p.plant(value)
		}
	}
	return strings.TrimPrefix(address, loyaltyURL)
}

// accounts connects accounts by flows of every kind, and lets providers refuse.
func (p *planter) accounts() {
	alice, bob := p.User(apptest.Alice, nil), p.User(apptest.Bob, nil)
	log := func(platform, user string) string {
		p.T.Helper()
		leads := p.Get("/api/" + platform + "/auth?responseType=json&userId=" + user).OK()["url"].(string)
		p.back(leads, "state", "nonce")
		if u, _ := url.Parse(leads); u.Query().Has("return_to") {
			p.back(u.Query().Get("return_to"), "state")
		}
		login := p.provider.LogIn(p.T, leads, apptest.ProviderAccount{ID: "of-" + platform, Name: "alice"})
		return p.back(login, "state", "code", "hash", "openid.sig", "openid.response_nonce")
	}
	for _, platform := range []string{"code_host", "microblog", "game_store", "messenger"} {
		for _, fault := range []int{0, 500, 403} {
			back := log(platform, alice)
			p.provider.Set(func(of *apptest.Provider) { of.Fault = fault })
			ended := p.Fetch(back)
			if isConnected := strings.Contains(ended.Body, "Account connected"); isConnected != (fault == 0 || platform == "messenger") {
				p.T.Errorf("%s with %d: %d %s", platform, fault, ended.Status, ended.Body)
			}
			p.Fetch(back)
			p.provider.Set(func(of *apptest.Provider) { of.Fault = 0 })
		}
		log(platform, alice) // its state stays stored
		held := p.Fetch(log(platform, bob))
		if held.Status != 400 || !strings.Contains(held.Body, "MAXIMUM_ACCOUNT_LINKED") {
			p.T.Errorf("%s of another member: %d %s", platform, held.Status, held.Body)
		}
	}
	if n := len(p.provider.Secrets()); n < 20 {
		p.T.Errorf("the provider has %d secrets", n)
	}
	p.plant(p.provider.Secrets()...)
	p.profiles(alice, bob)
	p.checks()
}

// profiles connects an account by its public profile, and moves it.
func (p *planter) profiles(alice, bob string) {
	for i, user := range []string{alice, bob} {
		started := p.Get("/api/photo_platform/auth?responseType=json&userId=" + user).OK()
		state, code := started["jwtState"].(string), started["code"].(string)
		p.plant(state, code)
		path := "/api/photo_platform/auth/connect?photoPlatformUsernameOrUrl=alice&state=" + url.QueryEscape(state)
		p.Get(path).OK()
		p.provider.Set(func(of *apptest.Provider) { of.Fault = 500 })
		p.Get(path).OK()
		p.provider.Set(func(of *apptest.Provider) { of.Fault, of.Profiles["alice"] = 0, code })
		ended := p.Get(path).OK()
		if ended["success"] != (i == 0) {
			p.T.Errorf("%d: %v", i, ended)
		}
		if link, _ := ended["accountLinkData"].(string); link != "" {
			p.plant(link)
			p.Post("/api/users/verify", object{"accountLinkData": link + "x"}).Refused(400, "Invalid account link")
			p.Post("/api/users/verify", object{"accountLinkData": link, "userId": alice}).
				Refused(400, "Account link belongs to another user")
			p.once("/api/users/verify", object{"accountLinkData": link, "userId": bob})
			p.Post("/api/users/verify", object{"accountLinkData": link}).Refused(400, "Invalid account link")
		}
	}
}

// checks asks a platform whether a member has earned a rule, which repeats the secret of the check where it refuses.
func (p *planter) checks() {
	rule := p.Rule("code_host_repo_star", object{"loyaltyCurrencyId": p.LoyaltyCurrencyID})
	for _, status := range []int{401, 404, 500, 0} {
		p.platform.Fail(status)
		p.Complete(rule, object{"walletAddress": apptest.Alice, "verifyOnly": true})
		p.Complete(rule, object{"walletAddress": apptest.Alice})
		p.RunCompletionJobs()
		p.Clock.Advance(time.Minute)
	}
	p.Complete(p.Rule("messenger_join", object{
		"loyaltyCurrencyId": p.LoyaltyCurrencyID, "metadata": object{"messengerChannelId": "@acme"},
	}), object{"walletAddress": apptest.Alice}).OK()
	p.RunCompletionJobs()
	if len(p.platform.TakeCalls()) < 4 {
		p.T.Error("the platform was not asked")
	}
}

// phones proves numbers, by codes of 6 digits, and lets the gateway refuse.
func (p *planter) phones() {
	codes := regexp.MustCompile(`\b\d{6}\b`)
	p.gateway.Say = func(m apptest.SMS) int {
		p.codes = append(p.codes, codes.FindString(m.Text))
		return []int{0, 500, 400, 429, 0, 0}[len(p.codes)-1]
	}
	for i := range 6 {
		path := []string{"/api/phone_verifications", "/api/phone/auth"}[i%2]
		body := object{"walletAddress": apptest.Wallet(100 + i), "phoneNumber": fmt.Sprint("+1555555012", i)}
		sent := p.Call(p.WebsiteAPIKey, "POST", path, body, "Idempotency-Key", fmt.Sprint("code ", i))
		if len(p.codes) != i+1 {
			p.T.Fatalf("%d codes: %s", len(p.codes), sent.Body)
		}
		connect := path + "/connect"
		body["code"] = "000000000"
		p.Post(connect, body).OK()
		body["code"] = p.codes[i] + "-" + p.codes[i] // too long
		p.Post(connect, body).Refused(400, "code must be at most 10 characters")
		if sent.Status == 200 && i > 0 { // the first code stays stored
			body["code"] = p.codes[i]
			p.once(connect, body)
		}
	}
}

// emails proves an address by a link, and lets the server refuse mails with all that is in them.
func (p *planter) emails() {
	ask := func(wallet string) apptest.Response {
		p.T.Helper()
		return p.Get("/api/email/auth?responseType=json&walletAddress=" + wallet + "&emailAddress=" + wallet[36:] + "@mail.example")
	}
	token := func() string {
		p.T.Helper()
		_, token, _ := strings.Cut(p.mail.LastLink(p.T), "token=")
		p.plant(token)
		return token
	}
	ask(apptest.Wallet(200)).OK()
	token() // it stays stored
	ask(apptest.Wallet(201)).OK()
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	body := url.Values{"token": {token()}}.Encode()
	for _, want := range []string{"connected", "INVALID_STATE"} {
		page := p.Send("POST", "/api/email/auth/callback", strings.NewReader(body), form...)
		if !strings.Contains(page.Body, want) {
			p.T.Errorf("%d %s", page.Status, page.Body)
		}
	}
	p.mail.RefuseText = func(m apptest.Mail) error {
		_, token, _ := strings.Cut(m.Text, "token=")
		p.plant(strings.Fields(token)[0])
		return errors.New("550 no: " + token)
	}
	if a := ask(apptest.Wallet(202)); a.Status != 503 {
		p.T.Errorf("%d %s", a.Status, a.Body)
	}
}

// hooks subscribes to everything, at an address that refuses at first and repeats what it got.
func (p *planter) hooks() *apptest.Receiver {
	out := apptest.NewReceiver(p.T.(*testing.T))
	out.Say = func(c apptest.Received) (int, map[string]string, string) { return 500, nil, fmt.Sprint(c.Header) }
	var tables []any
	for _, name := range webhooks.TableNames() {
		tables = append(tables, name)
	}
	made := p.Subscribe(out.URL, nil, tables...)
	rotated := p.Post("/api/stratus/subscriptions/"+made["id"].(string)+"/rotate_key", object{})
	p.plant(made["signingKey"].(string), rotated.OK()["signingKey"].(string))
	return out
}

// admins signs an owner in by a link and another time at the identity provider, and returns the browser.
func (p *planter) admins() *apptest.Browser {
	link, err := p.App.SignInLink(p.T.Context(), p.OrganizationID, "olga@acme.example", "Olga")
	if err != nil {
		p.T.Fatal(err)
	}
	p.plant(link[strings.LastIndexByte(link, '/')+1:])
	b := p.NewBrowser()
	p.cookies(b.Post(strings.TrimPrefix(link, loyaltyURL)))
	b.Get("/admin/").FollowsTo("/admin/")
	p.provider.Set(func(of *apptest.Provider) {
		of.Claims = object{"email": "olga@acme.example", "email_verified": true, "name": "Olga"}
	})
	for _, fault := range []int{500, 0} {
		other := p.NewBrowser()
		start := other.Get("/admin/sign-in/provider")
		p.cookies(start)
		p.back(start.Location, "state", "nonce")
		back := p.back(p.provider.LogIn(p.T, start.Location, apptest.ProviderAccount{ID: "olga", Name: "olga"}), "state", "code")
		p.provider.Set(func(of *apptest.Provider) { of.Fault = fault })
		ended := other.Get(back)
		if (ended.Status == 303) != (fault == 0) {
			p.T.Errorf("with %d: %d %s", fault, ended.Status, ended.Body)
		}
		p.cookies(ended)
	}
	p.plant(p.provider.Secrets()...)
	wrong := p.NewBrowser().Post("/admin/sign-in", "email", "olga@acme.example", "password", apptest.Password)
	if wrong.Status == 303 || strings.Contains(wrong.Body, apptest.Password) {
		p.T.Errorf("%d %s", wrong.Status, wrong.Body)
	}
	p.plant(apptest.Password)
	return b
}

// cookies plants the values of the cookies that a page sets.
func (p *planter) cookies(page apptest.Page) {
	p.T.Helper()
	found := 0
	for _, cookie := range (&http.Response{Header: page.Header}).Cookies() {
		if cookie.MaxAge >= 0 && len(cookie.Value) > 20 {
			p.plant(cookie.Value)
			found++
		}
	}
	if found == 0 && page.Status == http.StatusSeeOther {
		p.T.Errorf("no cookie: %v", page.Header)
	}
}

// keys makes an API key and plants it.
func (p *planter) keys() {
	body := object{"roleType": "WEBSITE_CLIENT_API_KEY", "name": "Shop", "allowedOrigins": []string{"https://shop.example"}}
	made := p.Call(p.WebsiteAPIKey, "POST", "/api/api_keys", body, "Idempotency-Key", "key").OK()
	p.plant(made["key"].(string))
	again := p.Call(p.WebsiteAPIKey, "POST", "/api/api_keys", body, "Idempotency-Key", "key")
	if p.found(again.Body) != "" || again.Header.Get("Idempotent-Replayed") != "true" {
		p.T.Errorf("the replay: %s", again.Body)
	}
	p.Call(made["key"].(string)+"x", "GET", "/api/users", nil).Refused(403, "Invalid API key")
	p.Call(made["key"].(string), "GET", "/api/users/me", nil, "Authorization", "Bearer "+made["key"].(string))
}

var linkOfPage = regexp.MustCompile(`href="([^"#]+)"`)

// pages opens every page of the dashboard that another one leads to, and returns their texts by path. One page stands
// for all of its path, whatever its query.
func (p *planter) pages(b *apptest.Browser) map[string]string {
	out := map[string]string{}
	waiting := []string{b.Site(""), "/admin/account", "/admin/websites"}
	for len(waiting) > 0 && len(out) < 300 {
		path := waiting[0]
		waiting = waiting[1:]
		bare, _, _ := strings.Cut(path, "?")
		if _, isKnown := out[bare]; isKnown || strings.Contains(path, "/assets/") {
			continue
		}
		page := b.Get(path)
		out[bare] = page.Body
		for _, link := range linkOfPage.FindAllStringSubmatch(page.Body, -1) {
			if to := html.UnescapeString(link[1]); strings.HasPrefix(to, "/admin/") {
				waiting = append(waiting, to)
			}
		}
	}
	for _, page := range []string{"/providers", "/activity", "/keys", "/members", "/subscriptions"} {
		if out[b.Site(page)] == "" {
			p.T.Errorf("no page leads to %s: %v", page, slices.Sorted(maps.Keys(out)))
		}
	}
	return out
}
