package connect_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// TestMembersConnectAccountsOfEveryPlatformByEveryKindOfFlowAndKey walks over platforms, kinds of drivers and kinds of
// keys: each connects an account and disconnects it.
func TestMembersConnectAccountsOfEveryPlatformByEveryKindOfFlowAndKey(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"oauth2", "oidc", "openid2", "signed_widget", "profile_proof"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			each(t, ofKind(kind), func(t *testing.T, w *world) {
				for platform := range idFields {
					if kind == "profile_proof" && profileParameters[platform] == "" {
						continue
					}
					for i, c := range w.callers(w.user) {
						account := apptest.ProviderAccount{ID: fmt.Sprintf("%s-%d", platform, i), Name: "alice_" + platform}
						w.connectOnce(t, kind, platform, c, account)
					}
				}
			})
		})
	}
}

// connectOnce connects an account as a caller, looks at the metadata, and disconnects it.
func (w *world) connectOnce(t *testing.T, kind, platform string, c caller, account apptest.ProviderAccount) {
	t.Helper()
	name := strings.Join([]string{kind, platform, c.name}, " ")
	if kind == "profile_proof" {
		account = apptest.ProviderAccount{ID: "id-of-" + account.ID, Name: account.ID}
		w.prove(t, name, platform, c, account.Name)
	} else {
		path := "/api/" + platform + "/auth?responseType=json&walletAddress=" + apptest.Alice + "&redirect=" +
			url.QueryEscape(shop+"/done?from=laurel&status=fine#top")
		address := w.request(c, "GET", path, nil).OK()["url"].(string)
		redirect, outcome := w.comeBack(w.provider.LogIn(t, address, account))
		mustSucceed(t, name, outcome, platform)
		if redirect.Host != "shop.example" || redirect.Path != "/done" || redirect.Fragment != "top" ||
			outcome.Get("from") != "laurel" || len(outcome["status"]) != 1 {
			t.Errorf("%s: leads to %s", name, redirect)
		}
	}
	m := w.metadata(w.user)
	verified := strings.TrimSuffix(idFields[platform], "UserId")
	for _, end := range []string{"User", "ChannelId", "AccountId"} {
		verified = strings.TrimSuffix(verified, end)
	}
	at, _ := m[verified+"VerifiedAt"].(string)
	if m[idFields[platform]] != account.ID || !strings.HasPrefix(at, "2026-01-14T12:00:0") {
		t.Errorf("%s: connected %v at %v", name, m[idFields[platform]], m[verified+"VerifiedAt"])
	}
	if field := nameFields[platform]; field != "" && kind != "openid2" && m[field] != account.Name {
		t.Errorf("%s: the name is %v", name, m[field])
	}
	if platform == "microblog" && kind == "oauth2" &&
		(fmt.Sprint(m["microblogFollowersCount"]) != "1234" || m["microblogVerifiedAccount"] != true) {
		t.Errorf("%s: %v followers, verified %v", name, m["microblogFollowersCount"], m["microblogVerifiedAccount"])
	}
	body := object{"userId": w.user}
	w.request(c, "DELETE", "/api/"+platform+"/auth", body).OK()
	w.request(c, "DELETE", "/api/"+platform+"/auth", body).OK() // again: nothing is connected
	if m := w.metadata(w.user); m[idFields[platform]] != nil || m[verified+"VerifiedAt"] != nil || m[nameFields[platform]] != nil {
		t.Errorf("%s: still connected: %v", name, m)
	}
}

// prove connects an account by its public profile.
func (w *world) prove(t *testing.T, name, platform string, c caller, account string) {
	t.Helper()
	started := w.request(c, "GET", "/api/"+platform+"/auth?responseType=json&userId="+w.user, nil).OK()
	state, code := started["jwtState"].(string), started["code"].(string)
	if started["url"] != w.provider.URL+"/settings" || len(code) != len("LRL-")+8 || !strings.HasPrefix(code, "LRL-") {
		t.Fatalf("%s: %v", name, started)
	}
	path := "/api/" + platform + "/auth/connect?state=" + url.QueryEscape(state) + "&" + profileParameters[platform] + "="
	input := url.QueryEscape("https://social.example/@" + account + "/?tab=posts")
	if got := w.request(c, "GET", path+input, nil).OK(); got["error"] != "PROFILE_CODE_NOT_FOUND" || got["success"] != false || got["jwtState"] != state {
		t.Errorf("%s: without the profile: %v", name, got)
	}
	w.provider.Set(func(p *apptest.Provider) { p.Profiles[account] = "I collect " + strings.ToLower(code) + " points" })
	if got := w.request(c, "GET", path+input, nil).OK(); got["success"] != true || got["message"] != "Connected" || got["error"] != nil {
		t.Errorf("%s: %v", name, got)
	}
}

func TestAStateIsUsedOnceAndOnlyWhereItBelongs(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"oauth2", "oidc", "openid2", "signed_widget"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			each(t, ofKind(kind), func(t *testing.T, w *world) {
				account := apptest.ProviderAccount{ID: "77", Name: "alice"}
				back := w.provider.LogIn(t, w.start("code_host", w.user), account)

				// at the callback of another platform
				page := w.NewBrowser().Get(w.pathOf(strings.Replace(back, "code_host", "chat_server", 1)))
				page.Shows(400, "INVALID_STATE")
				// without a state, and with one that nobody has made
				for _, address := range []string{"", "?state=", "?code=1", "?state=" + strings.Repeat("A", 43) + "&code=1", "?state=%zz"} {
					w.NewBrowser().Get("/api/code_host/auth/callback"+address).Shows(400, "INVALID_STATE")
				}
				w.Send("HEAD", w.pathOf(back), nil) // a preview of the address uses nothing up
				_, outcome := w.comeBack(back)
				mustSucceed(t, kind, outcome, "code_host")
				_, outcome = w.comeBack(back)
				mustFail(t, kind+" again", outcome, "INVALID_STATE")

				late := w.provider.LogIn(t, w.start("code_host", w.user), account)
				w.Clock.Advance(10 * time.Minute)
				_, outcome = w.comeBack(late)
				mustFail(t, kind+" late", outcome, "STATE_EXPIRED")
				w.Clock.Advance(2 * time.Hour)
				if err := w.App.Flows.RemoveOld(t.Context()); err != nil {
					t.Fatal(err)
				}
				w.NewBrowser().Get(w.pathOf(late)).Shows(400, "INVALID_STATE")
				if n := apptest.QueryCount(t, w.address, "SELECT COUNT(*) FROM connect_states"); n != 0 {
					t.Errorf("%d states are left", n)
				}

				_, outcome = w.comeBack(w.provider.Deny(t, w.start("code_host", w.user)))
				mustFail(t, kind+" denied", outcome, "ACCESS_DENIED")
			})
		})
	}
}

// TestWhatDynamicRulesGaveForAnAccountGoesWithIt disconnects an account, and moves one.
func TestWhatDynamicRulesGaveForAnAccountGoesWithIt(t *testing.T) {
	t.Parallel()
	each(t, func(p *apptest.Provider) []object { return []object{p.Driver("code_host", "oauth2")} }, func(t *testing.T, w *world) {
		badge := w.CreateBadge()
		rule := w.Rule("connected_code_host", object{
			"rewardType": "badge", "loyaltyBadgeId": badge, "rewardLifetime": "dynamic",
		})
		is := func(when, status string) {
			t.Helper()
			w.CheckDynamicRewards(time.Second)
			if got := w.Get("/api/loyalty/badge_users?loyaltyBadgeId=" + badge + "&userId=" + w.user).Data()[0]["status"]; got != status {
				t.Errorf("%s the badge is %s", when, got)
			}
		}
		mustSucceed(t, "connected", w.logIn("code_host", w.user, account), "code_host")
		w.Complete(rule, object{"userId": w.user}).OK()
		is("connected,", "active")
		w.Call(w.WebsiteAPIKey, "DELETE", "/api/code_host/auth", object{"userId": w.user}).OK()
		is("disconnected,", "inactive")
		mustSucceed(t, "connected again", w.logIn("code_host", w.user, account), "code_host")
		w.CheckDynamicRewards(25 * time.Hour)
		is("connected again,", "active")
		bob := w.User(apptest.Bob, nil)
		link := w.logIn("code_host", bob, account).Get("accountLinkData")
		w.Post("/api/users/verify", object{"userId": bob, "accountLinkData": link}).OK()
		is("moved,", "inactive")
	})
}
