package connect_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

var account = apptest.ProviderAccount{ID: "77", Name: "alice"}

// TestAProviderThatDoesNotConfirmTheAccountConnectsNothing covers wrong answers, answers of another provider, and
// providers that do not answer.
func TestAProviderThatDoesNotConfirmTheAccountConnectsNothing(t *testing.T) {
	t.Parallel()
	each(t, ofKind("oidc"), func(t *testing.T, w *world) {
		noon := apptest.Noon.Unix()
		for name, wrong := range map[string]func(p *apptest.Provider){
			"issuer":             func(p *apptest.Provider) { p.Claims = object{"iss": "https://other.example"} },
			"audience":           func(p *apptest.Provider) { p.Claims = object{"aud": "another-client"} },
			"audiences":          func(p *apptest.Provider) { p.Claims = object{"aud": []string{apptest.ProviderClient, "x"}} },
			"authorized party":   func(p *apptest.Provider) { p.Claims = object{"azp": "another-client"} },
			"nonce":              func(p *apptest.Provider) { p.Claims = object{"nonce": "another"} },
			"no nonce":           func(p *apptest.Provider) { p.Claims = object{"nonce": nil} },
			"expired":            func(p *apptest.Provider) { p.Claims = object{"exp": noon - 60} },
			"no subject":         func(p *apptest.Provider) { p.Claims, p.UserInfo = object{"sub": ""}, object{"sub": ""} },
			"userinfo of others": func(p *apptest.Provider) { p.UserInfo = object{"sub": "someone-else"} },
			"500":                func(p *apptest.Provider) { p.Fault = 500 },
			"429":                func(p *apptest.Provider) { p.Fault = 429 },
			"403":                func(p *apptest.Provider) { p.Fault = 403 },
		} {
			back := w.provider.LogIn(t, w.start("web_account", w.user), account)
			w.provider.Set(wrong)
			_, outcome := w.comeBack(back)
			mustFail(t, name, outcome, "PROVIDER_ERROR")
			w.provider.Set(func(p *apptest.Provider) { p.Claims, p.UserInfo, p.Fault = nil, nil, 0 })
		}
		// what comes back is not what the provider has sent
		for name, change := range map[string]func(q url.Values){
			"another code":      func(q url.Values) { q.Set("code", "c0de-of-nobody") },
			"no code":           func(q url.Values) { q.Del("code") },
			"two codes":         func(q url.Values) { q.Add("code", "c0de-2") },
			"of another issuer": func(q url.Values) { q.Set("iss", "https://other.example") },
		} {
			back, _ := url.Parse(w.provider.LogIn(t, w.start("web_account", w.user), account))
			q := back.Query()
			change(q)
			back.RawQuery = q.Encode()
			_, outcome := w.comeBack(back.String())
			mustFail(t, name, outcome, "PROVIDER_ERROR")
		}
		// a code of one flow is worth nothing in another: PKCE and the nonce bind it
		first := w.provider.LogIn(t, w.start("web_account", w.user), account)
		other, _ := url.Parse(w.provider.LogIn(t, w.start("web_account", w.User(apptest.Bob, nil)), account))
		q := other.Query()
		u, _ := url.Parse(first)
		q.Set("code", u.Query().Get("code"))
		other.RawQuery = q.Encode()
		_, outcome := w.comeBack(other.String())
		mustFail(t, "the code of another flow", outcome, "PROVIDER_ERROR")
		if m := w.metadata(w.user); m["webAccountUserId"] != nil {
			t.Errorf("connected %v", m["webAccountUserId"])
		}
	})
}

// TestAProviderThatNamesItsIssuerIsNotMixedUp holds RFC 9207: where the provider announces iss, an answer without it,
// or of another issuer, counts for nothing.
func TestAProviderThatNamesItsIssuerIsNotMixedUp(t *testing.T) {
	t.Parallel()
	each(t, func(p *apptest.Provider) []object {
		p.NamesIssuer = true
		return ofKind("oidc")(p)
	}, func(t *testing.T, w *world) {
		mustSucceed(t, "with iss", w.logIn("web_account", w.user, account), "web_account")
		for name, iss := range map[string]string{"none": "", "another": "https://evil.example"} {
			back, _ := url.Parse(w.provider.LogIn(t, w.start("web_account", w.user), account))
			q := back.Query()
			q.Set("iss", iss)
			back.RawQuery = q.Encode()
			_, outcome := w.comeBack(back.String())
			mustFail(t, name, outcome, "PROVIDER_ERROR")
		}
	})
}

// TestForgedAnswersOfWidgetsAndAssertionsConnectNothing changes each parameter of signed answers.
func TestForgedAnswersOfWidgetsAndAssertionsConnectNothing(t *testing.T) {
	t.Parallel()
	for kind, changes := range map[string]map[string]string{
		"signed_widget": {"id": "78", "username": "mallory", "auth_date": "1768392001", "hash": strings.Repeat("0", 64), "more": "1"},
		"openid2": {
			"openid.claimed_id": "", "openid.identity": "https://evil.example/id/77", "openid.return_to": "https://evil.example",
			"openid.op_endpoint": "https://evil.example/openid", "openid.ns": "1", "openid.sig": "AAAA",
			"openid.signed": "op_endpoint,return_to", "openid.response_nonce": "", "openid.assoc_handle": "2",
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			each(t, ofKind(kind), func(t *testing.T, w *world) {
				for name, value := range changes {
					back, _ := url.Parse(w.provider.LogIn(t, w.start("game_store", w.user), account))
					q := back.Query()
					q.Set(name, value)
					back.RawQuery = q.Encode()
					_, outcome := w.comeBack(back.String())
					mustFail(t, name, outcome, "PROVIDER_ERROR")
				}
				if kind == "openid2" { // both ids are changed, so that they agree with each other
					back, _ := url.Parse(w.provider.LogIn(t, w.start("game_store", w.user), account))
					q := back.Query()
					q.Set("openid.claimed_id", "https://evil.example/id/77")
					q.Set("openid.identity", "https://evil.example/id/77")
					back.RawQuery = q.Encode()
					_, outcome := w.comeBack(back.String())
					mustFail(t, "a claimed id elsewhere", outcome, "PROVIDER_ERROR")
				} else { // signed, but too long ago
					leads := w.start("game_store", w.user)
					w.provider.Set(func(p *apptest.Provider) { p.Now = func() time.Time { return apptest.Noon.Add(-11 * time.Minute) } })
					_, outcome := w.comeBack(w.provider.LogIn(t, leads, account))
					mustFail(t, "an old answer", outcome, "PROVIDER_ERROR")
				}
				if m := w.metadata(w.user); m["gameStoreUserId"] != nil {
					t.Errorf("connected %v", m["gameStoreUserId"])
				}
			})
		})
	}
}

// TestASignedAnswerOfAWidgetCountsOnce repeats an answer that somebody has seen in the address of a browser: with a
// state of another member, of another platform of the same widget, and with the letters of the hash in another case.
func TestASignedAnswerOfAWidgetCountsOnce(t *testing.T) {
	t.Parallel()
	each(t, ofKind("signed_widget"), func(t *testing.T, w *world) {
		bob := w.User(apptest.Bob, nil)
		answer := w.provider.LogIn(t, w.start("messenger", w.user), account)
		_, outcome := w.comeBack(answer)
		mustSucceed(t, "Alice", outcome, "messenger")
		w.request(w.callers(w.user)[1], "DELETE", "/api/messenger/auth", object{"userId": w.user}).OK()
		seen, _ := url.Parse(answer)
		repeat := func(name, platform, hash string) {
			t.Helper()
			leads, _ := url.Parse(w.start(platform, bob))
			back, _ := url.Parse(leads.Query().Get("return_to"))
			q := seen.Query()
			q.Set("state", back.Query().Get("state"))
			q.Set("hash", hash)
			back.RawQuery = q.Encode()
			_, outcome := w.comeBack(back.String())
			mustFail(t, name, outcome, "INVALID_STATE")
		}
		hash := seen.Query().Get("hash")
		repeat("another state", "messenger", hash)
		repeat("in upper case", "messenger", strings.ToUpper(hash))
		repeat("another platform", "game_store", hash)
		if m := w.metadata(bob); m["messengerUserId"] != nil || m["gameStoreUserId"] != nil {
			t.Errorf("Bob has connected Alice's account: %v", m)
		}
		w.provider.Set(func(p *apptest.Provider) { p.Fault = 500 }) // it is not asked anyway
		mustSucceed(t, "a new login", w.logIn("messenger", bob, account), "messenger")
		w.Clock.Advance(2 * time.Hour)
		if err := w.App.Flows.RemoveOld(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := apptest.QueryCount(t, w.address, "SELECT COUNT(*) FROM connect_answers"); n != 0 {
			t.Errorf("%d answers are left", n)
		}
	})
}

// TestARedirectLeadsOnlyWhereTheKeyMayLead covers open redirects.
func TestARedirectLeadsOnlyWhereTheKeyMayLead(t *testing.T) {
	t.Parallel()
	each(t, ofKind("oauth2"), func(t *testing.T, w *world) {
		const invalid, refused = "redirect must be a valid url", "redirect is not allowed"
		const tooLong = "redirect must be at most 2048 characters"
		for redirect, want := range map[string][2]string{ // of a secret key, of a client key
			"":                                                  {},
			shop + "/done":                                      {},
			"HTTPS://Shop.Example:443/done":                     {},
			"https://home.example/anywhere":                     {},
			"http://home.example/":                              {"", refused},
			"https://shop.example.evil.example/":                {"", refused},
			"https://evil.example/?" + shop:                     {"", refused},
			"https://evil.example/#" + shop:                     {"", refused},
			"https://shop.example:8443/":                        {"", refused},
			"clubapp://connected":                               {"", refused},
			"com.example.club:/connected":                       {"", refused},
			"https://shop.example@evil.example/":                {invalid, invalid},
			"https://user:pw@shop.example/":                     {invalid, invalid},
			`https://shop.example\@evil.example/`:               {invalid, invalid},
			"//shop.example/":                                   {invalid, invalid},
			"/done":                                             {invalid, invalid},
			"https:shop.example":                                {invalid, invalid},
			"https:///shop.example":                             {invalid, invalid},
			"javascript:alert(1)":                               {invalid, invalid},
			"JavaScript://shop.example/%0aalert(1)":             {invalid, invalid},
			"data:text/html,hello":                              {invalid, invalid},
			"file:///etc/passwd":                                {invalid, invalid},
			"https://shop.example/\r\nX-Evil: 1":                {invalid, invalid},
			"https://shop.example/" + strings.Repeat("a", 2048): {tooLong, tooLong},
		} {
			for i, c := range w.callers(w.user)[1:] {
				path := "/api/microblog/auth?responseType=json&userId=" + w.user + "&redirect=" + url.QueryEscape(redirect)
				answer := w.request(c, "GET", path, nil)
				if want[i] != "" {
					answer.Refused(400, want[i])
					continue
				}
				got, outcome := w.comeBack(w.provider.LogIn(t, answer.OK()["url"].(string), account))
				mustSucceed(t, redirect, outcome, "microblog")
				if redirect == "" && !strings.HasPrefix(got.String(), home+"&status=success") {
					t.Errorf("without redirect it leads to %s", got)
				}
			}
		}
		w.Post("/api/websites/"+w.WebsiteID.String(), object{"homeUrl": nil}).OK()
		w.NewBrowser().Get(w.pathOf(w.provider.LogIn(t, w.start("microblog", w.user), account))).Shows(200, "Account connected")
		page := w.NewBrowser().Get(w.pathOf(w.provider.Deny(t, w.start("microblog", w.user)))).Shows(400, "ACCESS_DENIED")
		if csp := page.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
			t.Errorf("the page has the policy %q", csp)
		}
	})
}

// TestAFlowOfABrowserEndsInThatBrowser holds that a flow which a browser starts by a redirect cannot be ended in
// another one, which would connect the account of who started it to nobody's knowledge.
func TestAFlowOfABrowserEndsInThatBrowser(t *testing.T) {
	t.Parallel()
	each(t, ofKind("oauth2"), func(t *testing.T, w *world) {
		path := "/api/microblog/auth?userId=" + w.user
		started := w.Call(w.WebsiteAPIKey, "GET", path, nil, "Sec-Fetch-Mode", "navigate")
		cookie := started.Header.Get("Set-Cookie")
		if started.Status != http.StatusFound || !strings.Contains(cookie, "; HttpOnly; Secure; SameSite=Lax") ||
			!strings.Contains(cookie, "Path=/club/api/microblog/auth/callback; Max-Age=600") ||
			started.Header.Get("Location") != started.JSON()["url"] {
			t.Fatalf("%d, %s: %s", started.Status, cookie, started.Body)
		}
		back := w.pathOf(w.provider.LogIn(t, started.Header.Get("Location"), account))
		pair, _, _ := strings.Cut(cookie, ";")
		cookieName, _, _ := strings.Cut(pair, "=")
		for name, sent := range map[string]string{"none": "", "another": cookieName + "=AAAA"} {
			ended := w.Send("GET", back, nil, "Cookie", sent)
			if !strings.Contains(ended.Header.Get("Location"), "error=INVALID_STATE") {
				t.Errorf("%s: %d, %s", name, ended.Status, ended.Header.Get("Location"))
			}
		}
		ended := w.Send("GET", back, nil, "Cookie", pair)
		if !strings.Contains(ended.Header.Get("Location"), "status=success") {
			t.Errorf("with its cookie: %d, %s", ended.Status, ended.Header.Get("Location"))
		}
		// a server that passes the redirect on needs no cookie
		started = w.Call(w.WebsiteAPIKey, "GET", path, nil)
		if started.Status != http.StatusFound || started.Header.Get("Set-Cookie") != "" {
			t.Errorf("a server gets %d, %s", started.Status, started.Header.Get("Set-Cookie"))
		}
	})
}

func TestAnAccountOfAnotherMemberIsRefusedWithALink(t *testing.T) {
	t.Parallel()
	each(t, func(p *apptest.Provider) []object {
		return append(ofKind("oauth2")(p)[:0], p.Driver("microblog", "oauth2"), p.Driver("photo_platform", "profile_proof"))
	}, func(t *testing.T, w *world) {
		bob := w.User(apptest.Bob, nil)
		mustSucceed(t, "Alice", w.logIn("microblog", w.user, account), "microblog")
		mustSucceed(t, "Alice again", w.logIn("microblog", w.user, account), "microblog")
		outcome := w.logIn("microblog", bob, account)
		mustFail(t, "Bob", outcome, "MAXIMUM_ACCOUNT_LINKED")
		if outcome.Get("message") != "Microblog account is already connected to another user" {
			t.Errorf("Bob gets the message %q", outcome.Get("message"))
		}
		w.Post("/api/users/verify", object{"accountLinkData": outcome.Get("accountLinkData"), "userId": bob}).OK()
		if a, b := w.metadata(w.user)["microblogUserId"], w.metadata(bob)["microblogUserId"]; a != nil || b != "77" {
			t.Errorf("after the move Alice has %v and Bob %v", a, b)
		}
		// of a group mate
		w.In(apptest.Alice, "family")
		w.In(apptest.Bob, "family")
		mustSucceed(t, "a group mate", w.logIn("microblog", w.user, account), "microblog")

		w.prove(t, "Alice", "photo_platform", w.callers(w.user)[1], "alice_photos")
		carol := w.User(apptest.Carol, nil)
		started := w.Get("/api/photo_platform/auth?responseType=json&userId=" + carol).OK()
		w.provider.Set(func(p *apptest.Provider) { p.Profiles["alice_photos"] = started["code"].(string) })
		got := w.Get("/api/photo_platform/auth/connect?photoPlatformUsernameOrUrl=alice_photos&state=" +
			url.QueryEscape(started["jwtState"].(string))).OK()
		if got["error"] != "MAXIMUM_ACCOUNT_LINKED" || got["success"] != false || got["accountLinkData"] == nil {
			t.Errorf("Carol: %v", got)
		}
	})
}

// TestAWebAccountBringsItsVideoChannel holds contract 8.1.7.
func TestAWebAccountBringsItsVideoChannel(t *testing.T) {
	t.Parallel()
	each(t, func(p *apptest.Provider) []object {
		return []object{apptest.Over(p.Driver("web_account", "oauth2"), object{
			"channel": object{"url": p.URL + "/channel", "path": "items.0.id"},
		})}
	}, func(t *testing.T, w *world) {
		mustFail(t, "none", w.logIn("web_account", w.user, account), "VIDEO_PLATFORM_CHANNEL_NOT_FOUND")
		if m := w.metadata(w.user); m["webAccountUserId"] != "77" || m["videoPlatformChannelId"] != nil {
			t.Errorf("the web account is %v, the channel %v", m["webAccountUserId"], m["videoPlatformChannelId"])
		}
		skip := "&skipVideoPlatformChannelCheck=true"
		mustSucceed(t, "skipped", w.logIn("web_account", w.user, account, skip), "web_account")
		w.provider.Set(func(p *apptest.Provider) { p.Channel = "UC-1" })
		mustSucceed(t, "found", w.logIn("web_account", w.user, account), "web_account")
		if m := w.metadata(w.user); m["videoPlatformChannelId"] != "UC-1" || m["videoPlatformVerifiedAt"] == nil {
			t.Errorf("the channel is %v", m["videoPlatformChannelId"])
		}
		bob := w.User(apptest.Bob, nil)
		other := apptest.ProviderAccount{ID: "78", Name: "bob"}
		outcome := w.logIn("web_account", bob, other)
		mustFail(t, "a channel of another", outcome, "MAXIMUM_ACCOUNT_LINKED")
		if outcome.Get("message") != "Video platform account is already connected to another user" {
			t.Errorf("Bob gets the message %q", outcome.Get("message"))
		}
	})
}

func TestStartsOfFlowsAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(p *apptest.Provider) []object {
		return []object{
			p.Driver("microblog", "oauth2"), p.Driver("photo_platform", "profile_proof"),
			apptest.Over(p.Driver("code_host", "oidc"), object{"label": "Forge"}), p.Driver("short_video", "oauth2"),
		}
	}, func(t *testing.T, w *world) {
		token := w.MemberTokenHeaders(w.user)
		get := func(key, path string, headers ...string) apptest.Response {
			return w.Call(key, "GET", path, nil, headers...)
		}
		user := "userId=" + w.user
		get("", "/api/microblog/auth?"+user).Refused(403, "API key is required")
		get(w.WebsiteAPIKey, "/api/nothing/auth?"+user).Refused(404, "Route not found")
		get(w.WebsiteAPIKey, "/api/nothing/auth/callback").Refused(404, "Route not found")
		w.Call(w.WebsiteAPIKey, "POST", "/api/microblog/auth", object{}).Refused(405, "Method not allowed")
		get(w.WebsiteAPIKey, "/api/microblog/auth").Refused(400, "userId or walletAddress is required")
		get(w.WebsiteAPIKey, "/api/microblog/auth?responseType=xml&"+user).Refused(400, "responseType must be one of: redirect, json")
		get(w.WebsiteAPIKey, "/api/microblog/auth?userId=1").Refused(400, "userId must be a uuid")
		get(w.WebsiteAPIKey, "/api/microblog/auth?userId="+apptest.UnknownID).Refused(404, "User not found")
		get(w.WebsiteAPIKey, "/api/chat_server/auth?"+user).Refused(400, "Chat server is not configured")
		get(w.WebsiteAPIKey, "/api/email/auth?emailAddress=a@b.example&"+user).Refused(400, "Email is not configured")
		get(w.client, "/api/microblog/auth?"+user).Refused(403, "Member token is required")
		get(w.client, "/api/microblog/auth").Refused(400, "userId or walletAddress is required")
		get(w.client, "/api/microblog/auth?userId="+w.User(apptest.Bob, nil), token...).
			Refused(403, "Member token does not belong to this user")
		get(w.client, "/api/microblog/auth?responseType=json", token...).OK() // the token alone names the member
		other := w.NewProgram("Globex")
		get(other.WebsiteAPIKey, "/api/microblog/auth?"+user).Refused(404, "User not found")
		get(w.WebsiteAPIKey, "/api/microblog/auth?websiteId="+other.WebsiteID.String()+"&"+user).
			Refused(403, "API key does not have access to this website")
		newcomer := "0x00000000000000000000000000000000000000e1"
		get(w.client, "/api/microblog/auth?walletAddress="+newcomer, token...).
			Refused(403, "Member token does not belong to this user")
		get(w.OrganizationAPIKey, "/api/microblog/auth?responseType=json&walletAddress="+newcomer).OK()

		// by profile
		at := "/api/photo_platform/auth/connect?photoPlatformUsernameOrUrl=alice&state="
		get(w.WebsiteAPIKey, "/api/microblog/auth/connect?state=x").Refused(400, "Microblog connects by redirect")
		get(w.WebsiteAPIKey, "/api/code_host/auth/connect?state=x").Refused(400, "Forge connects by redirect")
		get(w.WebsiteAPIKey, "/api/short_video/auth/connect?state=x").Refused(400, "Short video connects by redirect")
		get(w.WebsiteAPIKey, "/api/email/auth/connect?state=x").Refused(400, "Email connects by redirect")
		get(w.WebsiteAPIKey, "/api/forum_platform/auth/connect?forumPlatformProfileUrl=a&state=x").
			Refused(400, "Forum platform is not configured")
		get(w.WebsiteAPIKey, at).Refused(400, "state is required")
		get(w.WebsiteAPIKey, "/api/photo_platform/auth/connect?state=x").Refused(400, "photoPlatformUsernameOrUrl is required")
		get(w.client, at+"x").Refused(403, "Member token is required")
		started := get(w.WebsiteAPIKey, "/api/photo_platform/auth?responseType=json&"+user).OK()
		state := url.QueryEscape(started["jwtState"].(string))
		get(w.client, at+state, w.MemberTokenHeaders(w.User(apptest.Bob, nil))...).
			Refused(403, "Member token does not belong to this user")
		for name, c := range map[string]struct{ more, code string }{
			"forged":        {"x" + state, "INVALID_STATE"},
			"another code":  {state + "&code=LRL-AAAAAAAA", "INVALID_CODE"},
			"the same code": {state + "&code=" + started["code"].(string), "PROFILE_CODE_NOT_FOUND"},
		} {
			if got := get(w.WebsiteAPIKey, at+c.more).OK(); got["error"] != c.code || got["success"] != false {
				t.Errorf("%s: %v", name, got)
			}
		}
		for _, name := range []string{"..", "", "a b", "%2e%2e", "https://social.example/"} {
			path := strings.Replace(at, "=alice", "="+url.QueryEscape(name), 1) + state
			if got := get(w.WebsiteAPIKey, path); got.Status == 200 && got.JSON()["error"] != "PROFILE_CODE_NOT_FOUND" {
				t.Errorf("%q: %s", name, got.Body)
			}
		}
		w.provider.Set(func(p *apptest.Provider) { p.Fault = 500 })
		if got := get(w.WebsiteAPIKey, at+state).OK(); got["error"] != "PROVIDER_ERROR" {
			t.Errorf("a platform that does not answer: %v", got)
		}
		get(w.WebsiteAPIKey, "/api/code_host/auth?"+user).Refused(503, "Provider did not answer in time")
		w.Clock.Advance(31 * time.Minute)
		if got := get(w.WebsiteAPIKey, at+state).OK(); got["error"] != "STATE_EXPIRED" {
			t.Errorf("late: %v", got)
		}
	})
}

// TestAStateOfAProfileProofCountsWhereItBelongs uses states of another platform and of another website, and other tokens
// that the website has signed, and lets a browser end a proof.
func TestAStateOfAProfileProofCountsWhereItBelongs(t *testing.T) {
	t.Parallel()
	each(t, ofKind("profile_proof"), func(t *testing.T, w *world) {
		start := func(platform, user string) (state, code string) {
			t.Helper()
			path := "/api/" + platform + "/auth?responseType=json&redirect=" + url.QueryEscape(shop+"/done") + "&userId=" + user
			started := w.Get(path).OK()
			state, code = started["jwtState"].(string), started["code"].(string)
			return state, code
		}
		at := func(key, platform, state string, more ...string) apptest.Response {
			t.Helper()
			path := "/api/" + platform + "/auth/connect?" + profileParameters[platform] + "=alice&state=" + url.QueryEscape(state)
			return w.Call(key, "GET", path+strings.Join(more, ""), nil)
		}
		state, code := start("short_video", w.user)
		w.provider.Set(func(p *apptest.Provider) { p.Profiles["alice"] = code })
		other := w.NewProgram("Globex")
		sibling := w.Call(w.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Second"}).OK()
		key := w.Call(w.OrganizationAPIKey, "POST", "/api/api_keys", object{
			"roleType": "WEBSITE_API_KEY", "name": "Second", "websiteId": sibling["id"],
		}).OK()["key"].(string)
		for name, got := range map[string]apptest.Response{
			"another platform":     at(w.WebsiteAPIKey, "forum_platform", state),
			"another website":      at(key, "short_video", state),
			"another organization": at(other.WebsiteAPIKey, "short_video", state),
			"a member token":       at(w.WebsiteAPIKey, "short_video", w.Token(apptest.Alice)),
			"changed":              at(w.WebsiteAPIKey, "short_video", state[:len(state)-4]+"AAAA"),
		} {
			if o := got.OK(); o["success"] != false || o["error"] != "INVALID_STATE" || o["message"] == nil {
				t.Errorf("%s: %v", name, o)
			}
		}
		if m := w.metadata(w.user); m["shortVideoUserId"] != nil {
			t.Errorf("connected %v", m["shortVideoUserId"])
		}
		ended := at(w.WebsiteAPIKey, "short_video", state, "&responseType=redirect")
		if to := ended.Header.Get("Location"); ended.Status != 302 || to != shop+"/done?status=success&authType=short_video" {
			t.Errorf("%d to %s", ended.Status, to)
		}
		bob := w.User(apptest.Bob, nil)
		state, code = start("short_video", bob)
		w.provider.Set(func(p *apptest.Provider) { p.Profiles["alice"] = code })
		link, _ := url.Parse(at(w.WebsiteAPIKey, "short_video", state, "&responseType=redirect").Header.Get("Location"))
		mustFail(t, "of another member", link.Query(), "MAXIMUM_ACCOUNT_LINKED")
		if got := at(w.WebsiteAPIKey, "short_video", link.Query().Get("accountLinkData")).OK(); got["error"] != "INVALID_STATE" {
			t.Errorf("an account link as a state: %v", got)
		}
		w.Post("/api/users/verify", object{"accountLinkData": state}).Refused(400, "Invalid account link")
		w.Call(w.ReadOnlyAPIKey, "GET", "/api/short_video/auth?userId="+w.user, nil).
			Refused(403, "API key is not allowed to perform this operation")
		w.Call(w.ReadOnlyAPIKey, "GET", "/api/short_video/auth/connect?state=x", nil).
			Refused(403, "API key is not allowed to perform this operation")
	})
}

// TestNoSecretOfAFlowIsStoredOrShown greps the database, the log and all answers for what a flow hands out.
func TestNoSecretOfAFlowIsStoredOrShown(t *testing.T) {
	t.Parallel()
	each(t, func(p *apptest.Provider) []object {
		return []object{
			p.Driver("microblog", "oauth2"), p.Driver("code_host", "oidc"), p.Driver("game_store", "openid2"),
			p.Driver("messenger", "signed_widget"),
		}
	}, func(t *testing.T, w *world) {
		secrets := []string{apptest.ProviderSecret}
		for _, platform := range []string{"microblog", "code_host", "game_store", "messenger"} {
			for _, fault := range []int{0, 500, 403} {
				back := w.provider.LogIn(t, w.start(platform, w.user), account)
				u, _ := url.Parse(back)
				for _, name := range []string{"state", "code", "hash", "openid.sig"} {
					if value := u.Query().Get(name); value != "" {
						secrets = append(secrets, value)
					}
				}
				w.provider.Set(func(p *apptest.Provider) { p.Fault = fault })
				w.comeBack(back)
				w.comeBack(back)
				w.provider.Set(func(p *apptest.Provider) { p.Fault = 0 })
			}
			w.start(platform, w.user) // its state is still stored
		}
		texts := apptest.Dump(t, w.address)
		stored := texts["connect_states"]
		texts["log"] = w.logs.String()
		for table, text := range texts {
			for _, secret := range append(slices.Clone(secrets), "acc3ss-", "refr3sh-", "c0de-") {
				if strings.Contains(text, secret) {
					t.Errorf("%s holds %s", table, secret)
				}
			}
		}
		for _, answer := range w.calls {
			for _, secret := range append(slices.Clone(secrets[:1]), "acc3ss-", "refr3sh-", "c0de-") {
				if strings.Contains(answer, secret) {
					t.Errorf("an answer holds %s: %s", secret, answer)
				}
			}
		}
		if !strings.Contains(w.logs.String(), "a provider has not confirmed an account") {
			t.Error("the log tells nothing of the provider's faults")
		}
		hash := sha256.Sum256([]byte(secrets[1]))
		if !strings.Contains(stored, hex.EncodeToString(hash[:])) {
			t.Error("the dump of the database has no states")
		}
	})
}

// TestNoProviderIsCalledAtTheStart holds contract 8.8.
func TestNoProviderIsCalledAtTheStart(t *testing.T) {
	t.Parallel()
	each(t, func(p *apptest.Provider) []object {
		p.Fault = 500
		return ofKind("oidc")(p)
	}, func(t *testing.T, w *world) {
		w.Get("/api/code_host/auth?userId="+w.user).Refused(503, "Provider did not answer in time")
		w.provider.Set(func(p *apptest.Provider) { p.Fault = 0 })
		mustSucceed(t, "once it answers", w.logIn("code_host", w.user, account), "code_host")
	})
}

var addressOfProvider = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// TestAddressesThatMembersSendAreNotCalled holds that a profile is read at the operator's address alone.
func TestAddressesThatMembersSendAreNotCalled(t *testing.T) {
	t.Parallel()
	each(t, ofKind("profile_proof"), func(t *testing.T, w *world) {
		site := apptest.NewSite(t)
		if !addressOfProvider.MatchString(site.URL) {
			t.Fatal(site.URL)
		}
		started := w.Get("/api/short_video/auth?responseType=json&userId=" + w.user).OK()
		site.Set("/mallory", fmt.Sprintf(`{"id":"1","name":"mallory","bio":%q}`, started["code"]))
		got := w.Get("/api/short_video/auth/connect?shortVideoProfileUrl=" + url.QueryEscape(site.URL+"/mallory") + "&state=" +
			url.QueryEscape(started["jwtState"].(string))).OK()
		if got["error"] != "PROFILE_CODE_NOT_FOUND" || site.Calls.Load() != 0 {
			t.Errorf("%v after %d calls", got, site.Calls.Load())
		}
	})
}
