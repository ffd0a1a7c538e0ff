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
	Method string // GET where it is empty
	URL    string
	Header map[string]string
	Body   []byte
	Within time.Duration // of one try, the reading of its answer included; 10 s where it is 0
	Quiet  time.Duration // how long nothing may arrive; as long as Within where it is 0
	Limit  int64         // bytes of the answer; 1 MiB where it is 0
	Tries  int           // 1 where it is 0
	Pause  time.Duration // after the first try, doubled after each further one; 500 ms where it is 0
	Follow bool          // goes after redirects; for calls that carry no secret
	For    string        // whose call it is: a host that fails for one tenant is left alone for that one
}

// Answer is what came back, whatever its status below 500 is.
type Answer struct {
	Status int
	Body   []byte
	Again  bool // an earlier try of the call may have arrived as well
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
	Answered   Kind = "answered"     // with 5xx
	Busy       Kind = "answered 429" // too many calls
	Resting    Kind = "the host failed several times in a row and is left alone for a while"
	NotAllowed Kind = "not an allowed address"
	NotValid   Kind = "the answer is not valid"
	Late       Kind = "no answer in time" // whether or not there was a connection in time
	Unreached  Kind = "no connection"
	BrokenOff  Kind = "the connection broke off"
)

// Kind returns what became of the call.
func (f *Fault) Kind() Kind {
	var late interface{ Timeout() bool }
	switch {
	case f.Status == http.StatusTooManyRequests:
		return Busy
	case f.Status != 0:
		return Answered
	case errors.Is(f.Err, ErrResting):
		return Resting
	case errors.Is(f.Err, ErrPrivate), laurel.CodeOf(f.Err) != laurel.Internal:
		return NotAllowed
	case errors.Is(f.Err, ErrTooLarge):
		return NotValid
	case errors.As(f.Err, &late) && late.Timeout():
		return Late
	case !f.Sent:
		return Unreached
	}
	return BrokenOff
}

// Told is for the tenant who named the address, or on whose behalf the operator's was called. Unlike Error, which is
// for the log alone, it tells neither an address nor what a name stands for.
func (f *Fault) Told() string {
	if f.Status != 0 {
		return f.Error()
	}
	return string(f.Kind())
}

func (f *Fault) Unwrap() error { return f.Err }

// Reasons for which nothing is asked, or an answer is of no use.
var (
	ErrTooLarge = errors.New("the answer is larger than it may be")
	ErrResting  = errors.New(string(Resting))
)

const (
	defaultWithin = 10 * time.Second
	defaultLimit  = 1 << 20
	defaultTry    = 500 * time.Millisecond
	maxRedirects  = 5
)

// Do makes a call and reads its whole answer. Errors: *Fault, and those of Check for an address that may not be called.
func (c *Client) Do(ctx context.Context, call Call) (Answer, error) {
	var a Answer
	again, err := c.tries(ctx, call, func(status int, body io.Reader) (err error) {
		a = Answer{Status: status}
		a.Body, err = io.ReadAll(body)
		return err
	})
	a.Again = again
	return a, err
}

// Read makes a call and hands its answer on while it arrives. An error of into, which is called once per try, is a
// fault of the call, but tells nothing of the host.
func (c *Client) Read(ctx context.Context, call Call, into func(status int, body io.Reader) error) error {
	_, err := c.tries(ctx, call, into)
	return err
}

// tries makes the tries of a call. again: one before the last may have arrived; a fault of the last tells it too,
// whatever it met itself.
func (c *Client) tries(
	ctx context.Context,
	call Call,
	into func(status int, body io.Reader) error,
) (again bool, err error) {
	var faults laurel.Faults
	where, _, _ := strings.Cut(call.URL, "?") // what is asked for may be long, and leads nowhere else
	c.Check(&faults, "url", where)
	if len(faults) > 0 {
		return false, &Fault{Err: faults.Err()}
	}
	pause := cmp.Or(call.Pause, defaultTry)
	for try := 1; ; try++ {
		err := c.once(ctx, call, into)
		f := (*Fault)(nil)
		if errors.As(err, &f) {
			f.Sent = f.Sent || again
		}
		if err == nil || try >= call.Tries || !passing(err) {
			return again, err
		}
		select {
		case <-ctx.Done():
			return again, err
		case <-time.After(pause):
		}
		again = f.Sent
		pause *= 2
	}
}

// passing reports whether another try may bring what this one did not.
func passing(err error) bool {
	var f *Fault
	return errors.As(err, &f) && !errors.Is(err, ErrPrivate) && !errors.Is(err, ErrTooLarge)
}

// once tries a call once, unless its host rests.
func (c *Client) once(ctx context.Context, call Call, into func(status int, body io.Reader) error) error {
	u, err := url.Parse(call.URL)
	if err != nil {
		return &Fault{Err: Redact(err)}
	}
	done, err := c.of(call.For + " " + u.Host).Allow()
	if err != nil {
		return &Fault{Err: ErrResting}
	}
	host, err := c.send(ctx, call, into)
	if ctx.Err() != nil { // whoever asked has gone: that tells nothing of the host, neither good nor bad
		host = errGone
	}
	done(host)
	return err
}

// errGone stands for calls of which the breaker counts nothing.
var errGone = errors.New("whoever asked has gone")

// errQuiet is why a call ends on which nothing arrives any more.
var errQuiet = fmt.Errorf("nothing arrived in time: %w", context.DeadlineExceeded)

// send returns what is wrong with the host, and what is wrong at all.
func (c *Client) send(ctx context.Context, call Call, into func(status int, body io.Reader) error) (host, err error) {
	within := cmp.Or(call.Within, defaultWithin)
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	quiet := cmp.Or(call.Quiet, 2*within) // where none is asked for, the end of the try comes first
	silence := time.AfterFunc(quiet, func() { end(errQuiet) })
	defer silence.Stop()
	var sent atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	r, err := http.NewRequestWithContext(
		context.WithValue(ctx, follow{}, call.Follow),
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
	limit := cmp.Or(call.Limit, defaultLimit)
	if res.ContentLength > limit {
		return nil, &Fault{Sent: true, Err: ErrTooLarge}
	}
	body := &limited{from: res.Body, left: limit, heard: func() { silence.Reset(quiet) }}
	if err := into(res.StatusCode, body); err != nil {
		return body.err, &Fault{Sent: true, Err: Redact(err)}
	}
	return body.err, nil
}

type follow struct{}

// redirect goes after a redirect where the call allows it and the address may be called. The answer that redirects is
// what is answered otherwise.
func (c *Client) redirect(r *http.Request, via []*http.Request) error {
	if may, _ := r.Context().Value(follow{}).(bool); !may {
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

// limited reads up to a number of bytes and errs where there are more.
type limited struct {
	from  io.Reader
	left  int64
	heard func() // something arrived
	err   error  // of the connection
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left < 0 {
		return 0, ErrTooLarge
	}
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.from.Read(p)
	l.heard()
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	if l.left -= int64(n); l.left < 0 {
		return n - 1, ErrTooLarge
	}
	return n, err
}
