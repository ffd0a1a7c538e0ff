package laurel

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Code classifies errors by what the caller can do about them. Any error that is not an *Error is a fault of the
// service.
type Code int

// The codes; package rest maps them to HTTP statuses (contract 1.4).
const (
	Internal    Code = iota // a fault; the cause stays in the log
	Invalid                 // malformed or out of range; Faults names each field
	Refused                 // well formed, refused by a business rule
	Forbidden               // not allowed for this caller
	NotFound                // does not exist, or not for this tenant
	RateLimited             // too many requests; RetryAfter says when to try again
	Unavailable             // cannot be served at this moment; the cause stays in the log
	Unanswered              // a provider that the response depends on does not respond at this moment
)

// Error is a refusal with the text that the caller sees.
type Error struct {
	Code       Code
	Message    string
	Faults     []Fault
	Rewarded   bool // a completion inside a window already paid (contract 1.4)
	RetryAfter int  // seconds, for RateLimited, Unavailable and Unanswered
	// Shortage says by how much a balance falls short; nil: that is not the reason. Only secret keys see it.
	Shortage *Shortage
}

// Shortage is what a member has and what a debit needs.
type Shortage struct{ Have, Need Amount }

// Fault is one problem of an input: the dotted path of the field and a message that says what is expected.
type Fault struct {
	Path    string
	Message string
}

func (e *Error) Error() string { return e.Message }

// Errorf makes an Error with a formatted message.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Missing returns the NotFound error of a thing: Missing("Account") reads "Account not found".
func Missing(thing string) *Error { return Errorf(NotFound, "%s not found", thing) }

// Unknown returns the Invalid error for an id in a body that does not exist for this tenant: Unknown("functionId",
// "Function") reads "Function not found" at that path.
func Unknown(path, thing string) error {
	var f Faults
	f.AddText(path, thing+" not found")
	return f.Err()
}

// CodeOf returns the code of the first *Error in err's chain, Internal for every other error.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// IsRefusal reports whether an error is final: the same request would be refused again. RateLimited and faults are not.
func IsRefusal(err error) bool {
	switch CodeOf(err) {
	case Invalid, Refused, Forbidden, NotFound:
		return true
	}
	return false
}

const maxFaults = 50 // in one response (contract 1.4)

// Faults collects the problems of one input, so that a response can list them all.
type Faults []Fault

// Add adds a problem. Its message reads "<path> <problem>".
func (f *Faults) Add(path, format string, args ...any) {
	f.AddText(path, path+" "+fmt.Sprintf(format, args...))
}

// AddText adds a problem whose message does not begin with the path.
func (f *Faults) AddText(path, message string) {
	if len(*f) < maxFaults {
		*f = append(*f, Fault{Path: path, Message: message})
	}
}

// Text adds a fault if a text has more than atMost characters, contains NUL or invalid UTF-8 (contract 1.7), or is
// blank although atLeast is above 0.
func (f *Faults) Text(path, value string, atLeast, atMost int) {
	switch {
	case atLeast > 0 && strings.TrimSpace(value) == "":
		f.Add(path, "is required")
	case utf8.RuneCountInString(value) > atMost:
		f.Add(path, "must be at most %d characters", atMost)
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		f.Add(path, "must not contain NUL characters")
	}
}

// Err returns nil if there are no problems, else an Invalid error with the first problem as its message.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return &Error{Code: Invalid, Message: f[0].Message, Faults: f}
}
