package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// client sends requests with one API key.
type client struct {
	http *http.Client
	key  string
}

func newClient() *client {
	return &client{
		http: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4 * clientCount}},
	}
}

// request is one call of the API.
type request struct {
	method, path   string
	body           any
	idempotencyKey string // Idempotency-Key
}

// response is a response that arrived whole.
type response struct {
	status int
	body   []byte
}

// send sends a request once. An error means that no whole response arrived. Then the outcome is unknown, unless
// neverSent says that the request reached no server.
func (c *client) send(ctx context.Context, address string, r request) (response, error) {
	var body io.Reader
	if r.body != nil {
		text, err := json.Marshal(r.body)
		if err != nil {
			return response{}, err
		}
		body = bytes.NewReader(text)
	}
	out, err := http.NewRequestWithContext(ctx, r.method, address+r.path, body)
	if err != nil {
		return response{}, err
	}
	// With GetBody, net/http would silently repeat a request with an Idempotency-Key, and the second failure would hide
	// the first.
	out.GetBody = nil
	out.Header.Set("X-API-KEY", c.key)
	if r.body != nil {
		out.Header.Set("Content-Type", "application/json")
	}
	if r.idempotencyKey != "" {
		out.Header.Set("Idempotency-Key", r.idempotencyKey)
	}
	in, err := c.http.Do(out)
	if err != nil {
		return response{}, err
	}
	defer func() { _ = in.Body.Close() }()
	text, err := io.ReadAll(in.Body)
	return response{in.StatusCode, text}, err
}

// neverSent reports whether an error means that the request reached no server.
func neverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// getJSON gets a record and decodes it. It is used when no server is interrupted, so any failure is an error.
func (c *client) getJSON(ctx context.Context, address, path string, into any) error {
	a, err := c.send(ctx, address, request{method: http.MethodGet, path: path})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return fmt.Errorf("GET %s: %d %s", path, a.status, a.body)
	}
	return json.Unmarshal(a.body, into)
}

// isReady reports whether the server at an address serves requests.
func (c *client) isReady(ctx context.Context, address string) bool {
	a, err := c.send(ctx, address, request{method: http.MethodGet, path: "/readyz"})
	return err == nil && a.status == http.StatusOK
}

// page is one page of a list.
type page[T any] struct {
	Data        []T
	HasNextPage bool
}

// identified is a record with an id.
type identified interface{ id() string }

// readAll returns all items of a list, page by page. path must have a query already, to which the cursor is added.
func readAll[T identified](ctx context.Context, c *client, address, path string) ([]T, error) {
	var out []T
	for after := ""; ; {
		var p page[T]
		if err := c.getJSON(ctx, address, path+after, &p); err != nil {
			return nil, err
		}
		out = append(out, p.Data...)
		if !p.HasNextPage || len(p.Data) == 0 {
			return out, nil
		}
		after = "&startingAfter=" + p.Data[len(p.Data)-1].id()
	}
}

// decode decodes the body of a response with status 200 or 201; other statuses are an error.
func (a response) decode(path string, out any) error {
	if a.status != http.StatusOK && a.status != http.StatusCreated {
		return fmt.Errorf("%s: %d %s", path, a.status, a.body)
	}
	return json.Unmarshal(a.body, out)
}
