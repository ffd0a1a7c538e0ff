package rest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"laurel.example/laurel"
)

// msgUndecodable is the message for a body that fits its schema and still cannot be decoded.
const msgUndecodable = "Invalid request"

// configureHuma sets the texts of contract 1.4 in huma, once per process: they are package variables of huma.
var configureHuma = sync.OnceFunc(func() {
	huma.DefaultArrayNullable = false
	huma.ErrorFormatter = formatProblem
	validation.MsgExpectedRFC3339DateTime = "must be an ISO 8601 date-time"
	validation.MsgExpectedRFC3339Date = "must be an ISO 8601 date"
	validation.MsgExpectedRFC5322Email = "must be an email address"
	validation.MsgExpectedRFC3986URI = "must be a valid url"
	validation.MsgExpectedRFC4122UUID = notUUID
	validation.MsgExpectedMatchAtLeastOneSchema = "is invalid"
	validation.MsgExpectedMatchExactlyOneSchema = "is invalid"
	validation.MsgExpectedNotMatchSchema = "is invalid"
	validation.MsgExpectedBoolean = NotBoolean
	validation.MsgExpectedNumber = notNumber
	validation.MsgExpectedInteger = notInteger
	validation.MsgExpectedString = notString
	validation.MsgExpectedArray = notArray
	validation.MsgExpectedObject = notObject
	validation.MsgExpectedArrayItemsUnique = "must have unique items"
	validation.MsgExpectedOneOf = "must be one of: %s"
	validation.MsgExpectedMinimumNumber = "must be at least %v"
	validation.MsgExpectedExclusiveMinimumNumber = "must be greater than %v"
	validation.MsgExpectedMaximumNumber = "must be at most %v"
	validation.MsgExpectedExclusiveMaximumNumber = "must be less than %v"
	validation.MsgExpectedNumberBeMultipleOf = "must be a multiple of %v"
	validation.MsgExpectedMinLength = "must be at least %d characters"
	validation.MsgExpectedMaxLength = "must be at most %d characters"
	validation.MsgExpectedBePattern = "must be %s"
	validation.MsgExpectedMatchPattern = "must match %s"
	validation.MsgExpectedMinItems = "must have at least %d items"
	validation.MsgExpectedMaxItems = "must have at most %d items"
	huma.NewError = func(status int, _ string, _ ...error) huma.StatusError {
		return newRefusal(status, http.StatusText(status))
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, _ string, errs ...error) huma.StatusError {
		api, ok := ctx.Context().Value(apiContextKey{}).(*API)
		if !ok {
			return newRefusal(status, http.StatusText(status)) // no request of ours
		}
		return api.humaFailure(ctx, status, errs)
	}
})

// Faults that both huma and the query types report.
const (
	notUUID    = "must be a uuid"
	NotBoolean = "must be a boolean"
	notNumber  = "must be a number"
	notInteger = "must be an integer"
	notString  = "must be a string"
	notArray   = "must be an array"
	notObject  = "must be an object"
)

// formatProblem is Sprintf for the texts of faults. It ignores arguments if the format has no verb, uses the singular
// for 1, and writes whole floats as integers.
func formatProblem(format string, args ...any) string {
	if !strings.Contains(format, "%") {
		return format
	}
	if len(args) == 1 && fmt.Sprint(args[0]) == "1" {
		for _, plural := range []string{" characters", " items"} {
			if text, ok := strings.CutSuffix(format, plural); ok {
				format = text + plural[:len(plural)-1]
			}
		}
	}
	for i, arg := range args {
		if f, ok := arg.(float64); ok && f == float64(int64(f)) {
			args[i] = int64(f) // not 9e+12
		}
	}
	return fmt.Sprintf(format, args...)
}

// apiContextKey is the context key of the API, for huma's error functions, which are package variables.
type apiContextKey struct{}

// humaFailure returns the response to the errors that huma reports: faults that it found in the input, or the error
// that a handler returned.
func (a *API) humaFailure(ctx huma.Context, status int, errs []error) *failure {
	if status == http.StatusInternalServerError && len(errs) == 1 { // a handler returned the error
		f := a.failureOf(ctx.Context(), errs[0])
		if f.retryAfter > 0 {
			ctx.SetHeader("Retry-After", fmt.Sprint(f.retryAfter))
		}
		return f
	}
	return a.failureOf(ctx.Context(), a.inputError(ctx, errs))
}

// inputError returns what is wrong with an input as one error: the faults found before huma, then those that huma found
// in path, query and header, then those of the body. If there are none, the body could not be decoded.
func (a *API) inputError(ctx huma.Context, errs []error) error {
	r := requestOf(ctx.Context())
	found := slices.Clone(r.faults)
	for _, part := range []string{"path", "query", "header"} {
		for _, err := range errs {
			if d := (*huma.ErrorDetail)(nil); errors.As(err, &d) {
				addDetail(&found, part, d)
			}
		}
	}
	if err := r.problems(found); err != nil {
		return err
	}
	return laurel.Errorf(laurel.Invalid, msgUndecodable)
}

// bodySchema returns the schema of the body of an operation; nil if it has none.
func bodySchema(op *huma.Operation) *huma.Schema {
	if op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
		return nil
	}
	return op.RequestBody.Content["application/json"].Schema
}

// addDetail adds a fault that huma found, if it lies in the given part of the request: path, query or header. It leaves
// out the value that huma adds.
func addDetail(to *laurel.Faults, part string, d *huma.ErrorDetail) {
	detailPart, path, _ := strings.Cut(d.Location, ".")
	f := laurel.Fault{Path: path, Message: path + " " + strings.TrimPrefix(d.Message, "invalid value: ")}
	if detailPart == part && path != "" && !slices.Contains(*to, f) {
		to.AddText(f.Path, f.Message)
	}
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// rangeProblem returns a problem that names both ends of a range, if huma reports only the one that is broken (contract
// 1.4: must be between 1 and 100); other problems stay as they are.
func rangeProblem(s *huma.Schema, problem string) string {
	outside := strings.HasPrefix(problem, "must be at least ") || strings.HasPrefix(problem, "must be at most ")
	if s == nil || s.Minimum == nil || s.Maximum == nil || !outside {
		return problem
	}
	return formatProblem("must be between %v and %v", *s.Minimum, *s.Maximum)
}

// deref returns the schema that a reference leads to, or a schema that is no reference itself; nil for nil.
func deref(r huma.Registry, s *huma.Schema) *huma.Schema {
	for s != nil && s.Ref != "" {
		s = r.SchemaFromRef(s.Ref)
	}
	return s
}
