package rest

import (
	"cmp"
	"context"
	"net/http"
	"time"
)

// observe lets the observer know that a request has ended.
func (a *API) observe(ctx context.Context, begun time.Time, method string, w *responseWriter) {
	req := requestOf(ctx)
	served := Served{
		Method: method, Route: cmp.Or(req.pattern, OtherRoute), Status: cmp.Or(w.status, http.StatusOK), Bytes: w.bytes,
		RequestID: req.id,
	}
	if served.Status == http.StatusServiceUnavailable && ctx.Err() != nil {
		served.Status = StatusCallerLeft
	}
	a.cfg.Observer.End(ctx, begun, served)
}
