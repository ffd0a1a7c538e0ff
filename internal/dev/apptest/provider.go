package apptest

import (
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Provider is a provider of accounts on platforms. It speaks OAuth 2.0 with PKCE, OpenID Connect, OpenID 2.0 and a
// signed login widget, and has public profiles.
type Provider struct {
	*httptest.Server
	Mu sync.Mutex
	// Now is the clock of id_tokens and widgets.
	Now func() time.Time
	// Claims change those of the next id_tokens; nil removes a claim.
	Claims Object
	// UserInfo replaces properties of the account in the response; nil removes one.
	UserInfo Object
	// Profiles are the public texts of profiles by name.
	Profiles map[string]string
	// Channel is the video channel of accounts; "": none.
	Channel string
	// NamesIssuer makes the provider add iss to its redirect (RFC 9207).
	NamesIssuer bool
	// Fault is the status of every response, or of those at the path FaultAt; 0: none.
	Fault   int
	FaultAt string // "": everywhere

	key    *rsa.PrivateKey
	codes  map[string]issuedCode
	tokens map[string]ProviderAccount
	issued int
	secret []string
}

// ProviderAccount is an account on a platform.
type ProviderAccount struct{ ID, Name string }

type issuedCode struct {
	account                    ProviderAccount
	challenge, nonce, redirect string
	authTime                   int64 // 0: the client has not asked for it
}

// The client of a Provider.
const (
	ProviderClient = "laurel-client"
	ProviderSecret = "s3cret-of-the-client"
)

var providerKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// NewProvider starts a provider that ends with the test.
func NewProvider(t testing.TB) *Provider {
	t.Helper()
	key, err := providerKey()
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{
		Now: func() time.Time { return Noon }, Profiles: map[string]string{}, key: key,
		codes: map[string]issuedCode{}, tokens: map[string]ProviderAccount{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.discovery)
	mux.HandleFunc("GET /jwks", p.jwks)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /userinfo", p.userInfo)
	mux.HandleFunc("GET /channel", p.channel)
	mux.HandleFunc("GET /profiles/{name}", p.profile)
	mux.HandleFunc("POST /openid", p.checkAuthentication)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.Mu.Lock()
		defer p.Mu.Unlock()
		if p.Fault != 0 && (p.FaultAt == "" || p.FaultAt == r.URL.Path) {
			echo(w, r, p.Fault)
			if r.ParseForm() == nil && r.PostForm.Has("code_verifier") {
				p.secret = append(p.secret, r.PostForm.Get("code_verifier"))
			}
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

// Set changes the provider while no request is served.
func (p *Provider) Set(f func(p *Provider)) {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	f(p)
}

// Secrets returns the codes, tokens and verifiers that the provider has handed out and got, each once.
func (p *Provider) Secrets() []string {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(p.secret)))
}

// echo refuses a request as careless systems do: the response repeats what was sent.
func echo(w http.ResponseWriter, r *http.Request, status int) {
	sent, _ := httputil.DumpRequest(r, true)
	w.WriteHeader(status)
	_, _ = w.Write(sent)
}

// Driver returns the configuration of a driver of a kind for a platform.
func (p *Provider) Driver(platform, kind string) Object {
	d := Object{"platform": platform, "kind": kind, "clientId": ProviderClient, "clientSecret": ProviderSecret}
	mapping := Object{"id": "data.id", "name": "data.name", "followers": "data.followers", "verified": "data.verified"}
	switch kind {
	case "oauth2":
		return Over(d, Object{
			"authorizeUrl": p.URL + "/authorize", "tokenUrl": p.URL + "/token", "userInfoUrl": p.URL + "/userinfo",
			"scopes": []string{"read"}, "mapping": mapping,
		})
	case "oidc":
		return Over(d, Object{"issuer": p.URL})
	case "openid2":
		return Over(d, Object{"authorizeUrl": p.URL + "/openid"})
	case "signed_widget":
		return Over(d, Object{"authorizeUrl": p.URL + "/widget"})
	}
	return Object{
		"platform": platform, "kind": kind, "authorizeUrl": p.URL + "/settings", "userInfoUrl": p.URL + "/profiles/{name}",
		"mapping": Object{"id": "id", "name": "name", "text": "bio"},
	}
}

// LogIn logs a member in at the address to which a flow leads, and returns the address to which the provider returns
// the browser.
func (p *Provider) LogIn(t testing.TB, authorizeURL string, account ProviderAccount) string {
	t.Helper()
	p.Mu.Lock()
	defer p.Mu.Unlock()
	u, err := url.Parse(authorizeURL)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	switch u.Path {
	case "/openid":
		return p.assertion(q, account)
	case "/widget":
		return p.widget(q, account)
	case "/authorize":
	default:
		t.Fatalf("a flow leads to %s", authorizeURL)
	}
	if q.Get("code_challenge_method") != "S256" || q.Get("response_type") != "code" || len(q.Get("state")) < 43 ||
		q.Get("client_id") != ProviderClient {
		t.Fatalf("a flow asks by %s", q)
	}
	p.issued++
	code := fmt.Sprintf("c0de-%d-%d", p.issued, p.issued*7919)
	p.secret = append(p.secret, code)
	issued := issuedCode{
		account: account, challenge: q.Get("code_challenge"), nonce: q.Get("nonce"), redirect: q.Get("redirect_uri"),
	}
	if q.Has("max_age") {
		issued.authTime = p.Now().Unix()
	}
	p.codes[code] = issued
	back := url.Values{"code": {code}, "state": {q.Get("state")}}
	if p.NamesIssuer {
		back.Set("iss", p.URL)
	}
	return q.Get("redirect_uri") + "?" + back.Encode()
}

// Deny returns the address to which the provider returns a browser whose member has declined.
func (p *Provider) Deny(t testing.TB, authorizeURL string) string {
	t.Helper()
	u, err := url.Parse(authorizeURL)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	switch u.Path {
	case "/openid":
		return q.Get("openid.return_to") + "&openid.mode=cancel"
	case "/widget":
		return q.Get("return_to")
	}
	back := url.Values{"error": {"access_denied"}, "state": {q.Get("state")}}
	if p.NamesIssuer {
		back.Set("iss", p.URL)
	}
	return q.Get("redirect_uri") + "?" + back.Encode()
}

// assertion returns the positive assertion of OpenID Authentication 2.0, 10.1.
func (p *Provider) assertion(q url.Values, account ProviderAccount) string {
	p.issued++
	id := p.URL + "/id/" + account.ID
	fields := url.Values{
		"openid.ns": {q.Get("openid.ns")}, "openid.mode": {"id_res"}, "openid.op_endpoint": {p.URL + "/openid"},
		"openid.claimed_id": {id}, "openid.identity": {id}, "openid.return_to": {q.Get("openid.return_to")},
		"openid.response_nonce": {p.Now().Format(time.RFC3339) + fmt.Sprint(p.issued)}, "openid.assoc_handle": {"1"},
		"openid.signed": {"signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle"},
	}
	fields.Set("openid.sig", p.signatureOf(fields))
	return q.Get("openid.return_to") + "&" + fields.Encode()
}

// signatureOf signs an assertion by a secret that the provider alone has.
func (p *Provider) signatureOf(fields url.Values) string {
	sum := hmac.New(sha256.New, p.key.D.Bytes())
	for _, name := range strings.Split(fields.Get("openid.signed"), ",") {
		_, _ = fmt.Fprintf(sum, "%s:%s\n", name, fields.Get("openid."+name))
	}
	return base64.StdEncoding.EncodeToString(sum.Sum(nil))
}

func (p *Provider) checkAuthentication(w http.ResponseWriter, r *http.Request) {
	valid := r.ParseForm() == nil && r.PostForm.Get("openid.mode") == "check_authentication" &&
		r.PostForm.Get("openid.sig") == p.signatureOf(r.PostForm)
	_, _ = fmt.Fprintf(w, "ns:http://specs.openid.net/auth/2.0\nis_valid:%t\n", valid)
}

// widget returns the address to which a signed login widget returns the browser.
func (p *Provider) widget(q url.Values, account ProviderAccount) string {
	p.issued++ // each login has a second of its own, as those of one person have
	at := p.Now().Add(-time.Duration(p.issued%60) * time.Second).Unix()
	fields := url.Values{"id": {account.ID}, "username": {account.Name}, "auth_date": {fmt.Sprint(at)}}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		lines = append(lines, name+"="+fields.Get(name))
	}
	key := sha256.Sum256([]byte(ProviderSecret))
	sum := hmac.New(sha256.New, key[:])
	sum.Write([]byte(strings.Join(lines, "\n")))
	fields.Set("hash", hex.EncodeToString(sum.Sum(nil)))
	return q.Get("return_to") + "&" + fields.Encode()
}

func writeObject(w http.ResponseWriter, o Object) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(o)
}

func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	writeObject(w, Object{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"userinfo_endpoint": p.URL + "/userinfo", "jwks_uri": p.URL + "/jwks",
		"id_token_signing_alg_values_supported":          []string{"RS256"},
		"authorization_response_iss_parameter_supported": p.NamesIssuer,
	})
}

func (p *Provider) jwks(w http.ResponseWriter, _ *http.Request) {
	e := big.NewInt(int64(p.key.E)).Bytes()
	writeObject(w, Object{"keys": []Object{{
		"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "1", "n": base64.RawURLEncoding.EncodeToString(p.key.N.Bytes()),
		"e": base64.RawURLEncoding.EncodeToString(e),
	}}})
}

// token exchanges a code for an access token and an id_token, once.
func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	refuse := func(reason string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = fmt.Fprintf(w, `{"error":"invalid_grant","error_description":%q}`, reason+" "+r.PostForm.Encode())
	}
	if err := r.ParseForm(); err != nil {
		refuse("no form")
		return
	}
	client, secret, _ := r.BasicAuth()
	if client == "" {
		client, secret = r.PostForm.Get("client_id"), r.PostForm.Get("client_secret")
	}
	code := r.PostForm.Get("code")
	issued, isKnown := p.codes[code]
	delete(p.codes, code)
	sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
	switch {
	case client != ProviderClient || secret != ProviderSecret:
		refuse("wrong client")
		return
	case !isKnown, base64.RawURLEncoding.EncodeToString(sum[:]) != issued.challenge,
		r.PostForm.Get("redirect_uri") != issued.redirect:
		refuse("wrong code")
		return
	}
	access, refresh, id := "acc3ss-"+code, "refr3sh-"+code, p.idToken(issued)
	p.secret = append(p.secret, r.PostForm.Get("code_verifier"), access, refresh, id)
	p.tokens[access] = issued.account
	writeObject(w, Object{
		"access_token": access, "token_type": "Bearer", "refresh_token": refresh, "expires_in": 3600, "id_token": id,
	})
}

// idToken returns a signed id_token with the Claims of the provider.
func (p *Provider) idToken(c issuedCode) string {
	asked := Object{}
	if c.authTime != 0 {
		asked["auth_time"] = c.authTime
	}
	claims := withoutNil(Over(Over(Object{
		"iss": p.URL, "sub": c.account.ID, "aud": ProviderClient, "iat": p.Now().Unix(), "exp": p.Now().Add(time.Hour).Unix(),
		"nonce": c.nonce, "preferred_username": c.account.Name,
	}, asked), p.Claims))
	encode := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		return base64.RawURLEncoding.EncodeToString(text)
	}
	body := encode(Object{"alg": "RS256", "kid": "1"}) + "." + encode(claims)
	sum := sha256.Sum256([]byte(body))
	signature, err := rsa.SignPKCS1v15(rand.Reader, p.key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return body + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// withoutNil returns an object without its properties that are nil.
func withoutNil(o Object) Object {
	maps.DeleteFunc(o, func(_ string, v any) bool { return v == nil })
	return o
}

// account returns the account whose access token a request has.
func (p *Provider) account(w http.ResponseWriter, r *http.Request) (ProviderAccount, bool) {
	account, ok := p.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	if !ok {
		w.WriteHeader(http.StatusUnauthorized)
	}
	return account, ok
}

func (p *Provider) userInfo(w http.ResponseWriter, r *http.Request) {
	if a, ok := p.account(w, r); ok {
		writeObject(w, withoutNil(Over(Object{
			"sub": a.ID, "data": Object{"id": a.ID, "name": "@" + a.Name, "followers": 1234, "verified": true},
		}, p.UserInfo)))
	}
}

func (p *Provider) channel(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.account(w, r); ok {
		items := []Object{}
		if p.Channel != "" {
			items = append(items, Object{"id": p.Channel})
		}
		writeObject(w, Object{"items": items})
	}
}

func (p *Provider) profile(w http.ResponseWriter, r *http.Request) {
	text, ok := p.Profiles[r.PathValue("name")]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	writeObject(w, Object{"id": "id-of-" + r.PathValue("name"), "name": r.PathValue("name"), "bio": text})
}
