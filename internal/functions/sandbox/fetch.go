package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
)

// The limits of one fetch (contract 7.6).
const (
	fetchTimeout     = 10 * time.Second
	maxFetchResponse = 1 << 20
	maxFetchBody     = 1 << 20
	maxHeaders       = 50
)

// methods are the HTTP methods that fetch accepts.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}

// reservedHeaders are set by the service or by the protocol.
var reservedHeaders = []string{
	"accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization",
	"proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
}

// fetches are the HTTP calls of one run, made by the parent.
type fetches struct {
	ctx     context.Context
	cancel  context.CancelFunc
	child   *child
	client  *outbound.Client
	website laurel.ID
	count   int
	running sync.WaitGroup
}

// newFetches returns the fetches of a run by the child. They end with ctx at the latest.
func newFetches(ctx context.Context, c *child, client *outbound.Client, website laurel.ID) *fetches {
	f := &fetches{child: c, client: client, website: website}
	f.ctx, f.cancel = context.WithCancel(ctx)
	return f
}

// stop cancels the calls that are under way and waits for their end.
func (f *fetches) stop() {
	f.cancel()
	f.running.Wait()
}

// start makes the HTTP call that the child has requested, in the background, and sends the response to the child.
// Errors: errOverLimit for more calls than a run may make.
func (f *fetches) start(requested reply) error {
	f.count++
	if f.count > MaxFetches {
		return errOverLimit
	}
	f.running.Go(func() {
		message := request{Type: typeFetched, Fetch: requested.Fetch}
		response, err := f.fetch(requested.Call)
		if err == nil {
			var text []byte
			if text, err = json.Marshal(response); err == nil {
				message.Response = string(text)
			}
		}
		if err != nil {
			message.Problem = err.Error()
		}
		_ = f.child.send(message) // a child that has ended needs no response
	})
	return nil
}

// fetchRequest is an HTTP call as the handler requests it.
type fetchRequest struct {
	URL     string            `json:"url"`
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// validate returns why the call may not be made, or nil. It converts the method to upper case.
func (r *fetchRequest) validate() error {
	r.Method = strings.ToUpper(r.Method)
	var f laurel.Faults
	for name, value := range r.Headers {
		if name == "" || slices.Contains(reservedHeaders, strings.ToLower(name)) || strings.Trim(name, headerLetters) != "" {
			f.AddText("headers", fmt.Sprintf("the header %q may not be sent", name))
		}
		outbound.CheckHeaderValue(&f, "headers", value)
	}
	switch {
	case !slices.Contains(methods, r.Method):
		return errors.New("method must be one of: " + strings.Join(methods, ", "))
	case len(r.Headers) > maxHeaders:
		return fmt.Errorf("at most %d headers may be sent", maxHeaders)
	case len(f) > 0:
		return f.Err()
	case len(r.Body) > maxFetchBody:
		return fmt.Errorf("body must be at most %d bytes", maxFetchBody)
	case r.Body != "" && (r.Method == "GET" || r.Method == "HEAD"):
		return errors.New(r.Method + " takes no body")
	}
	return nil
}

const headerLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// fetch makes one HTTP call, given as a fetchRequest in JSON, through the outbound client. The handler sees the text of
// its error.
func (f *fetches) fetch(call json.RawMessage) (fetchResponse, error) {
	var parsed fetchRequest
	if err := json.Unmarshal(call, &parsed); err != nil {
		return fetchResponse{}, errors.New("the call is not valid")
	}
	if err := parsed.validate(); err != nil {
		return fetchResponse{}, err
	}
	if f.client == nil {
		return fetchResponse{}, errors.New("nothing may be called here")
	}
	response, err := f.client.Exchange(f.ctx, outbound.Call{
		Method: parsed.Method, URL: parsed.URL, Header: parsed.Headers, Body: []byte(parsed.Body),
		Timeout: fetchTimeout, MaxBytes: maxFetchResponse,
	})
	var fault *outbound.Fault
	switch {
	case errors.As(err, &fault):
		var refused *laurel.Error
		if errors.As(fault.Err, &refused) {
			return fetchResponse{}, refused
		}
		return fetchResponse{}, errors.New(fault.TenantMessage())
	case err != nil:
		return fetchResponse{}, errors.New("no connection")
	case response.IsTruncated:
		return fetchResponse{}, fmt.Errorf("the answer is larger than %d bytes", maxFetchResponse)
	}
	headers := make(map[string]string, len(response.Header))
	for name, values := range response.Header {
		headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return fetchResponse{response.Status, headers, strings.ToValidUTF8(string(response.Body), "\uFFFD")}, nil
}
