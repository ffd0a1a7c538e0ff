package httpapi

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/sethvargo/go-limiter"
	"github.com/sethvargo/go-limiter/memorystore"

	"laurel"
)

// limiters hold the limits of this node.
type limiters struct{ secret, client, failed *bucket }

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
	}{{&out.secret, "default", l.Secret}, {&out.client, "default", l.Client}, {&out.failed, "failed-keys", l.FailedKeys}} {
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
	// Addresses come and go: what was idle for a few windows is forgotten, or publishable keys would fill the memory.
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

func (l limiters) of(s laurel.Scope) *bucket {
	if s.Role == laurel.RoleClient {
		return l.client
	}
	return l.secret
}

func limitName(s laurel.Scope, remote netip.Addr) string {
	if s.Role == laurel.RoleClient {
		return s.KeyID.String() + " " + remote.String()
	}
	return s.KeyID.String()
}

// take counts one request, tells the caller what is left, and answers RateLimited when nothing was. Else it answers otherwise.
func (b *bucket) take(ctx context.Context, name string, otherwise error) error {
	if b == nil {
		return otherwise
	}
	_, left, reset, ok, err := b.store.Take(ctx, name)
	if err != nil {
		return err
	}
	window := max(1, int(b.limit.Window.Seconds()))
	wait := seconds(time.Duration(int64(reset) - b.now().UnixNano()))
	wait = min(max(wait, 1), window) // the counter's clock may be another than the service's
	requestOf(ctx).tell(limited{policy: b.policy, most: b.limit.Requests, left: int(left), window: window, wait: wait})
	if !ok {
		return &laurel.Error{Code: laurel.RateLimited, Message: tooMany, RetryAfter: wait}
	}
	return otherwise
}

// limited is what one limit leaves to the caller. Times are in seconds.
type limited struct {
	policy       string
	most, left   int
	window, wait int
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
