package connect_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/platforms"
)

// keyKind is a key with what it sends to act for Alice, and how it is refused.
type keyKind struct {
	caller
	isClient bool
	status   int    // of its refusal; 0: it may connect accounts
	refusal  string // the message
	needsRow bool   // it is refused only where the user is looked up
}

// keyKinds returns every kind of key, right and wrong.
func (w *world) keyKinds() []keyKind {
	w.T.Helper()
	const kind, token = "API key is not allowed to perform this operation", "Member token "
	function := w.Post("/api/api_keys", object{"roleType": "STRATUS_API_KEY", "name": "Functions"}).OK()["key"].(string)
	bob := w.MemberTokenHeaders(w.User(apptest.Bob, nil))
	own := w.callers(w.user)
	return []keyKind{
		{caller: own[0]}, {caller: own[1]}, {caller: own[2], isClient: true},
		{caller{"client without token", w.client, nil}, true, 403, token + "is required", false},
		{caller{"client of another member", w.client, bob}, true, 403, token + "does not belong to this user", true},
		{caller{"read-only", w.ReadOnlyAPIKey, nil}, false, 403, kind, false},
		{caller{"functions", function, nil}, false, 403, kind, false},
		{caller{"another organization", w.NewProgram("Globex").WebsiteAPIKey, nil}, false, 404, "User not found", true},
		{caller{"none", "", nil}, false, 403, "API key is required", false},
		{caller{"unknown", w.WebsiteAPIKey + "x", nil}, false, 403, "Invalid API key", false},
	}
}

// is fails unless the response is the refusal; for status 0, unless it is none.
func (w *world) is(name string, got apptest.Response, status int, message string) {
	w.T.Helper()
	if status == 0 {
		status = http.StatusOK
	}
	text, _ := got.JSON()["message"].(string)
	if got.Status != status || status != http.StatusOK && text != message {
		w.T.Errorf("%s: %d %s, not %d %q", name, got.Status, got.Body, status, message)
	}
}

// TestEveryKeyAtEveryFlowOfEveryPlatform walks over platforms, flows and keys: each may begin, end and undo what
// contract 1.2 and 8 allow it, and nothing else.
func TestEveryKeyAtEveryFlowOfEveryPlatform(t *testing.T) {
	t.Parallel()
	for _, flow := range []string{"oauth2", "oidc", "openid2", "signed_widget", "profile_proof", "none"} {
		t.Run(flow, func(t *testing.T) {
			t.Parallel()
			drivers := ofKind(flow)
			if flow == "none" {
				drivers = func(*apptest.Provider) []object { return []object{} }
			}
			each(t, drivers, func(t *testing.T, w *world) {
				keys := w.keyKinds()
				for _, platform := range platforms.IDs() {
					if idFields[platform] == "" {
						t.Errorf("%s has no field for its id", platform)
					}
					isConfigured := flow != "none" && (flow != "profile_proof" || profileParameters[platform] != "")
					w.startAll(flow, platform, isConfigured, keys)
					w.proveAll(flow, platform, isConfigured, keys)
					w.disconnectAll(flow, platform, isConfigured, keys)
				}
				w.Post("/api/websites/"+w.WebsiteID.String(), object{"trustClientUsers": true}).OK()
				key := w.Post("/api/api_keys", object{
					"roleType": "WEBSITE_CLIENT_API_KEY", "name": "Trusted", "allowedOrigins": []string{shop},
				}).OK()["key"].(string)
				trusting := keyKind{caller: caller{"client of a trusting website", key, nil}, isClient: true}
				w.startAll(flow, "forum_platform", flow != "none", []keyKind{trusting})
				w.proveAll(flow, "forum_platform", flow != "none", []keyKind{trusting})
				w.disconnectAll(flow, "forum_platform", flow != "none", []keyKind{trusting})
			})
		})
	}
}

// startAll begins a flow with each key.
func (w *world) startAll(flow, platform string, isConfigured bool, keys []keyKind) {
	w.T.Helper()
	path := "/api/" + platform + "/auth?userId=" + w.user
	unconfigured := platforms.DefaultLabel(platform) + " is not configured"
	for _, k := range keys {
		name := strings.Join([]string{flow, platform, k.name, "starts"}, " ")
		started := w.request(k.caller, "GET", path+"&responseType=json", nil)
		app := w.request(k.caller, "GET", path+"&responseType=json&redirect="+url.QueryEscape("clubapp://done"), nil)
		browser := w.request(k.caller, "GET", path, nil)
		switch {
		case k.status != 0:
			w.is(name, started, k.status, k.refusal)
			w.is(name+" an app", app, k.status, k.refusal)
			w.is(name+" a browser", browser, k.status, k.refusal)
			continue
		case !isConfigured:
			w.is(name, started, 400, unconfigured)
			continue
		case k.isClient:
			w.is(name+" an app", app, 400, "redirect is not allowed")
		default:
			w.is(name+" an app", app, 0, "")
		}
		address, _ := started.JSON()["url"].(string)
		state, code := started.JSON()["jwtState"], started.JSON()["code"]
		u, err := url.Parse(address)
		isProof := flow == "profile_proof"
		if err != nil || !strings.HasPrefix(address, w.provider.URL) || (state != nil) != isProof ||
			(code != nil) != isProof {
			w.T.Errorf("%s: %s", name, started.Body)
		}
		query := u.Query()
		back := query.Get("redirect_uri") + query.Get("return_to") + query.Get("openid.return_to")
		if !isProof && !strings.HasPrefix(back, publicURL+"/api/"+platform+"/auth/callback") {
			w.T.Errorf("%s: comes back to %q", name, back)
		}
		hasPKCE := query.Get("code_challenge_method") == "S256" && len(query.Get("code_challenge")) == 43
		if hasPKCE != (flow == "oauth2" || flow == "oidc") {
			w.T.Errorf("%s: leads to %s", name, address)
		}
		to := browser.Header.Get("Location")
		if browser.Status != http.StatusFound || !strings.HasPrefix(to, w.provider.URL) {
			w.T.Errorf("%s a browser: %d to %s", name, browser.Status, to)
		}
	}
}

// proveAll asks with each key whether the public profile has the code.
func (w *world) proveAll(flow, platform string, isConfigured bool, keys []keyKind) {
	w.T.Helper()
	state, label := "x", platforms.DefaultLabel(platform)
	isProof := flow == "profile_proof" && isConfigured
	if isProof {
		started := w.Get("/api/" + platform + "/auth?responseType=json&userId=" + w.user).OK()
		state = started["jwtState"].(string)
		w.provider.Set(func(p *apptest.Provider) { p.Profiles["alice"] = started["code"].(string) })
	}
	path := "/api/" + platform + "/auth/connect?state=" + url.QueryEscape(state)
	if parameter := profileParameters[platform]; parameter != "" {
		path += "&" + parameter + "=alice"
	}
	for _, k := range keys {
		name := strings.Join([]string{flow, platform, k.name, "proves"}, " ")
		got := w.request(k.caller, "GET", path, nil)
		switch {
		case k.status != 0 && !k.needsRow:
			w.is(name, got, k.status, k.refusal)
		case isProof && k.isClient && k.status != 0:
			w.is(name, got, k.status, k.refusal)
		case isProof && k.status != 0: // the state of another website
			if o := got.OK(); o["success"] != false || o["error"] != "INVALID_STATE" {
				w.T.Errorf("%s: %v", name, o)
			}
		case isProof:
			if o := got.OK(); o["success"] != true || o["message"] != "Connected" {
				w.T.Errorf("%s: %v", name, o)
			}
		case flow == "none" && profileParameters[platform] != "":
			w.is(name, got, 400, label+" is not configured")
		default:
			w.is(name, got, 400, label+" connects by redirect")
		}
	}
}

// disconnectAll connects an account, and disconnects it with each key that may. The others leave it connected.
func (w *world) disconnectAll(flow, platform string, isConfigured bool, keys []keyKind) {
	w.T.Helper()
	field := idFields[platform]
	for _, k := range slices.Backward(keys) { // those that may not come first
		name := strings.Join([]string{flow, platform, k.name, "disconnects"}, " ")
		isConnected := w.metadata(w.user)[field] != nil
		if isConfigured && !isConnected && flow != "profile_proof" {
			w.Clock.Advance(2 * time.Second) // a widget gives one answer per second
			account := apptest.ProviderAccount{ID: "of-" + platform, Name: "alice"}
			mustSucceed(w.T.(*testing.T), name, w.logIn(platform, w.user, account), platform)
			isConnected = true
		}
		if k.name == "read-only" {
			k.refusal = "API key is read-only"
		}
		w.is(name, w.request(k.caller, "DELETE", "/api/"+platform+"/auth", object{"userId": w.user}), k.status, k.refusal)
		wants := isConnected && k.status != 0
		if got := w.metadata(w.user)[field]; (got != nil) != wants {
			w.T.Errorf("%s: the account is %v", name, got)
		}
	}
}
