package outbound

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"

	"laurel.example/laurel"
)

// Call is one request to an external address.
type Call struct {
	Method          string // empty: GET
	URL             string
	Header          map[string]string
	Body            []byte
	Timeout         time.Duration // of one try, including the reading of its response; 0: 10 s
	IdleTimeout     time.Duration // a try ends if nothing of its response arrives for so long; 0: only Timeout counts
	MaxBytes        int64         // of the response; 0: 1 MiB
	Tries           int           // 0: 1
	Pause           time.Duration // after the first try, doubled after each further one; 0: 500 ms
	FollowRedirects bool          // only for calls that contain no secret
	HasSecretPath   bool          // the path may be a credential: errors tell no more of addresses than their hosts
	Tenant          string        // each tenant has circuit breakers of its own
	// OnHead is called with the status of each response, and a function that returns its headers; nil: nobody looks.
	OnHead func(status int, header func(name string) string)
}

// Response is the response to a call, with any status below 500 except 429.
type Response struct {
	Status         int
	Body           []byte
	MayBeDuplicate bool // an earlier try of the call may have arrived, too
}

// Fault is the error of a call without a usable response: no connection, a timeout, status 429 or 5xx.
type Fault struct {
	Status int  // of the response, or 0
	Sent   bool // one of the tries may have arrived, so its effect is unknown
	Err    error
	// PausedFor is how long at most further calls of the host are refused, if its breaker is open; else 0.
	PausedFor time.Duration
}

// Error returns the text for the log: the status of the response, or the error of the connection.
func (f *Fault) Error() string {
	if f.Status != 0 {
		return fmt.Sprintf("answered with status %d", f.Status)
	}
	return f.Err.Error()
}

// Kind classifies the faults of calls.
type Kind string

// The kinds of faults. Their texts are shown to tenants.
const (
	KindServerError     Kind = "answered"     // with 5xx
	KindTooManyRequests Kind = "answered 429" // too many calls
	KindCircuitOpen     Kind = "the host failed several times in a row and is left alone for a while"
	KindNotAllowed      Kind = "not an allowed address"
	KindInvalidResponse Kind = "the answer is not valid"
	KindTimedOut        Kind = "no answer in time" // whether or not there was a connection in time
	KindNoConnection    Kind = "no connection"
	KindConnectionLost  Kind = "the connection broke off"
)

// Kind returns the kind of the fault. A connection that broke before the request was sent gives NoConnection; one that
// broke later gives ConnectionLost.
func (f *Fault) Kind() Kind {
	var timeout interface{ Timeout() bool }
	switch {
	case f.Status == http.StatusTooManyRequests:
		return KindTooManyRequests
	case f.Status != 0:
		return KindServerError
	case errors.Is(f.Err, ErrCircuitOpen):
		return KindCircuitOpen
	case errors.Is(f.Err, ErrAddressNotAllowed), laurel.CodeOf(f.Err) != laurel.Internal: // a fault that Check added
		return KindNotAllowed
	case errors.Is(f.Err, ErrTooLarge):
		return KindInvalidResponse
	case errors.As(f.Err, &timeout) && timeout.Timeout():
		return KindTimedOut
	case !f.Sent:
		return KindNoConnection
	}
	return KindConnectionLost
}

// TenantMessage returns the text for the tenant that named the address, or for which the operator's address was
// called. Unlike Error, which is for the log only, it contains no address.
func (f *Fault) TenantMessage() string {
	if f.Status != 0 {
		return f.Error()
	}
	return string(f.Kind())
}

func (f *Fault) Unwrap() error { return f.Err }

// Reasons why a call is not made, or its response cannot be used.
var (
	ErrTooLarge    = errors.New("the answer is larger than it may be")
	ErrCircuitOpen = errors.New(string(KindCircuitOpen))
)

const (
	defaultTimeout    = 10 * time.Second
	defaultMaxBytes   = 1 << 20
	defaultRetryPause = 500 * time.Millisecond
	maxRedirects      = 5
)

// Do makes a call, with as many tries as it says, and reads the whole response. Errors: *Fault, also for an address
// that may not be called.
func (c *Client) Do(ctx context.Context, call Call) (Response, error) {
	var response Response
	mayBeDuplicate, err := c.doWithRetries(ctx, call, func(status int, body io.Reader) (err error) {
		response = Response{Status: status}
		response.Body, err = io.ReadAll(body)
		return err
	})
	response.MayBeDuplicate = mayBeDuplicate
	return response, err
}

// Read makes a call and passes the response to receive while it arrives; receive is called once per try. An error of
// receive is a fault of the call, but does not count against the host.
func (c *Client) Read(ctx context.Context, call Call, receive func(status int, body io.Reader) error) error {
	_, err := c.doWithRetries(ctx, call, receive)
	return err
}

// doWithRetries tries a call until a try succeeds, fails for good, or is the last of call.Tries, and pauses between
// tries. mayBeDuplicate reports whether a try before the last one may have arrived. If the call fails, the error is the
// Fault of the last try, and its Sent reports whether any of the tries may have arrived.
func (c *Client) doWithRetries(
	ctx context.Context,
	call Call,
	receive func(status int, body io.Reader) error,
) (mayBeDuplicate bool, err error) {
	var faults laurel.Faults
	withoutQuery, _, _ := strings.Cut(call.URL, "?") // a long query would exceed maxURL, and does not change the host
	c.Check(&faults, "url", withoutQuery)
	if len(faults) > 0 {
		return false, &Fault{Err: faults.Err()}
	}
	pause := cmp.Or(call.Pause, defaultRetryPause)
	for try := 1; ; try++ {
		err := c.tryOnce(ctx, call, receive)
		f := (*Fault)(nil)
		if errors.As(err, &f) {
			f.Sent = f.Sent || mayBeDuplicate
		}
		if err == nil || try >= call.Tries || !isRetryable(err) {
			return mayBeDuplicate, err
		}
		select {
		case <-ctx.Done():
			return mayBeDuplicate, err
		case <-time.After(pause):
		}
		mayBeDuplicate = f.Sent
		pause *= 2
	}
}

// isRetryable reports whether another try may succeed: not for an address that may not be called, and not for a
// response that is too large.
func isRetryable(err error) bool {
	var f *Fault
	return errors.As(err, &f) && !errors.Is(err, ErrAddressNotAllowed) && !errors.Is(err, ErrTooLarge)
}

// tryOnce makes one try and reports its result to the circuit breaker of the tenant and host. While the breaker is
// open, it sends nothing and returns ErrCircuitOpen in a Fault.
func (c *Client) tryOnce(ctx context.Context, call Call, receive func(status int, body io.Reader) error) error {
	u, err := url.Parse(call.URL)
	if err != nil {
		return &Fault{Err: Redact(err)}
	}
	b := c.breakerOf(call.Tenant + " " + u.Host)
	done, err := b.Allow()
	if err != nil {
		return &Fault{Err: ErrCircuitOpen, PausedFor: c.pause}
	}
	hostErr, err := c.send(ctx, call, receive)
	if ctx.Err() != nil { // the caller has gone, which says nothing about the host
		hostErr = errCallerGone
	}
	done(hostErr)
	c.notePause(b, err)
	return err
}

// notePause sets PausedFor of a Fault if the breaker is open.
func (c *Client) notePause(b breaker, err error) {
	if f := (*Fault)(nil); errors.As(err, &f) && b.State() == gobreaker.StateOpen {
		f.PausedFor = c.pause
	}
}

// errCallerGone is reported for calls that the breaker must not count.
var errCallerGone = errors.New("the caller has gone")

// errIdle is the cause that ends a call on which nothing arrives any more.
var errIdle = fmt.Errorf("nothing arrived in time: %w", context.DeadlineExceeded)

// send makes one request and passes its response to receive. It returns two errors: err is why the try failed, as a
// Fault. hostErr is the part of the failure that counts against the host: a broken connection, a timeout, or status 429
// or 5xx. hostErr is nil for other faults, such as a response that receive rejects.
func (c *Client) send(
	ctx context.Context, call Call, receive func(status int, body io.Reader) error,
) (hostErr, err error) {
	timeout := cmp.Or(call.Timeout, defaultTimeout)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	idleTimeout := cmp.Or(call.IdleTimeout, 2*timeout) // longer than timeout, so the default has no effect
	idleTimer := time.AfterFunc(idleTimeout, func() { end(errIdle) })
	defer idleTimer.Stop()
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	r, err := http.NewRequestWithContext(
		context.WithValue(ctx, followRedirectsKey{}, call.FollowRedirects),
		cmp.Or(call.Method, http.MethodGet),
		call.URL,
		bytes.NewReader(call.Body),
	)
	if err != nil {
		return nil, &Fault{Err: call.redact(err)}
	}
	for name, value := range call.Header {
		r.Header.Set(name, value)
	}
	r.Header.Set("User-Agent", "laurel")
	res, err := c.http.Do(r)
	if err != nil {
		f := &Fault{Sent: sent.Load(), Err: call.redact(err)}
		return f, f
	}
	defer func() { _ = res.Body.Close() }()
	if call.OnHead != nil {
		call.OnHead(res.StatusCode, res.Header.Get)
	}
	if res.StatusCode >= http.StatusInternalServerError || res.StatusCode == http.StatusTooManyRequests {
		f := &Fault{Status: res.StatusCode, Sent: true, Err: errors.New(res.Status)}
		return f, f
	}
	limit := cmp.Or(call.MaxBytes, defaultMaxBytes)
	if res.ContentLength > limit {
		return nil, &Fault{Sent: true, Err: ErrTooLarge}
	}
	body := &limitedReader{from: res.Body, remaining: limit, onRead: func() { idleTimer.Reset(idleTimeout) }}
	if err := receive(res.StatusCode, body); err != nil {
		return body.connErr, &Fault{Sent: true, Err: call.redact(err)}
	}
	return body.connErr, nil
}

type followRedirectsKey struct{}

// checkRedirect is called before the client follows a redirect. If the call does not allow redirects, the redirect
// itself becomes the response. If there are more than maxRedirects, or the new address may not be called, the error
// ends the call.
func (c *Client) checkRedirect(r *http.Request, via []*http.Request) error {
	if mayFollow, _ := r.Context().Value(followRedirectsKey{}).(bool); !mayFollow {
		return http.ErrUseLastResponse
	}
	if len(via) > maxRedirects {
		return errors.New("too many redirects")
	}
	if problem := c.problemOf(r.URL.String()); problem != "" {
		return fmt.Errorf("redirected to an address that %s", problem)
	}
	return nil
}

// limitedReader reads at most remaining bytes of a response, and returns ErrTooLarge if there are more.
type limitedReader struct {
	from      io.Reader
	remaining int64
	onRead    func() // called after every read
	connErr   error  // error of the connection
}

// Read reads from the response, and returns ErrTooLarge once it is longer than the limit. To notice that, it reads up
// to one byte beyond the limit, which it does not count in n.
func (l *limitedReader) Read(p []byte) (int, error) {
	if l.remaining < 0 {
		return 0, ErrTooLarge
	}
	if int64(len(p)) > l.remaining+1 {
		p = p[:l.remaining+1]
	}
	n, err := l.from.Read(p)
	l.onRead()
	if err != nil && !errors.Is(err, io.EOF) {
		l.connErr = err
	}
	if l.remaining -= int64(n); l.remaining < 0 {
		return n - 1, ErrTooLarge
	}
	return n, err
}
