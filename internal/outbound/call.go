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

	"laurel"
)

// Call is one request to the outside.
type Call struct {
	Method          string // GET where it is empty
	URL             string
	Header          map[string]string
	Body            []byte
	Timeout         time.Duration // of one try, the reading of its answer included; 10 s where it is 0
	IdleTimeout     time.Duration // how long nothing may arrive; as long as Within where it is 0
	MaxBytes        int64         // bytes of the answer; 1 MiB where it is 0
	Tries           int           // 1 where it is 0
	Pause           time.Duration // after the first try, doubled after each further one; 500 ms where it is 0
	FollowRedirects bool          // goes after redirects; for calls that carry no secret
	Tenant          string        // whose call it is: a host that fails for one tenant is left alone for that one
}

// Response is what came back, whatever its status below 500 is.
type Response struct {
	Status         int
	Body           []byte
	MayBeDuplicate bool // an earlier try of the call may have arrived as well
}

// Fault tells that a call led to no answer to go by: no connection, no answer in time, 429, or 5xx.
type Fault struct {
	Status int  // of the answer, or 0
	Sent   bool // one of the tries may have arrived, so that its effect is unknown
	Err    error
}

func (f *Fault) Error() string {
	if f.Status != 0 {
		return fmt.Sprintf("answered with status %d", f.Status)
	}
	return f.Err.Error()
}

// Kind is what became of a call that led to no answer to go by.
type Kind string

// The kinds of faults, in the words that tenants are told.
const (
	ServerError     Kind = "answered"     // with 5xx
	TooManyRequests Kind = "answered 429" // too many calls
	CircuitOpen     Kind = "the host failed several times in a row and is left alone for a while"
	NotAllowed      Kind = "not an allowed address"
	InvalidResponse Kind = "the answer is not valid"
	TimedOut        Kind = "no answer in time" // whether or not there was a connection in time
	NoConnection    Kind = "no connection"
	ConnectionLost  Kind = "the connection broke off"
)

// Kind returns what became of the call.
func (f *Fault) Kind() Kind {
	var late interface{ Timeout() bool }
	switch {
	case f.Status == http.StatusTooManyRequests:
		return TooManyRequests
	case f.Status != 0:
		return ServerError
	case errors.Is(f.Err, ErrCircuitOpen):
		return CircuitOpen
	case errors.Is(f.Err, ErrPrivate), laurel.CodeOf(f.Err) != laurel.Internal:
		return NotAllowed
	case errors.Is(f.Err, ErrTooLarge):
		return InvalidResponse
	case errors.As(f.Err, &late) && late.Timeout():
		return TimedOut
	case !f.Sent:
		return NoConnection
	}
	return ConnectionLost
}

// TenantMessage is for the tenant who named the address, or on whose behalf the operator's was called. Unlike Error,
// which is for the log alone, it tells neither an address nor what a name stands for.
func (f *Fault) TenantMessage() string {
	if f.Status != 0 {
		return f.Error()
	}
	return string(f.Kind())
}

func (f *Fault) Unwrap() error { return f.Err }

// Reasons for which nothing is asked, or an answer is of no use.
var (
	ErrTooLarge    = errors.New("the answer is larger than it may be")
	ErrCircuitOpen = errors.New(string(CircuitOpen))
)

const (
	defaultTimeout = 10 * time.Second
	defaultLimit   = 1 << 20
	defaultTry     = 500 * time.Millisecond
	maxRedirects   = 5
)

// Do makes a call and reads its whole answer. Errors: *Fault, and those of Check for an address that may not be called.
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

// Read makes a call and hands its answer on while it arrives. An error of into, which is called once per try, is a
// fault of the call, but tells nothing of the host.
func (c *Client) Read(ctx context.Context, call Call, into func(status int, body io.Reader) error) error {
	_, err := c.doWithRetries(ctx, call, into)
	return err
}

// doWithRetries makes the tries of a call. again: one before the last may have arrived; a fault of the last tells it
// too, whatever it met itself.
func (c *Client) doWithRetries(
	ctx context.Context,
	call Call,
	into func(status int, body io.Reader) error,
) (mayBeDuplicate bool, err error) {
	var faults laurel.Faults
	where, _, _ := strings.Cut(call.URL, "?") // what is asked for may be long, and leads nowhere else
	c.Check(&faults, "url", where)
	if len(faults) > 0 {
		return false, &Fault{Err: faults.Err()}
	}
	pause := cmp.Or(call.Pause, defaultTry)
	for try := 1; ; try++ {
		err := c.tryOnce(ctx, call, into)
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

// isRetryable reports whether another try may bring what this one did not.
func isRetryable(err error) bool {
	var f *Fault
	return errors.As(err, &f) && !errors.Is(err, ErrPrivate) && !errors.Is(err, ErrTooLarge)
}

// tryOnce tries a call once, unless its host rests.
func (c *Client) tryOnce(ctx context.Context, call Call, into func(status int, body io.Reader) error) error {
	u, err := url.Parse(call.URL)
	if err != nil {
		return &Fault{Err: Redact(err)}
	}
	done, err := c.breakerOf(call.Tenant + " " + u.Host).Allow()
	if err != nil {
		return &Fault{Err: ErrCircuitOpen}
	}
	hostErr, err := c.send(ctx, call, into)
	if ctx.Err() != nil { // whoever asked has gone: that tells nothing of the host, neither good nor bad
		hostErr = errCallerGone
	}
	done(hostErr)
	return err
}

// errCallerGone stands for calls of which the breaker counts nothing.
var errCallerGone = errors.New("whoever asked has gone")

// errIdle is why a call ends on which nothing arrives any more.
var errIdle = fmt.Errorf("nothing arrived in time: %w", context.DeadlineExceeded)

// send returns what is wrong with the host, and what is wrong at all.
func (c *Client) send(ctx context.Context, call Call, into func(status int, body io.Reader) error) (hostErr, err error) {
	timeout := cmp.Or(call.Timeout, defaultTimeout)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	idleTimeout := cmp.Or(call.IdleTimeout, 2*timeout) // where none is asked for, the end of the try comes first
	idleTimer := time.AfterFunc(idleTimeout, func() { end(errIdle) })
	defer idleTimer.Stop()
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	r, err := http.NewRequestWithContext(
		context.WithValue(ctx, followKey{}, call.FollowRedirects),
		cmp.Or(call.Method, http.MethodGet),
		call.URL,
		bytes.NewReader(call.Body),
	)
	if err != nil {
		return nil, &Fault{Err: Redact(err)}
	}
	for name, value := range call.Header {
		r.Header.Set(name, value)
	}
	r.Header.Set("User-Agent", "laurel")
	res, err := c.http.Do(r)
	if err != nil {
		f := &Fault{Sent: sent.Load(), Err: Redact(err)}
		return f, f
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= http.StatusInternalServerError || res.StatusCode == http.StatusTooManyRequests {
		f := &Fault{Status: res.StatusCode, Sent: true, Err: errors.New(res.Status)}
		return f, f
	}
	limit := cmp.Or(call.MaxBytes, defaultLimit)
	if res.ContentLength > limit {
		return nil, &Fault{Sent: true, Err: ErrTooLarge}
	}
	body := &limitedReader{from: res.Body, remaining: limit, onRead: func() { idleTimer.Reset(idleTimeout) }}
	if err := into(res.StatusCode, body); err != nil {
		return body.connErr, &Fault{Sent: true, Err: Redact(err)}
	}
	return body.connErr, nil
}

type followKey struct{}

// checkRedirect goes after a redirect where the call allows it and the address may be called. The answer that redirects
// is what is answered otherwise.
func (c *Client) checkRedirect(r *http.Request, via []*http.Request) error {
	if may, _ := r.Context().Value(followKey{}).(bool); !may {
		return http.ErrUseLastResponse
	}
	if len(via) > maxRedirects {
		return errors.New("too many redirects")
	}
	if problem := c.problem(r.URL.String()); problem != "" {
		return fmt.Errorf("redirected to an address that %s", problem)
	}
	return nil
}

// limitedReader reads up to a number of bytes and errs where there are more.
type limitedReader struct {
	from      io.Reader
	remaining int64
	onRead    func() // something arrived
	connErr   error  // of the connection
}

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
