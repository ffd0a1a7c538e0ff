package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"time"

	"laurel/internal/tenancy"

	"github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"

	"laurel"
)

// limiters hold the limits of this node.
type limiters struct{ secret, client, clientKey, failed, pages, keyless, guesses *bucket }

// bucket counts requests by name. A nil bucket has no limit.
type bucket struct {
	policy string
	limit  Limit
	now    func() time.Time
	store  limiter.Store
}

func newLimiters(ctx context.Context, l Limits, now func() time.Time) (limiters, error) {
	var out limiters
	var err error
	for _, b := range []struct {
		to     **bucket
		policy string
		limit  Limit
	}{{&out.secret, "default", l.Secret}, {&out.client, "default", l.Client}, {&out.clientKey, "client-key", l.ClientKey},
		{&out.failed, "failed-keys", l.FailedKeys}, {&out.pages, "pages", l.Pages},
		{&out.guesses, "failed-uploads", l.FailedKeys}, {&out.keyless, "keyless", l.Keyless}} {
		if *b.to, err = newBucket(ctx, b.policy, b.limit, now); err != nil {
			return out, err
		}
	}
	return out, nil
}

func newBucket(ctx context.Context, policy string, l Limit, now func() time.Time) (*bucket, error) {
	if l.Requests <= 0 {
		return nil, nil
	}
	// Addresses come and go: what was idle for a few windows is forgotten, or client keys would fill the memory.
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

// take counts a request of a key that is good. An address that has used up its part of a client key leaves the
// total of the key alone.
func (l limiters) take(ctx context.Context, s laurel.Scope, remote netip.Addr) error {
	if s.Role != laurel.RoleClient {
		return l.secret.take(ctx, s.KeyID.String(), nil)
	}
	if err := l.client.take(ctx, s.KeyID.String()+" "+countedAs(remote), nil); err != nil {
		return err
	}
	return l.clientKey.take(ctx, s.KeyID.String(), nil)
}

// countedAs returns the name under which limits count an address.
func countedAs(remote netip.Addr) string { return blockOf(remote).String() }

// take counts one request, tells the caller what is left, and returns RateLimited when nothing was. Else it returns
// otherwise.
func (b *bucket) take(ctx context.Context, name string, otherwise error) error {
	if b == nil {
		return otherwise
	}
	_, left, reset, ok, err := b.store.Take(ctx, name)
	if err != nil {
		return err
	}
	told := b.limited(int(left), reset)
	if !ok {
		return requestOf(ctx).refuse(told)
	}
	requestOf(ctx).tell(told)
	return otherwise
}

// spent returns the limit where nothing of it is left, else nil. It counts nothing.
func (b *bucket) spent(ctx context.Context, name string) (*limited, error) {
	if b == nil {
		return nil, nil
	}
	counted, left, err := b.store.Get(ctx, name)
	if err != nil || counted == 0 || left > 0 {
		return nil, err
	}
	_, _, reset, ok, err := b.store.Take(ctx, name) // Get does not see that a window is over
	if err != nil {
		return nil, err
	}
	if ok {
		return nil, b.store.Burst(ctx, name, 1) // gives back what was taken
	}
	told := b.limited(0, reset)
	return &told, nil
}

func (b *bucket) limited(left int, reset uint64) limited {
	window := max(1, int(b.limit.Window.Seconds()))
	wait := seconds(time.Duration(int64(reset) - b.now().UnixNano()))
	wait = min(max(wait, 1), window) // the counter's clock may be another than the service's
	return limited{policy: b.policy, most: b.limit.Requests, left: left, window: window, wait: wait}
}

// limited counts a request that needs no key.
func (a *API) limited(next http.HandlerFunc) http.HandlerFunc {
	return a.limitedBy(a.limits.keyless, next)
}

// limitedBy counts a request of an address in a bucket. A trusted proxy that asks for itself, such as a load balancer
// after the health of its nodes, has no limit: strangers could use it up.
func (a *API) limitedBy(by *bucket, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if remote := requestOf(r.Context()).remote; !within(a.cfg.TrustedProxies, remote) {
			if err := by.take(r.Context(), countedAs(remote), nil); err != nil {
				a.fail(w, r, err)
				return
			}
		}
		next(w, r)
	}
}

// enter counts the request as under way for the address that asks. leave ends that. Errors: RateLimited.
func (a *API) enter(req *request) (leave func(), err error) {
	if a.cfg.UnderWay == nil {
		return func() {}, nil
	}
	remote := req.remote
	if within(a.cfg.TrustedProxies, remote) {
		remote = netip.Addr{} // nobody in particular
	}
	if !a.cfg.UnderWay.Enter(remote) {
		return nil, req.refuse(limited{policy: "under-way", most: a.cfg.UnderWay.each, window: 1, wait: 1})
	}
	return func() { a.cfg.UnderWay.Leave(remote) }, nil
}

// TellShared tells the caller what a limit leaves that holds across nodes, and returns RateLimited when nothing was.
func TellShared(ctx context.Context, policy string, most int, window time.Duration, counted tenancy.Allowance) error {
	told := limited{policy: policy, most: most, left: counted.Remaining, window: int(window.Seconds()),
		wait: seconds(counted.Reset)}
	if !counted.OK {
		return requestOf(ctx).refuse(told)
	}
	requestOf(ctx).tell(told)
	return nil
}

// limited is what one limit leaves to the caller. Times are in seconds.
type limited struct {
	policy       string
	most, left   int
	window, wait int
}

// refuse tells the limit and returns RateLimited.
func (r *request) refuse(l limited) error {
	r.tell(l)
	return &laurel.Error{Code: laurel.RateLimited, Message: tooMany, RetryAfter: l.wait}
}

// tell puts the limit into the answer's headers, unless they tell of a tighter one (contract 1.9).
func (r *request) tell(l limited) {
	if r.tightest != nil && r.tightest.left < l.left {
		return
	}
	r.tightest = &l
	r.header.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", l.policy, l.most, l.window))
	r.header.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", l.policy, l.left, l.wait))
}

// seconds rounds up, as Retry-After wants.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
