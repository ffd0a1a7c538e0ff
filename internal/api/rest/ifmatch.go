package rest

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
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
	return func(h *OperationHandler) {
		h.readCurrent = func(ctx context.Context, id laurel.ID) (any, error) {
			in := new(I)
			P(in).setID(id)
			out, err := read(ctx, in)
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
	id, err := parseID(r.PathValue("id"))
	if err != nil {
		return err
	}
	req, precondition := requestOf(r.Context()), laurel.Precondition{ID: id}
	if text := strings.TrimSpace(values[0]); len(values) > 1 || text != "*" {
		inner, isQuoted := strings.CutPrefix(text, `"`)
		if isQuoted {
			inner, isQuoted = strings.CutSuffix(inner, `"`)
		}
		updatedAt, err := laurel.ParseTimestamp(inner)
		if len(values) > 1 || !isQuoted || err != nil {
			return laurel.Faults{{Path: ifMatchHeader, Message: msgIfMatchMalformed}}.Err()
		}
		precondition.UpdatedAt = updatedAt.Time
	}
	req.scope.IfMatch = &precondition
	req.readCurrent = func(ctx context.Context) (any, error) { return route.readCurrent(ctx, id) }
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
		Value:   Refusal{Message: laurel.ErrChanged.Message, Current: now},
	}}
}
