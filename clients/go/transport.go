package laurel

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	maxResponse = 64 << 20         // bytes of a response; a page has at most 4 MiB, one item may be larger
	maxWait     = 10 * time.Second // the longest pause that doubles
)

// request is a call before it is sent.
type request struct {
	method, path string
	ids          []string // what stands for the {names} in the path
	query        url.Values
	body         any  // nil: none
	isKeyed      bool // takes an Idempotency-Key
}

// fill puts the ids into the path. It fails for an id that would lead to another path: one that is empty, "." or "..".
func (r *request) fill() error {
	for _, id := range r.ids {
		before, rest, _ := strings.Cut(r.path, "{")
		name, after, _ := strings.Cut(rest, "}")
		switch id {
		case "":
			return fmt.Errorf("laurel: %s %s: %s is empty", r.method, r.path, name)
		case ".", "..":
			return fmt.Errorf("laurel: %s %s: %s is %q, which is no id", r.method, r.path, name, id)
		}
		r.path = before + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(url.PathEscape(id)) + after
	}
	return nil
}

// send sends a request whose response has no body.
func send(ctx context.Context, c *Client, r request, options []Option) error {
	return c.call(ctx, r, nil, options)
}

// receive sends a request and decodes the object of the response.
func receive[T any](ctx context.Context, c *Client, r request, options []Option) (*T, error) {
	out := new(T)
	if err := c.call(ctx, r, out, options); err != nil {
		return nil, err
	}
	return out, nil
}

// receiveValue sends a request and decodes a response that is no object.
func receiveValue[T any](ctx context.Context, c *Client, r request, options []Option) (T, error) {
	var out T
	err := c.call(ctx, r, &out, options)
	return out, err
}

// call sends a request until it has a response that is final, and decodes that into out.
func (c *Client) call(ctx context.Context, r request, out any, options []Option) error {
	if c.fault != nil {
		return c.fault
	}
	if err := r.fill(); err != nil {
		return err
	}
	var body []byte
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			return fmt.Errorf("laurel: %s %s: %w", r.method, r.path, err)
		}
	}
	header, err := c.header(r, body != nil, options)
	if err != nil {
		return err
	}
	mayRetry := r.method == http.MethodGet || header.Get("Idempotency-Key") != ""
	for attempt := 0; ; attempt++ {
		text, again, err := c.attempt(ctx, r, body, header)
		if err == nil {
			return decode(text, out)
		}
		if !again.isWorthIt || !mayRetry || attempt >= c.settings.Retries || again.after > c.settings.MaxRetryAfter {
			return err
		}
		if waited := wait(ctx, max(again.after, c.pause(attempt))); waited != nil {
			return errors.Join(waited, err)
		}
	}
}

// header returns the headers of all attempts of a call.
func (c *Client) header(r request, hasBody bool, options []Option) (http.Header, error) {
	h := http.Header{"User-Agent": {c.settings.UserAgent}, "Accept": {"application/json"}}
	if c.settings.APIKey != "" {
		h.Set("X-API-KEY", c.settings.APIKey)
	}
	if c.settings.MemberToken != "" {
		h.Set("Authorization", "Bearer "+c.settings.MemberToken)
	}
	if c.settings.Strict {
		h.Set("Prefer", "handling=strict")
	}
	if hasBody {
		h.Set("Content-Type", "application/json")
	}
	for _, option := range options {
		option(h)
	}
	if r.isKeyed && h.Get("Idempotency-Key") == "" {
		var random [16]byte
		if _, err := rand.Read(random[:]); err != nil {
			return nil, err
		}
		h.Set("Idempotency-Key", hex.EncodeToString(random[:]))
	}
	return h, nil
}

// retry says whether an attempt is worth another one, and when at the earliest.
type retry struct {
	isWorthIt bool
	after     time.Duration
}

// attempt sends a request once, and returns the text of a success.
func (c *Client) attempt(ctx context.Context, r request, body []byte, header http.Header) ([]byte, retry, error) {
	address := c.settings.BaseURL + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, address, bytes.NewReader(body))
	if err != nil {
		return nil, retry{}, err
	}
	req.Header = header.Clone()
	res, err := c.settings.HTTP.Do(req)
	if err != nil {
		return nil, retry{isWorthIt: ctx.Err() == nil}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxResponse))
	if err != nil {
		return nil, retry{isWorthIt: ctx.Err() == nil}, fmt.Errorf("laurel: %s %s: %w", r.method, r.path, err)
	}
	if res.StatusCode >= 300 {
		again := retry{isWorthIt: isTemporary(res.StatusCode)}
		if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
			again.after = time.Duration(seconds) * time.Second
		}
		return nil, again, newError(r, res, text)
	}
	if r.isKeyed && wasResponseLost(text) {
		return nil, retry{}, &Error{Status: res.StatusCode, Code: CodeResponseLost, Message: lostResponse,
			RequestID: res.Header.Get("X-Request-Id"), Operation: r.method + " " + r.path, Body: text}
	}
	return text, retry{}, nil
}

// isTemporary reports whether a request with this status may succeed later. Refusals by the rules of the service are 400.
func isTemporary(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooManyRequests ||
		status >= http.StatusInternalServerError
}

// lostResponse is the message of a repeated write whose first response was lost.
const lostResponse = "Already carried out"

func wasResponseLost(text []byte) bool {
	var body map[string]any
	return len(text) < 64 && json.Unmarshal(text, &body) == nil && len(body) == 1 && body["message"] == lostResponse
}

// pause returns a random part of the pause before a retry, so that clients do not retry at once.
func (c *Client) pause(attempt int) time.Duration {
	longest := min(c.settings.RetryWait<<min(attempt, 16), maxWait)
	part, err := rand.Int(rand.Reader, big.NewInt(int64(longest)))
	if err != nil {
		return longest
	}
	return longest/2 + time.Duration(part.Int64()/2)
}

func wait(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// decode reads JSON. Numbers without a type stay exact, as json.Number.
func decode(text []byte, out any) error {
	if out == nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(out); err != nil {
		return fmt.Errorf("laurel: the response cannot be read: %w", err)
	}
	return nil
}
