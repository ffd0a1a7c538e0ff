package node

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"laurel.example/laurel/internal/outbound"
)

const (
	callTimeout = 15 * time.Second
	maxResponse = 16 << 20 // bytes
	maxBatch    = 50       // requests in one call
	maxMessage  = 200      // characters of a node's error
)

// Statuses of HTTP.
const (
	statusRefused      = 400
	statusUnauthorized = 401
	statusForbidden    = 403
	statusLimited      = 429
	statusFailed       = 500
	statusTimeout      = 504 // a gateway in front of the node has waited too long
)

// request is one JSON-RPC request and its answer.
type request struct {
	method string
	params []any

	result json.RawMessage
	err    error // *RPCError
}

func newRequest(method string, params ...any) *request {
	if params == nil {
		params = []any{}
	}
	return &request{method: method, params: params}
}

// RPCError is an error with which a node has answered a request.
type RPCError struct {
	Code    int
	Message string // without keys of the address
}

func (e *RPCError) Error() string { return fmt.Sprintf("the node answers: %s (%d)", e.Message, e.Code) }

// Codes of JSON-RPC and of EIP-1474.
const (
	codeReverted      = 3
	codeInvalidParams = -32602
	codeUnknownMethod = -32601
	codeLimit         = -32005
)

var (
	rateText = regexp.MustCompile(`(?i)rate.?limit|too many requests|per second|capacity|quota|throttl`)
	sizeText = regexp.MustCompile(`(?i)more than \d+ (results|logs)|block range|range (is )?too|too (large|wide)|` +
		`response size|limit(ed)? (the )?(results|range)|exceed(s|ed)? (max|the) .*(results|range|limit)|query timeout`)
)

// codeText is in errors of code that has failed otherwise than by a revert.
var codeText = regexp.MustCompile(`(?i)opcode|out of gas|invalid jump|stack (under|over)flow|evm error`)

// isFinal reports whether every node would answer so: the request itself is at fault, or the code of a contract has
// failed.
func (e *RPCError) isFinal() bool {
	return e.Code == codeInvalidParams || e.IsRevert() || codeText.MatchString(e.Message)
}

// IsRevert reports whether the code of a contract has ended the call.
func (e *RPCError) IsRevert() bool {
	return e.Code == codeReverted || strings.Contains(strings.ToLower(e.Message), "revert")
}

func (e *RPCError) isRateLimit() bool {
	return e.Code == statusLimited ||
		!e.IsRevert() && !e.isTooMuch() && (e.Code == codeLimit || rateText.MatchString(e.Message))
}

// isTooMuch reports whether the node has refused the size of its answer. What a contract says does not count.
func (e *RPCError) isTooMuch() bool { return !e.IsRevert() && sizeText.MatchString(e.Message) }

// message is a JSON-RPC response.
type message struct {
	ID     *int            `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// send posts requests to an address, as one batch if they are several, and reads their answers. It notes how the
// address has answered. Errors: *outbound.Fault, ErrTooMuch, ErrInvalid, and the *RPCError of the first request that
// has one.
func (c *Client) send(ctx context.Context, a *address, requests []*request) error {
	for from := 0; from < len(requests); from += maxBatch {
		if err := c.post(ctx, a, requests[from:min(from+maxBatch, len(requests))]); err != nil {
			return err
		}
	}
	for _, r := range requests {
		if r.err != nil {
			return r.err
		}
	}
	return nil
}

func (c *Client) post(ctx context.Context, a *address, requests []*request) error {
	c.metrics.count(c.network.Name, a.number, len(requests))
	began := c.now()
	reply, err := c.outbound.Exchange(ctx, outbound.Call{
		Method: "POST", URL: a.url, Body: encode(requests), Timeout: callTimeout, MaxBytes: maxResponse, HasSecretPath: true,
		Header: map[string]string{"Content-Type": "application/json", "Accept": "application/json"},
	})
	c.metrics.seconds.WithLabelValues(c.network.Name).Observe(c.now().Sub(began).Seconds())
	switch {
	case ctx.Err() != nil:
		return ctx.Err() // the caller has gone, which says nothing about the node
	case err != nil:
		return c.fail(a, err, 0)
	case reply.Status == statusLimited:
		return c.fail(a, statusFault(reply.Status), reply.RetryAfter(c.now()))
	case reply.Status == statusUnauthorized, reply.Status == statusForbidden,
		reply.Status >= statusFailed:
		return c.fail(a, statusFault(reply.Status), reply.RetryAfter(c.now()))
	case reply.IsTruncated:
		return ErrTooMuch
	}
	if err := decode(a, reply.Body, requests); err != nil {
		if reply.Status >= statusRefused {
			err = statusFault(reply.Status)
		}
		return c.fail(a, err, reply.RetryAfter(c.now()))
	}
	for _, r := range requests {
		var answer *RPCError
		switch {
		case !errors.As(r.err, &answer):
		case answer.isRateLimit():
			return c.fail(a, statusFault(statusLimited), reply.RetryAfter(c.now()))
		case answer.isTooMuch():
			return fmt.Errorf("%w: %w", ErrTooMuch, answer)
		}
	}
	c.noteRemaining(a, remaining(reply))
	return nil
}

// statusFault returns the fault of a response whose body says nothing.
func statusFault(status int) *outbound.Fault {
	return &outbound.Fault{Status: status, Sent: true, Err: errors.New(strconv.Itoa(status))}
}

// remaining returns how many calls a provider still takes, as it announces; "" if it does not.
func remaining(reply outbound.Reply) string {
	if n := reply.Header.Get("X-RateLimit-Remaining"); n != "" {
		return n
	}
	return reply.Header.Get("RateLimit-Remaining")
}

// encode returns the body of requests, whose ids are their positions from 1.
func encode(requests []*request) []byte {
	type body struct {
		Version string `json:"jsonrpc"`
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  []any  `json:"params"`
	}
	bodies := make([]body, len(requests))
	for i, r := range requests {
		bodies[i] = body{"2.0", i + 1, r.method, r.params}
	}
	var value any = bodies
	if len(bodies) == 1 {
		value = bodies[0]
	}
	out, err := json.Marshal(value)
	if err != nil {
		panic(err) // impossible: parameters are texts, numbers, and maps and lists of them
	}
	return out
}

// decode reads the answers to requests from a body, in any order. Errors: ErrInvalid if one is missing.
func decode(a *address, body []byte, requests []*request) error {
	var answers []message
	body = bytes.TrimSpace(body)
	if bytes.HasPrefix(body, []byte("[")) {
		if json.Unmarshal(body, &answers) != nil {
			return ErrInvalid
		}
	} else {
		var one message
		if json.Unmarshal(body, &one) != nil {
			return ErrInvalid
		}
		if len(requests) > 1 && one.Error == nil {
			return ErrInvalid
		}
		answers = []message{one}
		if one.Error != nil && (one.ID == nil || len(requests) > 1) { // of the whole body
			for _, r := range requests {
				r.answer(a, one)
			}
			return nil
		}
	}
	found := make([]bool, len(requests))
	for _, answer := range answers {
		if answer.ID == nil || *answer.ID < 1 || *answer.ID > len(requests) || found[*answer.ID-1] {
			return ErrInvalid
		}
		if answer.Error == nil && answer.Result == nil {
			return ErrInvalid
		}
		found[*answer.ID-1] = true
		requests[*answer.ID-1].answer(a, answer)
	}
	if len(answers) != len(requests) {
		return ErrInvalid
	}
	return nil
}

// answer sets what the node has answered.
func (r *request) answer(a *address, m message) {
	r.result, r.err = m.Result, nil
	if m.Error == nil {
		return
	}
	printable := func(c rune) rune {
		if !unicode.IsPrint(c) {
			return ' '
		}
		return c
	}
	text := []rune(strings.Map(printable, a.secrets.Replace(m.Error.Message)))
	r.result, r.err = nil, &RPCError{Code: m.Error.Code, Message: string(text[:min(len(text), maxMessage)])}
}

// isNull reports whether the answer is null: the node does not know what was asked for.
func (r *request) isNull() bool { return string(bytes.TrimSpace(r.result)) == "null" }

// read decodes the answer. Errors: ErrNotFound, ErrInvalid.
func (r *request) read(target any) error {
	if r.isNull() {
		return ErrNotFound
	}
	if json.Unmarshal(r.result, target) != nil {
		return ErrInvalid
	}
	return nil
}

// quantity decodes an answer that is a number. Errors: ErrInvalid.
func (r *request) quantity() (uint64, error) {
	var q quantity
	if r.isNull() || json.Unmarshal(r.result, &q) != nil {
		return 0, ErrInvalid
	}
	return uint64(q), nil
}

// quantity is a number as nodes write it: 0x and hexadecimal digits. It has at most 63 bits.
type quantity uint64

// UnmarshalJSON reads a quantity.
func (q *quantity) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	if err != nil || !strings.HasPrefix(s, "0x") || n > math.MaxInt64 {
		return ErrInvalid
	}
	*q = quantity(n)
	return nil
}

// amount is a number of up to 256 bits.
type amount struct{ big.Int }

// UnmarshalJSON reads an amount.
func (n *amount) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok || digits == "" || len(digits) > 64 {
		return ErrInvalid
	}
	if _, ok := n.SetString(digits, 16); !ok || n.Sign() < 0 {
		return ErrInvalid
	}
	return nil
}

// data is bytes as nodes write them: 0x and hexadecimal digits.
type data []byte

// UnmarshalJSON reads bytes.
func (d *data) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	digits, ok := strings.CutPrefix(s, "0x")
	b, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return ErrInvalid
	}
	*d = b
	return nil
}
