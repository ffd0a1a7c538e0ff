package connect_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// publicURL is the address of the service, as members' browsers know it.
const publicURL = "https://loyalty.example/club"

// home is the homeUrl of the server's website, and shop the only origin of its client key.
const (
	home = "https://home.example/welcome?lang=en"
	shop = "https://shop.example"
)

// world is a server with a provider of accounts.
type world struct {
	*apptest.Server
	provider *apptest.Provider
	address  string // of the database
	logs     *buffer
	client   string // a client key
	user     string // Alice
	calls    []string
}

// buffer is a log that many goroutines write.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// each runs the test on each engine, on a server with the drivers that configure returns.
func each(t *testing.T, drivers func(p *apptest.Provider) []object, f func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		f(t, open(t, address, apptest.NewProvider(t), drivers))
	})
}

// open starts a server with drivers of a provider.
func open(
	t *testing.T, address string, p *apptest.Provider, drivers func(p *apptest.Provider) []object,
) *world {
	t.Helper()
	w := &world{provider: p, address: address, logs: &buffer{}}
	text, err := json.Marshal(object{"platforms": drivers(p)})
	if err != nil {
		t.Fatal(err)
	}
	w.Server = apptest.OpenAtNoon(t, address, app.Config{
		NoRateLimits: true, PublicURL: publicURL, Prefix: "/club", Identity: apptest.WriteConfig(t, string(text)),
		Logger: slog.New(slog.NewTextHandler(w.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	w.HTTP.URL += "/club"
	p.Set(func(p *apptest.Provider) { p.Now = w.Clock.Now })
	w.HTTP.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	w.Post("/api/websites/"+w.WebsiteID.String(), object{"homeUrl": home}).OK()
	w.client = w.Post("/api/api_keys", object{
		"roleType": "WEBSITE_CLIENT_API_KEY", "name": "Shop", "allowedOrigins": []string{shop},
	}).OK()["key"].(string)
	w.user = w.User(apptest.Alice, nil)
	return w
}

// ofKind returns a function that makes a driver of a kind for each platform that may have one.
func ofKind(kind string) func(p *apptest.Provider) []object {
	return func(p *apptest.Provider) (drivers []object) {
		for _, platform := range slices.Sorted(maps.Keys(idFields)) {
			if kind == "profile_proof" && profileParameters[platform] == "" {
				continue
			}
			drivers = append(drivers, p.Driver(platform, kind))
		}
		return drivers
	}
}

// idFields are the fields of a user's metadata that hold the id of an account, by platform (contract 3.5).
var idFields = map[string]string{
	"microblog": "microblogUserId", "photo_platform": "photoPlatformUser", "chat_server": "chatServerUserId",
	"messenger": "messengerUserId", "short_video": "shortVideoUserId", "video_platform": "videoPlatformChannelId",
	"live_stream": "liveStreamUserId", "forum_platform": "forumPlatformUserId", "code_host": "codeHostUserId",
	"game_store": "gameStoreUserId", "game_launcher": "gameLauncherAccountId", "web_account": "webAccountUserId",
}

// nameFields are the fields that hold the name of an account.
var nameFields = map[string]string{
	"microblog": "microblogUser", "chat_server": "chatServerUser", "messenger": "messengerUsername",
	"short_video": "shortVideoUser", "live_stream": "liveStreamUser", "forum_platform": "forumPlatformUser",
	"code_host": "codeHostUser", "game_store": "gameStoreUsername", "game_launcher": "gameLauncherUsername",
	"web_account": "webAccountUser",
}

// profileParameters are the parameters that name a profile.
var profileParameters = map[string]string{
	"short_video": "shortVideoProfileUrl", "forum_platform": "forumPlatformProfileUrl",
	"photo_platform": "photoPlatformUsernameOrUrl",
}

// caller is a key with what it sends to act for a user.
type caller struct {
	name, key string
	headers   []string
}

// callers returns a key of each kind that may connect accounts for a user.
func (w *world) callers(user string) []caller {
	w.T.Helper()
	return []caller{
		{"organization", w.OrganizationAPIKey, nil}, {"website", w.WebsiteAPIKey, nil},
		{"client", w.client, w.MemberTokenHeaders(user)},
	}
}

// request sends a request as the caller.
func (w *world) request(c caller, method, path string, body any) apptest.Response {
	w.T.Helper()
	a := w.Call(c.key, method, path, body, c.headers...)
	w.calls = append(w.calls, a.Body)
	return a
}

// start begins a flow for a user with the website key and returns the address to which it leads.
func (w *world) start(platform, user string, more ...string) string {
	w.T.Helper()
	path := "/api/" + platform + "/auth?responseType=json&userId=" + user + strings.Join(more, "")
	return w.request(w.callers(user)[1], "GET", path, nil).OK()["url"].(string)
}

// comeBack opens the address to which a provider returns a browser, and returns the parameters with which the service
// sends it on.
func (w *world) comeBack(address string) (redirect *url.URL, outcome url.Values) {
	w.T.Helper()
	page := w.NewBrowser().Get(w.pathOf(address))
	if page.Status != http.StatusFound {
		w.T.Fatalf("%s: status %d: %s", address, page.Status, page.Body)
	}
	w.calls = append(w.calls, page.Body)
	u, err := url.Parse(page.Location)
	if err != nil {
		w.T.Fatal(err)
	}
	outcome = u.Query()
	return u, outcome
}

// pathOf returns the path and query of an address of the service.
func (w *world) pathOf(address string) string {
	w.T.Helper()
	path, ok := strings.CutPrefix(address, publicURL)
	if !ok {
		w.T.Fatalf("%s is no address of the service", address)
	}
	return path
}

// logIn runs a whole flow: the provider logs the account in, and the browser comes back.
func (w *world) logIn(platform, user string, account apptest.ProviderAccount, more ...string) url.Values {
	w.T.Helper()
	_, outcome := w.comeBack(w.provider.LogIn(w.T, w.start(platform, user, more...), account))
	return outcome
}

// metadata returns the metadata of a user; an empty object if there are none.
func (w *world) metadata(user string) object {
	w.T.Helper()
	list := w.Get("/api/users?userId=" + user).Data()[0]["userMetadata"].([]any)
	if len(list) == 0 {
		return object{}
	}
	return list[0].(object)
}

// mustFail fails unless the outcome is an error with the code.
func mustFail(t *testing.T, name string, outcome url.Values, code string) {
	t.Helper()
	if outcome.Get("status") != "error" || outcome.Get("error") != code || outcome.Get("message") == "" ||
		(outcome.Get("accountLinkData") != "") != (code == "MAXIMUM_ACCOUNT_LINKED") {
		t.Errorf("%s: got %s, want %s", name, outcome, code)
	}
}

// mustSucceed fails unless the outcome is a success.
func mustSucceed(t *testing.T, name string, outcome url.Values, platform string) {
	t.Helper()
	if outcome.Get("status") != "success" || outcome.Get("authType") != platform || outcome.Has("error") {
		t.Errorf("%s: got %s", name, outcome)
	}
}
