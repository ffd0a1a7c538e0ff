package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"time"

	"laurel.example/laurel/internal/tenancy"

	"github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"

	"laurel.example/laurel"
)

// limiters hold the limits of this node.
type limiters struct{ secret, client, clientKey, failedKeys, pages, keyless, guesses *bucket }

// bucket counts requests by name, such as a key or an address, in windows of time. A nil bucket has no limit.
type bucket struct {
	policy string
	limit  Limit
	now    func() time.Time
	store  limiter.Store
}

// newLimiters returns the limiters of a node, which end with ctx. A limit of zero requests gets none.
func newLimiters(ctx context.Context, l Limits, now func() time.Time) (limiters, error) {
	var out limiters
	var err error
	for _, b := range []struct {
		to     **bucket
		policy string
		limit  Limit
	}{{&out.secret, "default", l.Secret}, {&out.client, "default", l.Client}, {&out.clientKey, "client-key", l.ClientKey},
		{&out.failedKeys, "failed-keys", l.FailedKeys}, {&out.pages, "pages", l.Pages},
		// Upload tokens may be guessed as often as keys, but are counted on their own.
		{&out.guesses, "failed-uploads", l.FailedKeys}, {&out.keyless, "keyless", l.Keyless}} {
		if *b.to, err = newBucket(ctx, b.policy, b.limit, now); err != nil {
			return out, err
		}
	}
	return out, nil
}

// newBucket returns a bucket for a limit, which ends with ctx; nil if the limit has zero requests. The policy names the
// limit in response headers.
func newBucket(ctx context.Context, policy string, l Limit, now func() time.Time) (*bucket, error) {
	if l.Requests <= 0 {
		return nil, nil
	}
	// Names that were idle for a few windows are removed, or the addresses of client keys would fill the memory.
	idle := max(2*l.Window, time.Minute)
	store, err := memorystore.New(&memorystore.Config{
		Tokens: uint64(l.Requests), Interval: l.Window, SweepInterval: time.Minute, SweepMinTTL: idle,
	})
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { _ = store.Close(context.WithoutCancel(ctx)) })
	return &bucket{policy: policy, limit: l, now: now, store: store}, nil
}

// countRequest counts a request with a valid key against the limits of its kind, and returns RateLimited if one is used
// up. An address that has used up its own part of a client key does not count against the total of the key.
func (l limiters) countRequest(ctx context.Context, s laurel.Scope, remote netip.Addr) error {
	if s.Role != laurel.RoleClient {
		return l.secret.take(ctx, s.KeyID.String(), nil)
	}
	if err := l.client.take(ctx, s.KeyID.String()+" "+limitKey(remote), nil); err != nil {
		return err
	}
	return l.clientKey.take(ctx, s.KeyID.String(), nil)
}

// limitKey returns the name under which limits count an address.
func limitKey(remote netip.Addr) string { return networkOf(remote).String() }

// take counts one request under a name, and writes what the limit leaves to the response headers. It returns
// RateLimited if nothing was left, else the given error, which may be nil.
func (b *bucket) take(ctx context.Context, name string, otherwise error) error {
	if b == nil {
		return otherwise
	}
	_, left, reset, ok, err := b.store.Take(ctx, name)
	if err != nil {
		return err
	}
	state := b.stateOf(int(left), reset)
	if !ok {
		return requestOf(ctx).refuseLimited(state)
	}
	requestOf(ctx).writeLimitHeaders(state)
	return otherwise
}

// exhaustedState returns the state of the limit for a name if it is used up, else nil. It counts nothing.
func (b *bucket) exhaustedState(ctx context.Context, name string) (*limitState, error) {
	if b == nil {
		return nil, nil
	}
	counted, left, err := b.store.Get(ctx, name)
	if err != nil || counted == 0 || left > 0 {
		return nil, err
	}
	_, _, reset, ok, err := b.store.Take(ctx, name) // Get does not notice that a window is over
	if err != nil {
		return nil, err
	}
	if ok {
		return nil, b.store.Burst(ctx, name, 1) // gives back what was taken
	}
	state := b.stateOf(0, reset)
	return &state, nil
}

// stateOf returns the state of the limit, from what the store counted: how many requests remain, and when the window
// ends, in nanoseconds since 1970.
func (b *bucket) stateOf(remaining int, windowEnd uint64) limitState {
	window := max(1, int(b.limit.Window.Seconds()))
	wait := seconds(time.Duration(int64(windowEnd) - b.now().UnixNano()))
	wait = min(max(wait, 1), window) // the counter may use another clock than the service
	return limitState{
		policy: b.policy, quota: b.limit.Requests, remaining: remaining, windowSeconds: window, waitSeconds: wait,
	}
}

// limitKeyless returns a handler that counts each request against the limit for requests without a key, by the caller's
// address, before it serves it.
func (a *API) limitKeyless(next http.HandlerFunc) http.HandlerFunc {
	return a.limitByAddress(a.limits.keyless, next)
}

// limitByAddress returns a handler that counts each request against a limit, by the caller's address, before it serves
// it. Requests of a trusted proxy itself, such as the health checks of a load balancer, are not limited: all of them
// have one address, and one caller could use its limit up for the others.
func (a *API) limitByAddress(b *bucket, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if remote := requestOf(r.Context()).remote; !containsAddress(a.cfg.TrustedProxies, remote) {
			if err := b.take(r.Context(), limitKey(remote), nil); err != nil {
				a.fail(w, r, err)
				return
			}
		}
		next(w, r)
	}
}

// enter counts the request as under way for the caller's address, until leave is called. A trusted proxy has no limit
// of its own. Errors: RateLimited if too many are under way.
func (a *API) enter(req *request) (leave func(), err error) {
	if a.cfg.UnderWay == nil {
		return func() {}, nil
	}
	remote := req.remote
	if containsAddress(a.cfg.TrustedProxies, remote) {
		remote = netip.Addr{} // no limit per address
	}
	if !a.cfg.UnderWay.Enter(remote) {
		return nil, req.refuseLimited(limitState{
			policy: "under-way", quota: a.cfg.UnderWay.maxPerAddress, windowSeconds: 1, waitSeconds: 1,
		})
	}
	return func() { a.cfg.UnderWay.Leave(remote) }, nil
}

// ReportSharedLimit writes the state of a limit that holds across nodes to the response headers. It returns RateLimited
// if the request was one too many.
func ReportSharedLimit(
	ctx context.Context, policy string, quota int, window time.Duration, counted tenancy.Allowance,
) error {
	state := limitState{policy: policy, quota: quota, remaining: counted.Remaining, windowSeconds: int(window.Seconds()),
		waitSeconds: seconds(counted.Reset)}
	if !counted.OK {
		return requestOf(ctx).refuseLimited(state)
	}
	requestOf(ctx).writeLimitHeaders(state)
	return nil
}

// limitState is what a limit leaves to the caller.
type limitState struct {
	policy                     string
	quota, remaining           int
	windowSeconds, waitSeconds int
}

// refuseLimited writes the state of a limit to the response headers and returns RateLimited.
func (r *request) refuseLimited(l limitState) error {
	r.writeLimitHeaders(l)
	return &laurel.Error{Code: laurel.RateLimited, Message: msgTooManyRequests, RetryAfter: l.waitSeconds}
}

// writeLimitHeaders writes the state of a limit to the response headers, unless they show a tighter one (contract 1.9).
func (r *request) writeLimitHeaders(l limitState) {
	if r.tightest != nil && r.tightest.remaining < l.remaining {
		return
	}
	r.tightest = &l
	r.header.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", l.policy, l.quota, l.windowSeconds))
	r.header.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", l.policy, l.remaining, l.waitSeconds))
}

// seconds returns a duration in seconds, rounded up, as Retry-After wants it.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
