package demo

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"hash/fnv"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// Elsewhere is a double of the platforms on which members of the demo have accounts: a code host and a chat server at
// which they log in (RFC 6749 with PKCE), and a forum with public profiles. Every visitor logs in by any name.
type Elsewhere struct {
	address string
	secret  string // of the client
	server  http.Server

	mu       sync.Mutex
	logins   map[string]login  // by code, until they are used
	tokens   map[string]string // names of accounts by access token
	profiles map[string]string // texts by name, of the forum
}

// login is a member who has logged in, until the code is exchanged.
type login struct{ name, challenge, redirect string }

const (
	elsewhereClient   = "laurel-demo"
	elsewhereTimeout  = 10 * time.Second
	maxElsewhereItems = 10_000
)

// loginPlatforms are the platforms at which members log in; on forumPlatform they prove their profile.
var loginPlatforms = []string{"code_host", "chat_server"}

const forumPlatform = "forum_platform"

// OpenElsewhere starts the double on a port of this machine that the system chooses.
func OpenElsewhere(ctx context.Context) (*Elsewhere, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	e := &Elsewhere{
		address: "http://" + listener.Addr().String(), secret: rand.Text(),
		logins: map[string]login{}, tokens: map[string]string{}, profiles: map[string]string{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{platform}/log-in", show(`<p>Any name will do: this is a double of the demo.</p>`))
	mux.HandleFunc("POST /{platform}/log-in", e.postLogIn)
	mux.HandleFunc("POST /{platform}/token", e.token)
	mux.HandleFunc("GET /{platform}/me", e.me)
	mux.HandleFunc("GET /"+forumPlatform+"/profile", show(`<p><label>Text <input name="text"></label></p>`))
	mux.HandleFunc("POST /"+forumPlatform+"/profile", e.postProfile)
	mux.HandleFunc("GET /"+forumPlatform+"/profiles/{name}", e.profile)
	e.server = http.Server{Handler: mux, ReadTimeout: elsewhereTimeout, WriteTimeout: elsewhereTimeout}
	go func() { _ = e.server.Serve(listener) }() // until Close
	return e, nil
}

// Close ends the double.
func (e *Elsewhere) Close() error { return e.server.Close() }

// Config returns the operator's file with the drivers of the platforms (contract 8.8).
func (e *Elsewhere) Config() ([]byte, error) {
	type object = map[string]any
	drivers := []object{{
		"platform": forumPlatform, "kind": "profile_proof", "authorizeUrl": e.address + "/" + forumPlatform + "/profile",
		"userInfoUrl": e.address + "/" + forumPlatform + "/profiles/{name}",
		"mapping":     object{"id": "id", "name": "name", "text": "text"},
	}}
	for _, platform := range loginPlatforms {
		at := e.address + "/" + platform
		drivers = append(drivers, object{
			"platform": platform, "kind": "oauth2", "clientId": elsewhereClient, "clientSecret": e.secret,
			"authorizeUrl": at + "/log-in", "tokenUrl": at + "/token", "userInfoUrl": at + "/me",
			"mapping": object{"id": "id", "name": "name"},
		})
	}
	return json.MarshalIndent(object{"platforms": drivers}, "", "  ")
}

// logIn logs a member in at the address to which a flow leads, and returns with what the browser comes back.
func (e *Elsewhere) logIn(leads, name string) (url.Values, error) {
	u, err := url.Parse(leads)
	if err != nil {
		return nil, err
	}
	return e.accept(u.Query(), name), nil
}

// accept notes that a member has logged in, and returns with what the browser comes back.
func (e *Elsewhere) accept(asked url.Values, name string) url.Values {
	code := rand.Text()
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.logins) >= maxElsewhereItems {
		clear(e.logins)
	}
	e.logins[code] = login{name, asked.Get("code_challenge"), asked.Get("redirect_uri")}
	return url.Values{"code": {code}, "state": {asked.Get("state")}}
}

// publish sets the public text of a profile of the forum.
func (e *Elsewhere) publish(name, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.profiles) >= maxElsewhereItems {
		clear(e.profiles)
	}
	e.profiles[name] = text
}

// show returns a page with a form that asks for a name, and for more.
func show(more string) http.HandlerFunc {
	page := template.Must(template.New("page").Parse(`<!doctype html><html lang="en"><title>Demo account</title>
<meta name="viewport" content="width=device-width"><h1>Account of the demo</h1><form method="post">
<p><label>Name <input name="name" required></label></p>` + more + `<button>Continue</button></form></html>`))
	return func(w http.ResponseWriter, _ *http.Request) { _ = page.Execute(w, nil) }
}

// postLogIn sends the browser back to Laurel.
func (e *Elsewhere) postLogIn(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	to, err := url.Parse(asked.Get("redirect_uri"))
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || r.PostFormValue("name") == "" {
		http.Error(w, "a name and a redirect_uri are needed", http.StatusBadRequest)
		return
	}
	to.RawQuery = e.accept(asked, r.PostFormValue("name")).Encode()
	http.Redirect(w, r, to.String(), http.StatusFound)
}

// token exchanges a code for an access token, once.
func (e *Elsewhere) token(w http.ResponseWriter, r *http.Request) {
	client, secret, _ := r.BasicAuth()
	code, sum := r.PostFormValue("code"), sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	e.mu.Lock()
	defer e.mu.Unlock()
	in, isKnown := e.logins[code]
	delete(e.logins, code)
	switch {
	case client != elsewhereClient || subtle.ConstantTimeCompare([]byte(secret), []byte(e.secret)) != 1:
		writeObject(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	case !isKnown, in.challenge != base64.RawURLEncoding.EncodeToString(sum[:]),
		in.redirect != r.PostFormValue("redirect_uri"):
		writeObject(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	if len(e.tokens) >= maxElsewhereItems {
		clear(e.tokens)
	}
	token := rand.Text()
	e.tokens[token] = in.name
	writeObject(w, http.StatusOK, map[string]any{"access_token": token, "token_type": "Bearer"})
}

// me describes the account of an access token.
func (e *Elsewhere) me(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	const scheme = "Bearer "
	sent := r.Header.Get("Authorization")
	name, isKnown := e.tokens[sent[min(len(scheme), len(sent)):]]
	if !isKnown {
		writeObject(w, http.StatusUnauthorized, map[string]any{"error": "invalid_token"})
		return
	}
	writeObject(w, http.StatusOK, map[string]any{"id": accountID(r.PathValue("platform"), name), "name": name})
}

// postProfile changes a profile of the forum. Every visitor may change any: all are of the demo.
func (e *Elsewhere) postProfile(w http.ResponseWriter, r *http.Request) {
	e.publish(r.PostFormValue("name"), r.PostFormValue("text"))
	http.Redirect(w, r, r.URL.Path, http.StatusSeeOther)
}

// profile shows a public profile of the forum.
func (e *Elsewhere) profile(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	name := r.PathValue("name")
	text, isKnown := e.profiles[name]
	if !isKnown {
		writeObject(w, http.StatusNotFound, map[string]any{"error": "there is no such profile"})
		return
	}
	writeObject(w, http.StatusOK, map[string]any{"id": accountID(forumPlatform, name), "name": name, "text": text})
}

// accountID returns the id of the account with a name on a platform.
func accountID(platform, name string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(platform + " " + name))
	return strconv.FormatUint(uint64(h.Sum32()), 10)
}

func writeObject(w http.ResponseWriter, status int, o map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	text, err := json.Marshal(o)
	if err != nil {
		panic("demo: " + err.Error()) // objects of texts and numbers
	}
	_, _ = w.Write(text)
}
