package rest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"

	"laurel.example/laurel"
)

// Refusal is the body of every 4xx response (contract 1.4).
type Refusal struct {
	Message  string         `json:"message" doc:"The reason; with several problems the first one. For an invalid completion it is Invalid request, and errors has the reasons"`
	Code     string         `json:"code" doc:"What the message says, as a stable word for programs"`
	Errors   *[]Fault       `json:"errors,omitempty" doc:"Every problem of an invalid input, at most 50"`
	Rewarded *Rewarded      `json:"rewarded,omitempty" doc:"Only on a completion inside a window that is already paid"`
	Have     *laurel.Amount `json:"have,omitempty" doc:"Only on Insufficient balance, with secret keys that write: what the member and its group have"`
	Need     *laurel.Amount `json:"need,omitempty" doc:"With have: what the debit needs"`
	Current  any            `json:"current,omitempty" doc:"Only with Record was changed meanwhile: the record as it is now"`
}

// Rewarded is always true; it is absent otherwise.
type Rewarded bool

// Fault is one problem of an input.
type Fault struct {
	Path    string `json:"path" doc:"Dotted path of the field, such as entries.0.amount"`
	Code    string `json:"code" doc:"What the problem is, as a stable word for programs"`
	Message string `json:"message"`
}

// ServerFault is the body of every 5xx response (contract 1.4).
type ServerFault struct {
	Success   bool   `json:"success" enum:"false"`
	Message   string `json:"message"`
	Code      string `json:"code" doc:"What the message says, as a stable word for programs"`
	DebugInfo string `json:"debugInfo,omitempty" doc:"The request id, under which the log holds the cause"`
}

// failure is an error response. It is the error that huma writes, and the one that this package writes before huma is
// reached.
type failure struct {
	status     int
	body       any
	retryAfter int // seconds; 0: no Retry-After
}

func (f *failure) Error() string                { return http.StatusText(f.status) }
func (f *failure) GetStatus() int               { return f.status }
func (f *failure) MarshalJSON() ([]byte, error) { return json.Marshal(f.body) }

// newRefusal returns an error response with a message.
func newRefusal(status int, message string) *failure {
	return &failure{status: status, body: Refusal{Message: message, Code: codeOfStatus(status, message)}}
}

// newFault returns a problem of an input as responses show it.
func newFault(f laurel.Fault) Fault {
	return Fault{Path: f.Path, Code: codeOfProblem(f), Message: f.Message}
}

const msgMalformed = "Malformed JSON body"

// Refusals of this package, the same for all operations.
var (
	errNoRoute      = newRefusal(http.StatusNotFound, "Route not found")
	errMethod       = newRefusal(http.StatusMethodNotAllowed, "Method not allowed")
	errTooLarge     = newRefusal(http.StatusRequestEntityTooLarge, "Request body too large")
	errMediaType    = newRefusal(http.StatusUnsupportedMediaType, "Content-Type must be application/json")
	errEncoding     = newRefusal(http.StatusUnsupportedMediaType, "Content-Encoding must be identity: send the body uncompressed")
	errPrecondition = newRefusal(http.StatusPreconditionFailed, "If-Match names a version, and an upload creates a file")
	errMalformed    = &failure{
		status: http.StatusBadRequest, body: Refusal{Message: msgMalformed, Code: codeMalformed, Errors: &[]Fault{}},
	}
	errKeyMissing  = laurel.Errorf(laurel.Forbidden, "API key is required")
	errKeyReadOnly = laurel.Errorf(laurel.Forbidden, "API key is read-only")
	ErrKeyKind     = laurel.Errorf(laurel.Forbidden, "API key is not allowed to perform this operation")
)

// statuses maps error codes to HTTP statuses. 401, 409 and 422 are never used, since clients retry 409 (contract 1.4).
var statuses = map[laurel.Code]int{
	laurel.Invalid:     http.StatusBadRequest,
	laurel.Refused:     http.StatusBadRequest,
	laurel.Forbidden:   http.StatusForbidden,
	laurel.NotFound:    http.StatusNotFound,
	laurel.RateLimited: http.StatusTooManyRequests,
	laurel.Unavailable: http.StatusServiceUnavailable,
	laurel.Unanswered:  http.StatusServiceUnavailable,
}

const msgTooManyRequests = "Too many requests, please try again later."

// failureOf returns the response to an error. A response of this package is returned as it is, except that errMalformed
// gets the operation's own message if it has one. An error for the caller becomes its refusal, and is logged if it
// means that the service is unavailable. If the caller has disconnected, the response is a 503. Any other error is a
// fault of the service: it is logged with the request id and becomes a 500.
func (a *API) failureOf(ctx context.Context, err error) *failure {
	var response *failure
	if errors.As(err, &response) {
		if message := requestOf(ctx).invalidMessage; message != "" && response == errMalformed {
			faults := []Fault{newFault(laurel.Fault{Message: msgMalformed})}
			return &failure{status: response.status, body: Refusal{Message: message, Code: codeInvalid, Errors: &faults}}
		}
		return response
	}
	var callerError *laurel.Error
	if errors.As(err, &callerError) && callerError.Code != laurel.Internal {
		if statuses[callerError.Code] == http.StatusServiceUnavailable {
			a.logUnavailable(ctx, err)
		}
		return a.refusal(ctx, callerError)
	}
	if ctx.Err() != nil { // the caller disconnected or timed out, which is no fault of the service
		return a.serverFault(ctx, http.StatusServiceUnavailable, err)
	}
	a.log.ErrorContext(ctx, "request failed", "requestId", requestOf(ctx).id, "route", requestOf(ctx).routeName(), "error", err)
	return a.serverFault(ctx, http.StatusInternalServerError, err)
}

// refusal returns the response to an error for the caller. Unavailable and Unanswered become a 5xx, all others a 4xx
// with a Refusal.
func (a *API) refusal(ctx context.Context, e *laurel.Error) *failure {
	f := &failure{status: statuses[e.Code], retryAfter: e.RetryAfter}
	switch e.Code {
	case laurel.Unavailable, laurel.Unanswered:
		return a.serverFault(ctx, f.status, e).after(max(e.RetryAfter, 1))
	case laurel.RateLimited:
		f.retryAfter = max(e.RetryAfter, 1)
	}
	body := Refusal{Message: e.Message, Code: codeOf(e)}
	if body.Message == "" && e.Code == laurel.RateLimited {
		body.Message = msgTooManyRequests
	}
	if len(e.Faults) > 0 {
		faults := make([]Fault, len(e.Faults))
		for i, fault := range e.Faults {
			faults[i] = newFault(fault)
		}
		body.Errors = &faults
		if message := requestOf(ctx).invalidMessage; message != "" {
			body.Message = message
		}
	}
	if e.Rewarded { // a completion was refused because its window is already paid
		yes := Rewarded(true)
		body.Rewarded = &yes
	}
	if role := ScopeOf(ctx).Role; e.Shortage != nil && (role == laurel.RoleOrganization || role == laurel.RoleWebsite) {
		body.Have, body.Need = &e.Shortage.Have, &e.Shortage.Need
	}
	if e == laurel.ErrChanged {
		var err error
		if body.Current, err = requestOf(ctx).readCurrent(ctx); err != nil {
			return a.failureOf(ctx, err) // such as NotFound: it was deleted
		}
	}
	f.body = body
	return f
}

// after sets Retry-After to a number of seconds and returns the failure.
func (f *failure) after(seconds int) *failure {
	f.retryAfter = seconds
	return f
}

// serverFault returns a 5xx response. Its message hides the cause, unless an external system did not respond: that
// message is shown. With Config.Debug debugInfo has the cause. A 503 asks the caller to retry after a second.
func (a *API) serverFault(ctx context.Context, status int, cause error) *failure {
	body := ServerFault{Message: "Internal server error", Code: codeInternal, DebugInfo: requestOf(ctx).id}
	retryAfter := 0
	if status == http.StatusServiceUnavailable {
		body.Message, body.Code, retryAfter = "Service unavailable", codeUnavailable, 1
	}
	var unanswered *laurel.Error
	if errors.As(cause, &unanswered) && unanswered.Code == laurel.Unanswered {
		body.Code = codeUnanswered
		body.Message = unanswered.Message // it names an external system and reveals nothing of the service
	}
	if a.cfg.Debug && cause != nil {
		body.DebugInfo += ": " + cause.Error()
	}
	return &failure{status: status, body: body, retryAfter: retryAfter}
}

// fail writes the response to an error, outside huma.
func (a *API) fail(w http.ResponseWriter, r *http.Request, err error) {
	f := a.failureOf(r.Context(), err)
	if f.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.retryAfter))
	}
	writeJSON(w, f.status, f.body)
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(status)
	_ = marshal(w, body) // it fails only if the caller has disconnected
}
