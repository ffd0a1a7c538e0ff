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

// client sends requests with one key.
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
	method, path string
	body         any
	header       string // Idempotency-Key
}

// answer is an answer that came back whole.
type answer struct {
	status int
	body   []byte
}

// send sends a request once. An error means that no whole answer came back.
func (c *client) send(ctx context.Context, address string, r request) (answer, error) {
	var body io.Reader
	if r.body != nil {
		text, err := json.Marshal(r.body)
		if err != nil {
			return answer{}, err
		}
		body = bytes.NewReader(text)
	}
	out, err := http.NewRequestWithContext(ctx, r.method, address+r.path, body)
	if err != nil {
		return answer{}, err
	}
	// else a request with an Idempotency-Key is silently sent again, and its second failure hides the first
	out.GetBody = nil
	out.Header.Set("X-API-KEY", c.key)
	if r.body != nil {
		out.Header.Set("Content-Type", "application/json")
	}
	if r.header != "" {
		out.Header.Set("Idempotency-Key", r.header)
	}
	in, err := c.http.Do(out)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = in.Body.Close() }()
	text, err := io.ReadAll(in.Body)
	return answer{in.StatusCode, text}, err
}

// neverSent tells a request that reached nobody from one whose fate is unknown.
func neverSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// read asks for a record until it is answered: what it is used for has no interruptions.
func (c *client) read(ctx context.Context, address, path string, into any) error {
	a, err := c.send(ctx, address, request{method: http.MethodGet, path: path})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return fmt.Errorf("GET %s: %d %s", path, a.status, a.body)
	}
	return json.Unmarshal(a.body, into)
}

func (c *client) ready(ctx context.Context, address string) bool {
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

// all reads a whole list.
func all[T identified](ctx context.Context, c *client, address, path string) ([]T, error) {
	var out []T
	for after := ""; ; {
		var p page[T]
		if err := c.read(ctx, address, path+after, &p); err != nil {
			return nil, err
		}
		out = append(out, p.Data...)
		if !p.HasNextPage || len(p.Data) == 0 {
			return out, nil
		}
		after = "&startingAfter=" + p.Data[len(p.Data)-1].id()
	}
}

// into decodes an answer with status 200 or 201.
func (a answer) into(path string, out any) error {
	if a.status != http.StatusOK && a.status != http.StatusCreated {
		return fmt.Errorf("%s: %d %s", path, a.status, a.body)
	}
	return json.Unmarshal(a.body, out)
}
