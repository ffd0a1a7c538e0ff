package rest

import (
	"context"
	"sync"
	"time"
)

// outageLines is how many unavailable requests a second the log tells one by one: an outage must not fill the disk as
// well.
const outageLines = 10

// outage counts the unavailable requests of the current second.
type outage struct {
	mu     sync.Mutex
	second time.Time
	count  int
}

// note reports whether this request gets a line, and how many of an earlier second had none.
func (o *outage) note(now time.Time) (told bool, untold int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if second := now.Truncate(time.Second); !second.Equal(o.second) {
		untold = max(0, o.count-outageLines)
		o.second, o.count = second, 0
	}
	o.count++
	return o.count <= outageLines, untold
}

// logUnavailable tells under the request's id why it was answered 503.
func (a *API) logUnavailable(ctx context.Context, err error) {
	told, untold := a.outage.note(a.cfg.Now())
	if untold > 0 {
		a.log.WarnContext(ctx, "more requests were unavailable than are told one by one", "untold", untold)
	}
	if told {
		a.log.WarnContext(ctx, "unavailable", "requestId", requestOf(ctx).id, "route", requestOf(ctx).route, "error", err)
	}
}
