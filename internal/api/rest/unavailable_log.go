package rest

import (
	"context"
	"sync"
	"time"
)

// outageLines is how many unavailable requests are logged per second, so that an outage does not fill the disk as well.
const outageLines = 10

// outage counts the unavailable requests of the present second.
type outage struct {
	mu       sync.Mutex
	second   time.Time
	requests int
}

// count counts a request. It reports whether the request is logged, and how many of an earlier second were not.
func (o *outage) count(now time.Time) (isLogged bool, unlogged int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if second := now.Truncate(time.Second); !second.Equal(o.second) {
		unlogged = max(0, o.requests-outageLines)
		o.second, o.requests = second, 0
	}
	o.requests++
	return o.requests <= outageLines, unlogged
}

// logUnavailable logs why a request got 503, with its id.
func (a *API) logUnavailable(ctx context.Context, err error) {
	isLogged, unlogged := a.outage.count(a.cfg.Now())
	if unlogged > 0 {
		a.log.WarnContext(ctx, "more requests were unavailable than are logged one by one", "unlogged", unlogged)
	}
	if isLogged {
		a.log.WarnContext(ctx, "unavailable", "requestId", requestOf(ctx).id, "route", requestOf(ctx).route, "error", err)
	}
}
