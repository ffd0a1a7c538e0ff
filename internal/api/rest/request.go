package rest

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"slices"

	"laurel.example/laurel/internal/identity"

	"laurel.example/laurel"
)

// request is the state of one request. It travels in the context.
type request struct {
	id     string // X-Request-Id
	route  string // method and pattern, for the log; "": those of method and pattern
	method string // of the caller
	// pattern is the path of the route, for the observer; "": no route has the path of the request.
	pattern string
	remote  netip.Addr // the caller, behind trusted proxies
	// country is the country of the caller, as a trusted proxy states it; "": unknown.
	country string
	scope   laurel.Scope // set once the key is known
	bearer  string       // of the Authorization header: a member token
	// trustsClientUsers is set if the website lets client keys name users without a member token (contract 1.2).
	trustsClientUsers bool
	allowedOrigins    []string      // of the key
	isNavigation      bool          // a browser opens the address in a window
	header            http.Header   // of the response
	tightest          *limitState   // the limit in the response headers; nil: none
	strict            bool          // unknown properties and parameters are faults
	invalidMessage    string        // the message of every invalid input of the operation; empty: the first problem
	faults            laurel.Faults // of the query, and those of the body that come before all others
	bodyFaults        laurel.Faults // a response lists them after all others
	err               error         // the error of the handler
	input             any           // of the handler, decoded
	// readCurrent returns the record that the request changes, for If-Match; nil: the operation takes none.
	readCurrent func(context.Context) (any, error)
	rawBody     []byte            // the body as sent
	body        []byte            // tidied
	bodySize    int               // bytes of memory reserved for it, with unmeteredBody; 0: no more than that
	identity    *identity.Service // checks member tokens
	tokenCheck  memberCheck
}

// routeName returns the method and the pattern of the route, for the log. A path of a caller may hold a secret.
func (r *request) routeName() string {
	return cmp.Or(r.route, r.method+" "+cmp.Or(r.pattern, OtherRoute))
}

// problems returns the given faults, and after them those of the body, as one error; nil if there are none.
func (r *request) problems(found laurel.Faults) error {
	for _, f := range r.bodyFaults {
		if !slices.Contains(found, f) {
			found.AddText(f.Path, f.Message)
		}
	}
	return found.Err()
}

// NameRoute says which route serves a request, by its pattern. It is for handlers that find their routes themselves.
func NameRoute(r *http.Request, pattern string) { requestOf(r.Context()).pattern = pattern }

type requestKey struct{}

// requestOf returns the state of a request from its context, and an empty state outside requests.
func requestOf(ctx context.Context) *request {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r
	}
	return &request{}
}

// ScopeOf returns the scope of the request's API key.
func ScopeOf(ctx context.Context) laurel.Scope { return requestOf(ctx).scope }

// memberCheck is the result of checking the member token of a request. It is checked once, on first use.
type memberCheck struct {
	done bool
	user laurel.ID
	err  error
}

// MemberOf returns the user whose member token the request has. The token is checked once per request. Errors:
// Forbidden without a valid token.
func MemberOf(ctx context.Context) (laurel.ID, error) {
	r := requestOf(ctx)
	if p := &r.tokenCheck; !p.done {
		p.done = true
		p.user, p.err = r.identity.CheckToken(ctx, r.scope, r.bearer)
	}
	return r.tokenCheck.user, r.tokenCheck.err
}

// TokenOf returns the member token of the request, unchecked; "" without one.
func TokenOf(ctx context.Context) string { return requestOf(ctx).bearer }

// TrustsClientUsers reports whether the website lets the request's client key name users without a member token
// (contract 1.2).
func TrustsClientUsers(ctx context.Context) bool { return requestOf(ctx).trustsClientUsers }

// AllowedOriginsOf returns the origins of browsers that may use the request's client key; none: every origin.
func AllowedOriginsOf(ctx context.Context) []string { return requestOf(ctx).allowedOrigins }

// IsNavigation reports whether a browser makes the request to show its response (Sec-Fetch-Mode of Fetch Metadata), so
// that it follows redirects and stores cookies as for a page.
func IsNavigation(ctx context.Context) bool { return requestOf(ctx).isNavigation }
