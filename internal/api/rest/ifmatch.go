package rest

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
)

const (
	ifMatchHeader  = "If-Match" // the request header of contract 1.12
	ifMatchExample = `"2026-01-15T12:00:00.000Z"`
)

// Problems with the header, as faults name it.
const (
	msgIfMatchMalformed   = `If-Match must be the updatedAt of the record in quotes, such as ` + ifMatchExample + `, or *`
	msgIfMatchUnsupported = "If-Match is not supported by this operation"
)

// IfMatch makes an operation take the header If-Match. The operation changes or deletes the record that its path names,
// and its service calls Scope.CheckUnchanged. read returns the record as the caller may see it: it is shown if the
// precondition does not hold.
func IfMatch[I, O any, P interface {
	*I
	setID(laurel.ID)
}](read func(context.Context, *I) (*Response[O], error)) Option {
	return currentBy(func(ctx context.Context) (*Response[O], error) {
		in := new(I)
		P(in).setID(requestOf(ctx).scope.IfMatch.ID)
		return read(ctx, in)
	})
}

// IfMatchOfBody is IfMatch for an operation whose body names the record. read gets the input of the operation.
func IfMatchOfBody[I, O any](read func(context.Context, *I) (*Response[O], error)) Option {
	return currentBy(func(ctx context.Context) (*Response[O], error) {
		in, _ := requestOf(ctx).input.(*I)
		return read(ctx, in)
	})
}

// currentBy returns the option that makes an operation take If-Match and show what read returns.
func currentBy[O any](read func(context.Context) (*Response[O], error)) Option {
	return func(h *OperationHandler) {
		h.readCurrent = func(ctx context.Context) (any, error) {
			out, err := read(ctx)
			if err != nil {
				return nil, err
			}
			return out.Body, nil
		}
	}
}

// readIfMatch reads the header If-Match into the scope of the request. Errors: Invalid for a malformed header, and for
// one that the operation would not heed.
func readIfMatch(r *http.Request, route *Operation) error {
	values, isSent := r.Header[ifMatchHeader]
	if !isSent {
		return nil
	}
	if route.readCurrent == nil {
		return laurel.Faults{{Path: ifMatchHeader, Message: msgIfMatchUnsupported}}.Err()
	}
	value := strings.Join(values, ",")
	updatedAt, _ := laurel.ParseTimestamp(strings.Trim(value, `"`)) // what is malformed differs below
	isTime := !updatedAt.IsZero() && value == `"`+updatedAt.String()+`"`
	if value != "*" && !isTime {
		return laurel.Faults{{Path: ifMatchHeader, Message: msgIfMatchMalformed}}.Err()
	}
	precondition := &laurel.Precondition{IsAny: !isTime, UpdatedAt: updatedAt.Time}
	if text := r.PathValue("id"); text != "" {
		precondition.ID, _ = parseID(text) // checked before
	}
	requestOf(r.Context()).scope.IfMatch = precondition
	return nil
}

// describeIfMatch documents the header, and the refusal of a request for an older version.
func describeIfMatch(op *huma.Operation) {
	op.Parameters = append(op.Parameters, &huma.Param{Ref: "#/components/parameters/" + ifMatchHeader})
	op.Responses["400"].Content["application/json"].Examples = map[string]*huma.Example{
		changedExample: {Ref: "#/components/examples/" + changedExample},
	}
}

const changedExample = "changed"

// commonExamples returns the examples of responses that operations refer to.
func commonExamples() map[string]*huma.Example {
	now := map[string]string{"id": strings.Trim(ExampleID, `"`), "updatedAt": "2026-01-15T12:00:01.000Z"}
	return map[string]*huma.Example{changedExample: {
		Summary: "The record has another updatedAt than If-Match",
		Value:   Refusal{Message: laurel.ErrChanged.Message, Code: codeOf(laurel.ErrChanged), Current: now},
	}}
}
