package laurel

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// CodeResponseLost is the code of a write that has had its effect, but whose response the server no longer has. Read
// the record to see it.
const CodeResponseLost = "response_lost"

// Error is a refusal or a fault that the server has returned.
type Error struct {
	Status    int    // of HTTP
	Code      string // for programs, such as CodeAlreadyRewarded
	Message   string // for people
	Problems  []Problem
	RequestID string // by which the server's log names the request
	Operation string // POST /api/loyalty/rules/…/complete
	Body      json.RawMessage
}

// Problem is one problem of an input.
type Problem struct {
	Path    string `json:"path"` // such as entries.0.amount
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error returns the operation, the status, the code and the message.
func (e *Error) Error() string {
	text := fmt.Sprintf("laurel: %s: %d %s: %s", e.Operation, e.Status, e.Code, e.Message)
	for _, p := range e.Problems {
		if !strings.Contains(text, p.Message) {
			text += "; " + p.Message
		}
	}
	return text
}

// HasCode reports whether an error is a response of the server with the code.
func HasCode(err error, code string) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

// newError reads the body of a response that is no success. A body of a proxy, which is no JSON, is kept as it is.
func newError(r request, res *http.Response, text []byte) *Error {
	out := &Error{Status: res.StatusCode, RequestID: res.Header.Get("X-Request-Id"), Operation: r.method + " " + r.path}
	var body struct {
		Code     string    `json:"code"`
		Message  string    `json:"message"`
		Problems []Problem `json:"errors"`
	}
	if json.Unmarshal(text, &body) == nil && body.Message != "" {
		out.Body, out.Code, out.Message, out.Problems = text, body.Code, body.Message, body.Problems
		return out
	}
	out.Message = http.StatusText(res.StatusCode)
	if location := res.Header.Get("Location"); location != "" {
		out.Message += " to " + location + ", which the client does not follow"
	}
	return out
}
