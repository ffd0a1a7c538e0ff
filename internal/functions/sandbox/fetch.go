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

	"laurel"
	"laurel/internal/outbound"
)

// The bounds of one call of fetch (contract 7.6).
const (
	fetchWithin = 10 * time.Second
	fetchAnswer = 1 << 20
	fetchBody   = 1 << 20
	maxHeaders  = 50
)

// methods are those that fetch takes.
var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}

// ownHeaders are set by the service or by the protocol.
var ownHeaders = []string{
	"accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization",
	"proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "user-agent",
}

// calls are the calls of one run.
type calls struct {
	ctx     context.Context
	cancel  context.CancelFunc
	child   *child
	client  *outbound.Client
	website laurel.ID
	made    int
	running sync.WaitGroup
}

func newCalls(ctx context.Context, c *child, client *outbound.Client, website laurel.ID) *calls {
	k := &calls{child: c, client: client, website: website}
	k.ctx, k.cancel = context.WithCancel(ctx)
	return k
}

// end waits until no call is under way any more.
func (k *calls) end() {
	k.cancel()
	k.running.Wait()
}

// begin makes a call beside the run. It errs where the child has asked for more than it may.
func (k *calls) begin(r reply) error {
	k.made++
	if k.made > MaxFetches {
		return errSaid
	}
	k.running.Go(func() {
		o := order{Type: typeFetched, Fetch: r.Fetch}
		answer, err := k.fetch(r.Call)
		if err == nil {
			var text []byte
			if text, err = json.Marshal(answer); err == nil {
				o.Answer = string(text)
			}
		}
		if err != nil {
			o.Problem = err.Error()
		}
		_ = k.child.send(o) // a child that has ended needs no answer
	})
	return nil
}

// wanted is a call as the handler wants it.
type wanted struct {
	URL     string            `json:"url"`
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

// check returns why a call is not made.
func (w *wanted) check() error {
	w.Method = strings.ToUpper(w.Method)
	var f laurel.Faults
	for name, value := range w.Headers {
		if name == "" || slices.Contains(ownHeaders, strings.ToLower(name)) || strings.Trim(name, headerLetters) != "" {
			f.AddText("headers", fmt.Sprintf("the header %q may not be sent", name))
		}
		outbound.CheckHeaderValue(&f, "headers", value)
	}
	switch {
	case !slices.Contains(methods, w.Method):
		return errors.New("method must be one of: " + strings.Join(methods, ", "))
	case len(w.Headers) > maxHeaders:
		return fmt.Errorf("at most %d headers may be sent", maxHeaders)
	case len(f) > 0:
		return f.Err()
	case len(w.Body) > fetchBody:
		return fmt.Errorf("body must be at most %d bytes", fetchBody)
	case w.Body != "" && (w.Method == "GET" || w.Method == "HEAD"):
		return errors.New(w.Method + " takes no body")
	}
	return nil
}

const headerLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// fetch makes a call through the guard. What it errs with is told to the handler.
func (k *calls) fetch(call json.RawMessage) (fetched, error) {
	var w wanted
	if err := json.Unmarshal(call, &w); err != nil {
		return fetched{}, errors.New("the call is not valid")
	}
	if err := w.check(); err != nil {
		return fetched{}, err
	}
	if k.client == nil {
		return fetched{}, errors.New("nothing may be called here")
	}
	answer, err := k.client.Exchange(k.ctx, outbound.Call{
		Method: w.Method, URL: w.URL, Header: w.Headers, Body: []byte(w.Body), Within: fetchWithin, Limit: fetchAnswer,
	})
	var fault *outbound.Fault
	switch {
	case errors.As(err, &fault):
		var refused *laurel.Error
		if errors.As(fault.Err, &refused) {
			return fetched{}, refused
		}
		return fetched{}, errors.New(fault.Told())
	case err != nil:
		return fetched{}, errors.New("no connection")
	case answer.Cut:
		return fetched{}, fmt.Errorf("the answer is larger than %d bytes", fetchAnswer)
	}
	headers := make(map[string]string, len(answer.Header))
	for name, values := range answer.Header {
		headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return fetched{answer.Status, headers, strings.ToValidUTF8(string(answer.Body), "\uFFFD")}, nil
}
