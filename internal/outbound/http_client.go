package outbound

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
)

// HTTPClient returns an http.Client for libraries that make requests of their own, such as one of OAuth 2.0. Its calls
// are those of this client: with allowed addresses, limits of size and time, and the circuit breakers of the tenant.
// It follows no redirects. Its errors are *Fault, for a status of 429 or 5xx too, and contain no queries.
func (c *Client) HTTPClient(tenant string) *http.Client {
	return &http.Client{
		Transport:     roundTripper{client: c, tenant: tenant},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// maxRequest bounds the requests that a library makes.
const maxRequest = 64 << 10

type roundTripper struct {
	client *Client
	tenant string
}

// RoundTrip makes the call of a request and returns its response, whose body was read already.
func (t roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	call := Call{Method: r.Method, URL: r.URL.String(), Header: map[string]string{}, Tenant: t.tenant}
	for name, values := range r.Header {
		call.Header[name] = strings.Join(values, ", ")
	}
	if r.Body != nil {
		defer func() { _ = r.Body.Close() }()
		var err error
		if call.Body, err = io.ReadAll(io.LimitReader(r.Body, maxRequest)); err != nil {
			return nil, err
		}
	}
	b := t.client.breakerOf(t.tenant + " " + r.URL.Host)
	done, err := b.Allow()
	if err != nil {
		return nil, &Fault{Err: ErrCircuitOpen, PausedFor: t.client.pause}
	}
	reply, err := t.client.Exchange(r.Context(), call)
	hostErr := err
	switch {
	case r.Context().Err() != nil: // the caller has gone, which says nothing about the host
		hostErr = errCallerGone
	case err != nil: // a broken connection or a timeout
	case reply.Status >= http.StatusInternalServerError || reply.Status == http.StatusTooManyRequests:
		err = &Fault{Status: reply.Status, Sent: true, Err: errors.New(http.StatusText(reply.Status))}
		hostErr = err
	case reply.IsTruncated:
		err = &Fault{Sent: true, Err: ErrTooLarge}
	}
	done(hostErr)
	t.client.notePause(b, err)
	if err != nil {
		return nil, err
	}
	return &http.Response{
		Status: http.StatusText(reply.Status), StatusCode: reply.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: reply.Header, Body: io.NopCloser(bytes.NewReader(reply.Body)), ContentLength: int64(len(reply.Body)),
		Request: r,
	}, nil
}
