package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"html"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"laurel.example/laurel"
)

// Keyless is a route that needs no API key, such as the address of a file (contract 1.1).
type Keyless struct {
	Method, Path string
	Name         string                  // in the log
	Limited      bool                    // counts against Limits.Keyless
	Run          func(x *Exchange) error // writes the response; an error becomes an error response
}

// Exchange is a request to a keyless route, and its response.
type Exchange struct {
	Writer  http.ResponseWriter
	Request *http.Request
	api     *API
}

// addKeylessRoutes serves the routes of other packages that need no API key.
func (a *API) addKeylessRoutes(mux *chi.Mux, routes []Keyless) {
	for _, k := range routes {
		run := func(w http.ResponseWriter, r *http.Request) {
			requestOf(r.Context()).route = k.Method + " " + k.Name
			if err := checkKeyless(k.Method, w, r); err != nil {
				w.Header().Set("Connection", "close") // the body is not read
				a.fail(w, r, err)
				return
			}
			if err := k.Run(&Exchange{Writer: w, Request: r, api: a}); err != nil {
				a.fail(w, r, err)
			}
		}
		if k.Limited {
			run = a.limitKeyless(run)
		}
		addRoute(mux, k.Method, k.Path, k.Name, run)
	}
}

// checkKeyless returns the refusal of a request to a keyless route by its headers, before its body is read. GET accepts
// every header. All others create something, so that there is no version that If-Match could name: the method must not
// be performed (RFC 9110, 13.1.1).
func checkKeyless(method string, w http.ResponseWriter, r *http.Request) error {
	switch {
	case method == http.MethodGet:
		return nil
	case !isPlain(r.Header["Content-Encoding"]):
		w.Header().Set("Accept-Encoding", identityCoding)
		return errEncoding
	case r.Header[ifMatchHeader] != nil:
		return errPrecondition
	}
	return nil
}

// WriteJSON writes a response as JSON.
func (x *Exchange) WriteJSON(status int, body any) { writeJSON(x.Writer, status, body) }

// scriptMaxAge is how long browsers use a script before they ask whether it has changed.
const scriptMaxAge = "public, max-age=300"

// WriteScript writes a script that pages of any site may load. A browser that has it gets 304.
func (x *Exchange) WriteScript(script []byte) {
	sum := sha256.Sum256(script)
	h := x.Writer.Header()
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Set("Cache-Control", scriptMaxAge)
	h.Set("ETag", `"`+hex.EncodeToString(sum[:16])+`"`)
	h.Set("Access-Control-Allow-Origin", "*") // for pages that name its hash
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	http.ServeContent(x.Writer, x.Request, "", time.Time{}, bytes.NewReader(script))
}

// Redirect sends the browser to an address. The browser tells it nothing of the address that it comes from.
func (x *Exchange) Redirect(address string) {
	x.Writer.Header().Set("Referrer-Policy", "no-referrer")
	x.Writer.Header().Set("Location", address)
	x.Writer.WriteHeader(http.StatusFound)
}

// WritePage writes a plain page of the service, of a title and paragraphs. It has no scripts, styles or links.
func (x *Exchange) WritePage(status int, title string, paragraphs ...string) {
	body := ""
	for _, text := range paragraphs {
		body += "<p>" + html.EscapeString(text) + "</p>"
	}
	x.writeHTML(status, title, body, "form-action 'none'")
}

// Form is a page with one button, which posts one value to the address of the page.
type Form struct{ Title, Text, Button, Name, Value string }

// WriteForm writes a plain page with a form. The form may lead to any address: browsers apply form-action also to where
// the response to the form redirects.
func (x *Exchange) WriteForm(f Form) {
	x.writeHTML(http.StatusOK, f.Title, "<p>"+html.EscapeString(f.Text)+`</p><form method="post"><input type="hidden" name="`+
		html.EscapeString(f.Name)+`" value="`+html.EscapeString(f.Value)+`"><button>`+html.EscapeString(f.Button)+
		"</button></form>", "")
}

// writeHTML writes a page. policy is added to its Content-Security-Policy, which allows nothing that a form does not
// need. The address of the page may hold a secret, which the browser tells to nobody.
func (x *Exchange) writeHTML(status int, title, body, policy string) {
	h := x.Writer.Header()
	h.Set("Content-Type", htmlType)
	h.Set("Content-Security-Policy", strings.TrimSuffix(
		"default-src 'none'; base-uri 'none'; frame-ancestors 'none'; "+policy, "; "))
	h.Set("Referrer-Policy", "no-referrer")
	x.Writer.WriteHeader(status)
	title = html.EscapeString(title)
	_, _ = io.WriteString(x.Writer, `<!doctype html><html lang="en"><meta charset="utf-8">`+
		`<meta name="viewport" content="width=device-width"><title>`+title+"</title><main><h1>"+title+"</h1>"+body+
		"</main></html>\n")
}

// Cookie returns the value of a header Set-Cookie for a cookie that scripts cannot read, and that other sites send only
// with links.
func Cookie(name, value, path string, isSecure bool, lifetime time.Duration) string {
	c := http.Cookie{
		Name: name, Value: value, Path: path, Secure: isSecure, MaxAge: int(lifetime.Seconds()), HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	}
	return c.String()
}

// IsHead reports whether the request looks at the address alone (RFC 9110, 9.3.2).
func (x *Exchange) IsHead() bool { return x.Request.Method == http.MethodHead }

// CookieOf returns the value of a cookie of the request; "" if it has none.
func (x *Exchange) CookieOf(name string) string {
	c, err := x.Request.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

// AwaitBody returns a reader of the request's body, which fails after maxBytes. The whole body may take as long as
// timeout, unless the caller sends nothing for a while: then the read fails earlier.
func (x *Exchange) AwaitBody(maxBytes int64, timeout time.Duration) io.Reader {
	connection := http.NewResponseController(x.Writer)
	_ = connection.SetWriteDeadline(time.Time{}) // the response comes when the body is there
	body := http.MaxBytesReader(x.Writer, x.Request.Body, maxBytes)
	return &slowBody{
		Reader: body, connection: connection, stallDeadline: x.api.stallDeadline, end: x.api.cfg.Deadline(timeout),
	}
}

// LimitGuesses runs a lookup by a secret token, and returns its error. A lookup that fails with NotFound counts as a
// guess of the caller's address. After too many guesses the address gets RateLimited without a lookup.
func (x *Exchange) LimitGuesses(lookup func() error) error {
	ctx := x.Request.Context()
	name := limitKey(requestOf(ctx).remote)
	exhausted, err := x.api.limits.guesses.exhaustedState(ctx, name)
	if err != nil {
		return err
	}
	if exhausted != nil {
		return requestOf(ctx).refuseLimited(*exhausted)
	}
	if err = lookup(); laurel.CodeOf(err) == laurel.NotFound {
		err = x.api.limits.guesses.take(ctx, name, err)
	}
	return err
}
