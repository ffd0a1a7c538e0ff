package rest

import (
	"context"
	"sync"
	"time"
)

// outageLines is how many unavailable requests are logged per second, so that an outage does not fill the disk as well.
const outageLines = 10

// outage counts the unavailable requests of the current second.
type outage struct {
	mu       sync.Mutex
	second   time.Time
	requests int
}

// countRequest counts a request that the service was unavailable for. isLogged reports whether it is one of the first
// outageLines of its second, which are logged. For the first request of a second, unlogged is how many requests of the
// last second with requests were not logged.
func (o *outage) countRequest(now time.Time) (isLogged bool, unlogged int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if second := now.Truncate(time.Second); !second.Equal(o.second) {
		unlogged = max(0, o.requests-outageLines)
		o.second, o.requests = second, 0
	}
	o.requests++
	return o.requests <= outageLines, unlogged
}

// logUnavailable logs that a request got 503, and why. If many do so in a second, it logs the first ones, and later the
// number of the others.
func (a *API) logUnavailable(ctx context.Context, err error) {
	isLogged, unlogged := a.outage.countRequest(a.cfg.Now())
	if unlogged > 0 {
		a.log.WarnContext(ctx, "more requests were unavailable than are logged one by one", "unlogged", unlogged)
	}
	if isLogged {
		a.log.WarnContext(ctx, "unavailable", "requestId", requestOf(ctx).id, "route", requestOf(ctx).routeName(), "error", err)
	}
}
