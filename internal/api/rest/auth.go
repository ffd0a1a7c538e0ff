package rest

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/tenancy"
)

// identify authenticates the API key of a request, sets the scope of the request, and counts the request against the
// limits of the key. Errors: Forbidden for a key that is missing, wrong, of a kind that may not call the operation, or
// used from an origin that it excludes; RateLimited.
func (a *API) identify(w http.ResponseWriter, r *http.Request, route *Operation) error {
	ctx, req := r.Context(), requestOf(r.Context())
	presented := strings.TrimSpace(r.Header.Get("X-API-KEY"))
	if presented == "" {
		allowAllOrigins(w)
		return errKeyMissing
	}
	key, err := a.authenticate(ctx, presented)
	if err != nil {
		if laurel.CodeOf(err) == laurel.Forbidden {
			allowAllOrigins(w)
		}
		return err
	}
	req.scope, req.trustsClientUsers = key.Scope, key.TrustClientUsers
	req.allowedOrigins, req.isNavigation = key.AllowedOrigins, r.Header.Get("Sec-Fetch-Mode") == "navigate"
	req.bearer = bearerToken(r)
	allowed := a.allowOrigin(w, r, key)
	if err := a.limits.countRequest(ctx, key.Scope, req.remote); err != nil {
		return err
	}
	if !allowed {
		return ErrKeyKind
	}
	return route.checkKeyKind(key.Scope.Role)
}

// allowAllOrigins lets pages of every origin read that their key is missing or wrong, which is of no tenant. Otherwise
// browsers would show it as a failure of CORS.
func allowAllOrigins(w http.ResponseWriter) { w.Header().Set("Access-Control-Allow-Origin", "*") }

// authenticate returns the key that a request presents. An address that has presented too many wrong keys is refused
// before the database is read. Keys that this node knows to be good still pass, so callers who share the address with
// an attacker, behind one NAT, are served. Only keys that are new to the node wait until the limit is over.
func (a *API) authenticate(ctx context.Context, presented string) (tenancy.Key, error) {
	exhausted, err := a.limits.failedKeys.exhaustedState(ctx, limitKey(requestOf(ctx).remote))
	if err != nil {
		return tenancy.Key{}, err
	}
	if exhausted != nil && !a.cfg.Tenancy.WasValid(presented) {
		return tenancy.Key{}, requestOf(ctx).refuseLimited(*exhausted)
	}
	key, err := a.cfg.Tenancy.Authenticate(ctx, presented)
	return key, a.countFailedKey(ctx, laurel.Forbidden, err)
}

// countFailedKey counts a wrong key from the caller's address if err has the code; other errors, and nil, are not
// counted. It returns err, or RateLimited if the address has presented too many.
func (a *API) countFailedKey(ctx context.Context, code laurel.Code, err error) error {
	if laurel.CodeOf(err) != code {
		return err
	}
	return a.limits.failedKeys.take(ctx, limitKey(requestOf(ctx).remote), err)
}

// bearerToken returns the token of the Authorization header; "" without one.
func bearerToken(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// exposedHeaders are the response headers that scripts of a browser may read.
const exposedHeaders = "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, " +
	ignoredHeader + ", " + appliedHeader

// allowOrigin lets scripts of a browser read the response to a client key, by CORS headers (contract 1.1). It returns
// false if the key excludes the origin. For other kinds of keys, and for requests without an origin, it returns true
// and sets no such header.
func (a *API) allowOrigin(w http.ResponseWriter, r *http.Request, key tenancy.Key) bool {
	origin := r.Header.Get("Origin")
	if key.Scope.Role != laurel.RoleClient {
		return true
	}
	w.Header().Add("Vary", "Origin")
	if origin == "" {
		return true // not a browser
	}
	same := func(allowed string) bool { return strings.EqualFold(allowed, origin) }
	if len(key.AllowedOrigins) > 0 && !slices.ContainsFunc(key.AllowedOrigins, same) {
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Set("Access-Control-Expose-Headers", exposedHeaders)
	return true
}

// remoteAddress returns the address of the caller: the peer or, behind trusted proxies, the last address of
// X-Forwarded-For that is not one of them. Addresses further left were written by the caller and prove nothing. An
// address that cannot be parsed ends the search. The address is the zero Addr if the peer's cannot be parsed.
func remoteAddress(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	remote := peer.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !containsAddress(trusted, remote) {
			break
		}
		address, err := parseHop(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		remote = address.Unmap()
	}
	return remote
}

// countryOf returns the country of a request in capital letters, as a trusted proxy states it in a header; "" if
// unknown. The last of several values is the proxy's own.
func countryOf(r *http.Request, trusted []netip.Prefix, header string) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if header == "" || err != nil || !containsAddress(trusted, peer.Addr().Unmap()) {
		return ""
	}
	values := strings.Split(strings.Join(r.Header.Values(header), ","), ",")
	return strings.ToUpper(strings.TrimSpace(values[len(values)-1]))
}

// CountryOf returns the country of the caller (ISO 3166 alpha-2); "" if no trusted proxy states it.
func CountryOf(ctx context.Context) string { return requestOf(ctx).country }

// RemoteOf returns the address of the caller as text, to handlers of pages and keyless routes.
func RemoteOf(r *http.Request) string { return requestOf(r.Context()).remote.String() }

// NetworkOf returns the address that limits count the caller under: its own, or the network of an IPv6 address.
func NetworkOf(r *http.Request) string { return networkOf(requestOf(r.Context()).remote).String() }

// RequestID returns the id of a request, to handlers of pages and keyless routes.
func RequestID(r *http.Request) string { return requestOf(r.Context()).id }

func containsAddress(networks []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(address) })
}

// parseHop parses an address as proxies write it: plain, in brackets, or with a port.
func parseHop(hop string) (netip.Addr, error) {
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return withPort.Addr(), nil
	}
	if inner, ok := strings.CutPrefix(hop, "["); ok {
		hop = strings.TrimSuffix(inner, "]")
	}
	return netip.ParseAddr(hop)
}
