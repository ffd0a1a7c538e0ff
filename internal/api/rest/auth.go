package rest

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/tenancy"
)

// identify turns the request's key into a scope and takes one request from its limit. Errors: Forbidden, RateLimited.
func (a *API) identify(w http.ResponseWriter, r *http.Request, rt *Operation) error {
	ctx, req := r.Context(), requestOf(r.Context())
	presented := strings.TrimSpace(r.Header.Get("X-API-KEY"))
	if presented == "" {
		return errKeyMissing
	}
	key, err := a.authenticate(ctx, presented)
	if err != nil {
		return err
	}
	req.scope, req.trusting = key.Scope, key.TrustClientUsers
	req.bearer = bearer(r)
	allowed := a.allowOrigin(w, r, key)
	if err := a.limits.take(ctx, key.Scope, req.remote); err != nil {
		return err
	}
	if !allowed {
		return ErrKeyKind
	}
	return rt.admits(key.Scope.Role)
}

// authenticate returns whose key was presented. An address that has presented too many bad keys is refused before the
// database is asked. Keys that this node has found good pass all the same: callers who share the address with a
// guesser, behind one NAT, keep their service. Only a key that is new to the node waits until the limit is over.
func (a *API) authenticate(ctx context.Context, presented string) (tenancy.Key, error) {
	spent, err := a.limits.failed.spent(ctx, countedAs(requestOf(ctx).remote))
	if err != nil {
		return tenancy.Key{}, err
	}
	if spent != nil && !a.cfg.Tenancy.WasValid(presented) {
		return tenancy.Key{}, requestOf(ctx).refuse(*spent)
	}
	key, err := a.cfg.Tenancy.Authenticate(ctx, presented)
	return key, a.failed(ctx, laurel.Forbidden, err)
}

// failed counts an error of the code as a guess of the address that asks.
func (a *API) failed(ctx context.Context, code laurel.Code, err error) error {
	if laurel.CodeOf(err) != code {
		return err
	}
	return a.limits.failed.take(ctx, countedAs(requestOf(ctx).remote), err)
}

func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// exposed are the headers that scripts of a browser may read.
const exposed = "X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, " +
	ignoredHeader + ", " + appliedHeader

// allowOrigin lets a browser read answers to a client key (contract 1.1). It returns false for an origin that the
// key excludes.
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
	w.Header().Set("Access-Control-Expose-Headers", exposed)
	return true
}

// remoteOf returns the address that asks: the peer, or, behind trusted proxies, the last address of X-Forwarded-For
// that is none of them. What stands further left was written by the caller and proves nothing.
func remoteOf(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	remote := peer.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !within(trusted, remote) {
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

// countryOf returns the country that a request comes from, in capital letters, as a trusted proxy says in a header. Of
// several values the last is the proxy's own. Empty: not known.
func countryOf(r *http.Request, trusted []netip.Prefix, header string) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if header == "" || err != nil || !within(trusted, peer.Addr().Unmap()) {
		return ""
	}
	values := strings.Split(strings.Join(r.Header.Values(header), ","), ",")
	return strings.ToUpper(strings.TrimSpace(values[len(values)-1]))
}

// CountryOf returns the code of the country that a request comes from (ISO 3166 alpha-2); empty where no trusted proxy
// says so.
func CountryOf(ctx context.Context) string { return requestOf(ctx).country }

// RemoteOf returns the address of who asks, as a text, to handlers inside the frame.
func RemoteOf(r *http.Request) string { return requestOf(r.Context()).remote.String() }

// NetworkOf returns what limits count who asks as: RemoteOf, or of IPv6 its network.
func NetworkOf(r *http.Request) string { return blockOf(requestOf(r.Context()).remote).String() }

// RequestID returns the id of a request to handlers inside the frame.
func RequestID(r *http.Request) string { return requestOf(r.Context()).id }

func within(networks []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(address) })
}

// parseHop reads an address as proxies write it: alone, in brackets, or with a port.
func parseHop(hop string) (netip.Addr, error) {
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return withPort.Addr(), nil
	}
	if inner, ok := strings.CutPrefix(hop, "["); ok {
		hop = strings.TrimSuffix(inner, "]")
	}
	return netip.ParseAddr(hop)
}
