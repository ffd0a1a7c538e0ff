package outbound

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"laurel.example/laurel"
)

// Reply is the response of a server, with any status.
type Reply struct {
	Status      int
	Header      http.Header
	Body        []byte // up to Call.MaxBytes
	IsTruncated bool   // the body was longer
}

// RetryAfter returns the wait that a busy server (429, 503) asks for in the header of RFC 9110, 10.2.3, in seconds or
// as a date; 0 if there is none.
func (r Reply) RetryAfter(now time.Time) time.Duration {
	if r.Status != http.StatusTooManyRequests && r.Status != http.StatusServiceUnavailable {
		return 0
	}
	text := strings.TrimSpace(r.Header.Get("Retry-After"))
	if n, err := strconv.ParseInt(text, 10, 32); err == nil {
		return max(time.Duration(n)*time.Second, 0)
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}

// Exchange makes a call once and returns the response with any status, for callers that judge responses and schedule
// retries themselves: webhooks, functions. It does not follow redirects and uses no circuit breaker. A body longer than
// MaxBytes is truncated. Errors: *Fault if there is no response, also for an address that may not be called.
func (c *Client) Exchange(ctx context.Context, call Call) (Reply, error) {
	var faults laurel.Faults
	c.Check(&faults, "url", call.URL)
	if len(faults) > 0 {
		return Reply{}, &Fault{Err: faults.Err()}
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(call.Timeout, defaultTimeout))
	defer cancel()
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	r, err := http.NewRequestWithContext(ctx, cmp.Or(call.Method, http.MethodGet), call.URL, bytes.NewReader(call.Body))
	if err != nil {
		return Reply{}, &Fault{Err: call.redact(err)}
	}
	for name, value := range call.Header {
		r.Header.Set(name, value)
	}
	r.Header.Set("User-Agent", "laurel")
	res, err := c.http.Do(r)
	if err != nil {
		return Reply{}, &Fault{Sent: sent.Load(), Err: call.redact(err)}
	}
	defer func() { _ = res.Body.Close() }()
	limit := cmp.Or(call.MaxBytes, defaultMaxBytes)
	out := Reply{Status: res.StatusCode, Header: res.Header}
	out.Body, err = io.ReadAll(io.LimitReader(res.Body, limit+1))
	if out.IsTruncated = int64(len(out.Body)) > limit; out.IsTruncated {
		out.Body = out.Body[:limit]
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return Reply{}, &Fault{Sent: true, Err: call.redact(err)}
	}
	return out, nil
}
